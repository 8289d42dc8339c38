# Warnings, vector units and sanitizers, for everything we compile and nothing a consumer does.
# A build for use does not look for warnings; CI, and builds that compile one source after an edit, do.
# ardent_flags(TARGET [QUIET]): QUIET, where another target has the same sources.
function(ardent_flags target)
  if(NOT "QUIET" IN_LIST ARGN AND (ARDENT_WARNINGS OR ARDENT_WERROR OR NOT ARDENT_UNITY))
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow)
  else()
    target_compile_options(${target} PRIVATE -w)
  endif()
  # Same seed, same bits: no fast-math; for processors see Processor.cmake.
  target_compile_options(${target} PRIVATE -fno-math-errno ${ARDENT_PROCESSOR_FLAGS})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Half a GiB before GCC collects its garbage: Eigen's templates compile in a tenth less time.
    target_compile_options(${target} PRIVATE --param=ggc-min-heapsize=524288)
    if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      # GCC 12 is wrong about overlapping copies in std::string (GCC bug 105651).
      target_compile_options(${target} PRIVATE -Wno-restrict)
    endif()
  endif()
  if(ARDENT_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(ARDENT_SANITIZE)
    ardent_sanitize(${target} ${ARDENT_SANITIZE})
  endif()
  if(ARDENT_COVERAGE)
    # Not the code of Eigen and the C++ library: a test takes a fraction of the time.
    target_compile_options(${target} PRIVATE --coverage -fno-early-inlining -fprofile-exclude-files=^/usr/)
    target_link_options(${target} PUBLIC --coverage)
  endif()
endfunction()

function(ardent_sanitize target sanitizers)
  target_compile_options(${target} PUBLIC -fsanitize=${sanitizers} -fno-omit-frame-pointer)
  target_link_options(${target} PUBLIC -fsanitize=${sanitizers})
  if(sanitizers MATCHES "undefined")
    # What the address sanitizer sees anyway; these five double the compile time of Eigen.
    target_compile_options(${target} PUBLIC
      -fno-sanitize=null,alignment,object-size,vptr,pointer-overflow)
  endif()
endfunction()

# For what is handed out: copies into buffers of known size are checked, and the tables of addresses are
# read-only before anything of ours runs. An executable is position-independent, too.
function(ardent_hardened target)
  if(ARDENT_SANITIZE OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
    return()
  endif()
  target_compile_options(${target} PRIVATE
    $<$<CONFIG:Release>:-U_FORTIFY_SOURCE> $<$<CONFIG:Release>:-D_FORTIFY_SOURCE=3>)
  get_target_property(type ${target} TYPE)
  if(NOT type MATCHES "STATIC_LIBRARY|OBJECT_LIBRARY")
    target_link_options(${target} PRIVATE -Wl,-z,relro,-z,now)
  endif()
endfunction()
