/* What the processor lacks of what the build was compiled for. C, and for sources that are compiled
 * without the build's vector instructions: this must run on any machine before anything else does.
 * ARDENT_USES_*: ARDENT_PROCESSOR_DEFINITIONS of cmake/Processor.cmake. */
#ifndef ARDENT_BASE_PROCESSOR_H
#define ARDENT_BASE_PROCESSOR_H

#include <stddef.h>
#include <string.h>

enum { ARDENT_MISSING_SIZE = 80 }; /* all names and their commas fit */

#if defined(__x86_64__) || defined(__i386__)
#define ARDENT_ASK_PROCESSOR() __builtin_cpu_init() /* static initialisers have not run yet */
#define ARDENT_REQUIRE(feature, name) \
  if (!__builtin_cpu_supports(feature)) strcat(strcat(missing, missing[0] ? ", " : ""), name)
#else
#define ARDENT_ASK_PROCESSOR() (void)0
#define ARDENT_REQUIRE(feature, name) (void)missing
#endif

/* Writes the names of the missing instructions, "AVX2, FMA", into `missing`; "" where none is. */
static inline void ardent_missing_instructions(char missing[ARDENT_MISSING_SIZE]) {
  missing[0] = '\0';
  ARDENT_ASK_PROCESSOR();
#ifdef ARDENT_USES_AVX
  ARDENT_REQUIRE("avx", "AVX");
#endif
#ifdef ARDENT_USES_AVX2
  ARDENT_REQUIRE("avx2", "AVX2");
#endif
#ifdef ARDENT_USES_FMA
  ARDENT_REQUIRE("fma", "FMA");
#endif
#ifdef ARDENT_USES_BMI2
  ARDENT_REQUIRE("bmi2", "BMI2");
#endif
#ifdef ARDENT_USES_AVX512F
  ARDENT_REQUIRE("avx512f", "AVX512F");
#endif
#ifdef ARDENT_USES_AVX512BW
  ARDENT_REQUIRE("avx512bw", "AVX512BW");
#endif
#ifdef ARDENT_USES_AVX512VL
  ARDENT_REQUIRE("avx512vl", "AVX512VL");
#endif
}

#endif
