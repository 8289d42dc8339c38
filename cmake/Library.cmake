# The library, ardent::ardent, is the sources of all modules: few large units compile in half the time of
# one library per module, which would each read and instantiate Eigen anew. What a module may include
# is checked by tests/modules.
add_library(ardent STATIC)
add_library(ardent::ardent ALIAS ardent)
target_compile_features(ardent PUBLIC cxx_std_20)
target_include_directories(ardent PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(ardent PUBLIC Eigen3::Eigen Threads::Threads)
# A consumer compiled without our vector flags must agree with us on Eigen's alignment. Eigen
# would cut products into blocks by the caches of the machine, and round by them: sizes are fixed.
target_compile_definitions(ardent PUBLIC EIGEN_MAX_ALIGN_BYTES=64 EIGEN_NO_CPUID
  EIGEN_DEFAULT_L1_CACHE_SIZE=32768 EIGEN_DEFAULT_L2_CACHE_SIZE=524288
  EIGEN_DEFAULT_L3_CACHE_SIZE=4194304)
# Modules without hot loops: -O3 gains codes and images a fifth, these nothing, and -O2 compiles in
# four fifths of the time.
add_library(ardent_plain OBJECT)
target_compile_features(ardent_plain PUBLIC cxx_std_20)
target_include_directories(ardent_plain PRIVATE $<TARGET_PROPERTY:ardent,INCLUDE_DIRECTORIES>)
target_compile_definitions(ardent_plain PRIVATE $<TARGET_PROPERTY:ardent,COMPILE_DEFINITIONS>)
target_link_libraries(ardent_plain PRIVATE Eigen3::Eigen Threads::Threads)
target_sources(ardent PRIVATE $<TARGET_OBJECTS:ardent_plain>)
foreach(part ardent ardent_plain)
  ardent_flags(${part})
  if(ARDENT_UNITY)
    set_target_properties(${part} PROPERTIES UNITY_BUILD ON)
  else()
    target_precompile_headers(${part} PRIVATE <Eigen/Core> <fmt/format.h> <algorithm> <functional>
      <map> <memory> <string> <vector>)
  endif()
endforeach()
target_compile_options(ardent_plain PRIVATE $<$<CONFIG:Release>:-O2>)
# Larger batches compile in less time altogether, and in more memory: 2 GiB for each of these.
set_target_properties(ardent PROPERTIES UNITY_BUILD_BATCH_SIZE 50)
set_target_properties(ardent_plain PROPERTIES UNITY_BUILD_BATCH_SIZE 80)

# ardent_module(NAME [PLAIN] [USES module ...] [LINKS private-library ...])
# Every source in the folder of the calling CMakeLists.txt; USES names the modules above it that it
# needs (read by tests/modules).
function(ardent_module name)
  cmake_parse_arguments(MODULE "PLAIN" "" "USES;LINKS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(MODULE_PLAIN)
    target_sources(ardent_plain PRIVATE ${sources})
    target_link_libraries(ardent_plain PRIVATE ${MODULE_LINKS})
  else()
    target_sources(ardent PRIVATE ${sources})
  endif()
  target_link_libraries(ardent PRIVATE ${MODULE_LINKS})
endfunction()
