// What include/ardent/version.h and progress.h declare.
#include "ardent/base/parallel.h"
#include "ardent/progress.h"
#include "ardent/version.h"

namespace ardent::v0 {

std::string version() {
  return ARDENT_VERSION;
}

struct ThreadLimit::Held {
  ThreadScope scope;
};

ThreadLimit::ThreadLimit(int most) : held_(new Held{ThreadScope(most)}) {}
ThreadLimit::~ThreadLimit() = default;

}  // namespace ardent::v0
