#include "ranks.h"

namespace ardent::cli {
namespace {

Ranks* the_ranks = nullptr;

}  // namespace

Ranks* ranks() {
  return the_ranks;
}

void set_ranks(Ranks* found) {
  the_ranks = found;
}

bool leads() {
  return !the_ranks || the_ranks->rank() == 0;
}

}  // namespace ardent::cli
