# What all files of ours are compiled with, the Python package's too, and no program that uses the library:
# the internal headers, and what the bits depend on.
add_library(ardent_internal INTERFACE)
target_include_directories(ardent_internal INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(ardent_internal INTERFACE Eigen3::Eigen Threads::Threads fmt::fmt
                                                nlohmann_json::nlohmann_json)
# Eigen under a name of our own: a program that uses Eigen, too, with other flags, has functions of the same
# names and another meaning (alignment, vector units), of which the linker would keep one for both.
# Eigen would cut products into blocks by the caches of the machine, and round by them: sizes are fixed.
target_compile_definitions(ardent_internal INTERFACE Eigen=ardent_eigen EIGEN_MAX_ALIGN_BYTES=64
  EIGEN_NO_CPUID EIGEN_DEFAULT_L1_CACHE_SIZE=32768 EIGEN_DEFAULT_L2_CACHE_SIZE=524288
  EIGEN_DEFAULT_L3_CACHE_SIZE=4194304)
# See include/ardent/abi.h.
target_compile_definitions(ardent_internal INTERFACE ARDENT_INSIDE)
