// The fuzzer: ARDENT_FUZZ_READER names the reader. Built by clang (make fuzz).
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/container_bytes.h"
#include "fuzz/readers.h"

namespace {

const ardent::fuzz::Reader& chosen() {
  static const ardent::fuzz::Reader* const reader = [] {
    const char* name = std::getenv("ARDENT_FUZZ_READER");
    const auto* found = ardent::fuzz::find_reader(name ? name : "");
    if (!found) {
      std::fprintf(stderr, "ARDENT_FUZZ_READER must be one of");
      for (const auto& each : ardent::fuzz::kReaders) {
        std::fprintf(stderr, " %s", std::string(each.name).c_str());
      }
      std::fprintf(stderr, "\n");
      std::exit(2);
    }
    return found;
  }();
  return *reader;
}

}  // namespace

extern "C" {

size_t LLVMFuzzerMutate(std::uint8_t* data, size_t size, size_t most);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, size_t size) {
  ardent::fuzz::try_reader(chosen(), {reinterpret_cast<const char*>(data), size});
  return 0;
}

/// Of a container one mutation in eight leaves the checksums wrong: the others reach what is behind
/// them.
size_t LLVMFuzzerCustomMutator(std::uint8_t* data, size_t size, size_t most, unsigned seed) {
  size = LLVMFuzzerMutate(data, size, most);
  if (!chosen().is_container || seed % 8 == 0) return size;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    bytes = ardent::with_checksums(bytes);
  } catch (const std::exception&) {
    return size;
  }
  if (bytes.size() > most) return size;
  std::memcpy(data, bytes.data(), bytes.size());
  return bytes.size();
}

}  // extern "C"
