#include "ardent/estimators/data_checksum.h"

#include <fmt/format.h>

#include <cstring>

namespace ardent {
namespace {

class Checksum {
 public:
  void add(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio, odd
    state_ ^= state_ >> 32;
  }

  /// The count, then the bytes, eight at a time.
  void add(const void* data, std::size_t bytes) {
    add(bytes);
    const auto* at = static_cast<const unsigned char*>(data);
    for (; bytes > 0;) {
      const std::size_t count = std::min<std::size_t>(bytes, sizeof(std::uint64_t));
      std::uint64_t word = 0;
      std::memcpy(&word, at, count);
      add(word);
      at += count;
      bytes -= count;
    }
  }

  template <class Values>
  void add_all(const Values& values) {
    add(values.data(), values.size() * sizeof(*values.data()));
  }

  std::string text() const { return fmt::format("{:016x}", state_); }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace

std::string data_checksum(const Dataset& data) {
  Checksum checksum;
  if (const auto* dense = std::get_if<DenseRows>(&data.features)) {
    checksum.add_all(dense->values);
  } else {
    const auto& sparse = std::get<SparseRows>(data.features);
    checksum.add_all(sparse.offsets);
    checksum.add_all(sparse.columns);
    checksum.add_all(sparse.values);
  }
  checksum.add_all(data.labels.numbers);
  checksum.add_all(data.labels.ids);
  for (const std::string& name : data.labels.names) checksum.add_all(name);
  checksum.add_all(data.weights);
  return checksum.text();
}

}  // namespace ardent
