#include "embedded_data.h"

// The assembler copies the file into the read-only section: no generated source, no build step.
asm(".section .rodata\n"
    ".global ardent_breast_cancer_begin\n"
    ".global ardent_breast_cancer_end\n"
    "ardent_breast_cancer_begin:\n"
    ".incbin \"" ARDENT_EMBEDDED_BREAST_CANCER
    "\"\n"
    "ardent_breast_cancer_end:\n"
    ".byte 0\n"
    ".text\n");

extern "C" {
extern const char ardent_breast_cancer_begin[];
extern const char ardent_breast_cancer_end[];
}

namespace ardent::cli {

std::string_view breast_cancer_csv() {
  return {ardent_breast_cancer_begin,
          static_cast<std::size_t>(ardent_breast_cancer_end - ardent_breast_cancer_begin)};
}

}  // namespace ardent::cli
