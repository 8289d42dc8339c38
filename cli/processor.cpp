// Before anything else runs: a processor that lacks what the build uses gets a clear word instead
// of an illegal instruction. Compiled without vector instructions (cli/CMakeLists.txt).
#include "ardent/base/processor.h"

#include <unistd.h>

namespace {

void print(const char* text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) _exit(1);
}

// The first of the static initialisers, any of which may use vector instructions.
__attribute__((constructor(101))) void check_processor() {
  char missing[ARDENT_MISSING_SIZE];
  ardent_missing_instructions(missing);
  if (missing[0] == '\0') return;
  print("ardent: this build needs processor instructions that this machine lacks (");
  print(missing);
  print(
      "). Build it on this machine, where 'make' chooses what it has, or anywhere with "
      "'cmake --preset portable'.\n");
  _exit(1);
}

}  // namespace
