# Which processors the code is compiled for, and with it the bits of every result.
#
# The default is x86-64-v3 (AVX2 and FMA: the x86-64 processors of the last ten years): one build,
# one result on all of them. A machine without AVX2 gets the portable build, which has bits of its
# own, the same on every machine, too. ARDENT_NATIVE uses all that this machine has and promises
# nothing about other machines.
option(ARDENT_NATIVE "Use every vector instruction of this machine; results differ between machines" OFF)
option(ARDENT_PORTABLE "Compile for every x86-64 processor, also those without AVX2" OFF)

include(CheckCXXSourceCompiles)
include(CheckCXXSourceRuns)
set(ARDENT_PROCESSOR_FLAGS "")
if(ARDENT_NATIVE)
  set(ARDENT_PROCESSOR_FLAGS -march=native)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 warns about its own AVX-512 intrinsics (GCC bug 105593).
    list(APPEND ARDENT_PROCESSOR_FLAGS -Wno-maybe-uninitialized -Wno-uninitialized)
  endif()
else()
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND NOT ARDENT_PORTABLE)
    check_cxx_source_runs("int main() {
        return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") &&
               __builtin_cpu_supports(\"bmi2\") ? 0 : 1; }" ARDENT_PROCESSOR_HAS_AVX2)
    if(ARDENT_PROCESSOR_HAS_AVX2)
      set(ARDENT_PROCESSOR_FLAGS -march=x86-64-v3)
    else()
      message(WARNING "This processor lacks AVX2, FMA or BMI2: building for any x86-64 processor "
                      "(ARDENT_PORTABLE), which is slower and rounds differently in the last bits.")
      set(ARDENT_PORTABLE ON)
    endif()
  endif()
  # A multiplication and an addition become one rounding only where the source says so (Eigen's
  # kernels do): otherwise the bits depend on what the compiler happens to inline.
  list(APPEND ARDENT_PROCESSOR_FLAGS -ffp-contract=off)
endif()

# What a program must find before it runs any other code of ours (ardent/base/processor.h).
set(ARDENT_PROCESSOR_DEFINITIONS "")
set(CMAKE_REQUIRED_FLAGS "${ARDENT_PROCESSOR_FLAGS}")
string(REPLACE ";" " " CMAKE_REQUIRED_FLAGS "${CMAKE_REQUIRED_FLAGS}")
foreach(feature AVX AVX2 FMA BMI2 AVX512F AVX512BW AVX512VL)
  check_cxx_source_compiles("#ifndef __${feature}__\n#error\n#endif\nint main() {}"
                            ARDENT_USES_${feature})
  if(ARDENT_USES_${feature})
    list(APPEND ARDENT_PROCESSOR_DEFINITIONS ARDENT_USES_${feature})
  endif()
endforeach()
unset(CMAKE_REQUIRED_FLAGS)
