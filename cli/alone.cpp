// The plain command: one process.
#include "ranks.h"

namespace ardent::cli {

Ranks* join_ranks(int&, char**&) {
  return nullptr;
}

const char* command_name() {
  return "ardent";
}

}  // namespace ardent::cli
