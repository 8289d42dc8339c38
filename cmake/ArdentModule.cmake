# ardent_module(NAME [USES module ...] [LINKS private-library ...])
# One static library per module, ardent::NAME, of every source in its folder; USES names the modules
# above it that it needs.
function(ardent_module name)
  cmake_parse_arguments(MODULE "" "" "USES;LINKS" ${ARGN})
  set(target ardent_${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(${target} STATIC ${sources})
  add_library(ardent::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  list(TRANSFORM MODULE_USES PREPEND ardent_)
  target_link_libraries(${target} PUBLIC Eigen3::Eigen Threads::Threads ${MODULE_USES}
                                  PRIVATE ${MODULE_LINKS})
  # A consumer compiled without our vector flags must agree with us on Eigen's alignment. Eigen
  # would cut products into blocks by the caches of the machine, and round by them: sizes are fixed.
  target_compile_definitions(${target} PUBLIC EIGEN_MAX_ALIGN_BYTES=64 EIGEN_NO_CPUID
    EIGEN_DEFAULT_L1_CACHE_SIZE=32768 EIGEN_DEFAULT_L2_CACHE_SIZE=524288
    EIGEN_DEFAULT_L3_CACHE_SIZE=4194304)
  ardent_flags(${target})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${ARDENT_UNITY} UNITY_BUILD_BATCH_SIZE 16)
  target_precompile_headers(${target} PRIVATE <Eigen/Core> <fmt/format.h> <algorithm> <functional>
    <map> <memory> <string> <vector>)
  set_property(GLOBAL APPEND PROPERTY ARDENT_MODULES ${target})
endfunction()

# Warnings, vector units and sanitizers, for everything we compile and nothing a consumer does.
function(ardent_flags target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow)
  # Same seed, same bits: no fast-math; for processors see Processor.cmake.
  target_compile_options(${target} PRIVATE -fno-math-errno ${ARDENT_PROCESSOR_FLAGS})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Half a GiB before GCC collects its garbage: Eigen's templates compile in a tenth less time.
    target_compile_options(${target} PRIVATE --param=ggc-min-heapsize=524288)
  endif()
  if(ARDENT_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(ARDENT_SANITIZE)
    target_compile_options(${target} PUBLIC -fsanitize=${ARDENT_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${ARDENT_SANITIZE})
    if(ARDENT_SANITIZE MATCHES "undefined")
      # What the address sanitizer sees anyway; these five double the compile time of Eigen.
      target_compile_options(${target} PUBLIC
        -fno-sanitize=null,alignment,object-size,vptr,pointer-overflow)
    endif()
  endif()
endfunction()
