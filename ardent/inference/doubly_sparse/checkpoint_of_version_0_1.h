// Checkpoints of version 0.1, little-endian: "ARDENTC\n", u32 version, u64 fingerprint of problem
// and options, u64 length of the chains, the chains, u64 checksum (FNV-1a) of them.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "ardent/base/container.h"
#include "ardent/base/types.h"

namespace ardent::doubly_sparse {

inline constexpr std::string_view kEarlierCheckpointMagic = "ARDENTC\n";

/// FNV-1a: of a checkpoint's chains, and of all that decided their course.
class OldHash {
 public:
  void add(std::string_view bytes) {
    for (const unsigned char byte : bytes) hash_ = (hash_ ^ byte) * 0x100000001b3u;
  }
  template <class T>
  void add_value(const T& value) {
    add({reinterpret_cast<const char*>(&value), sizeof value});
  }
  void add_matrix(const Eigen::Ref<const Matrix>& values) {
    add_value(values.rows());
    add({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)});
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

/// The fields of chains in the order in which they stand in the file, without names. No length is
/// believed before it is checked.
class OldTraceReader {
 public:
  /// `contents` begins with the magic number; `file` says which file is refused.
  OldTraceReader(std::string_view contents, const Container& file) : file_(file), left_(contents) {
    take(kEarlierCheckpointMagic.size());
    std::uint64_t length = 0, checksum = 0;
    if (number<std::uint32_t>() != 1) file.refuse("it is of no version that ardent knows");
    run_ = number<std::uint64_t>();
    length = number<std::uint64_t>();
    if (left_.size() < sizeof checksum || length != left_.size() - sizeof checksum) cut_off();
    std::memcpy(&checksum, left_.data() + length, sizeof checksum);
    left_.remove_suffix(sizeof checksum);
    OldHash found;
    found.add(left_);
    if (found.value() != checksum) file.refuse("it is damaged: its checksum does not fit");
    chains_ = number<std::uint64_t>();
  }

  std::uint64_t run() const { return run_; }
  std::uint64_t chains() const { return chains_; }
  void expect_all_taken() const {
    if (!left_.empty()) file_.refuse("it has bytes after its last chain");
  }

  template <class T>
  void field(const char*, T& value) {
    value = number<T>();
  }
  template <class T>
  void list(const char*, std::vector<T>& values) {
    values.resize(count(sizeof(T)));
    const std::string_view bytes = take(values.size() * sizeof(T));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  }
  void list(const char* name, Vector& values) {
    std::vector<double> numbers;
    list(name, numbers);
    values = Eigen::Map<const Vector>(numbers.data(), std::ssize(numbers));
  }
  void list_if_there(const char*, Vector&) {}  // it has none
  template <class T, class Each>
  void each(const char*, std::vector<T>& values, Each&& get_one) {
    values.resize(count(sizeof(std::uint64_t)));
    for (T& value : values) get_one(*this, value);
  }

 private:
  [[noreturn]] void cut_off() const { file_.refuse("it is cut off"); }
  std::string_view take(std::uint64_t bytes) {
    if (bytes > left_.size()) cut_off();
    const std::string_view taken = left_.substr(0, bytes);
    left_.remove_prefix(bytes);
    return taken;
  }
  template <class T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  /// Of items of at least so many bytes each.
  std::uint64_t count(std::size_t smallest) {
    const auto items = number<std::uint64_t>();
    if (items > left_.size() / smallest) cut_off();
    return items;
  }

  const Container& file_;
  std::string_view left_;
  std::uint64_t run_ = 0, chains_ = 0;
};

}  // namespace ardent::doubly_sparse
