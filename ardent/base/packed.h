// Numbers and lists as bytes, one after the other, for another process of the same program.
//
// One description of a layout serves both directions: a function of a stream and a struct that says
// field, list or each for every member; names are for streams of other formats.
#pragma once

#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "ardent/base/error.h"
#include "ardent/base/types.h"

namespace ardent {

class Packer {
 public:
  template <class T>
  void field(const char*, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void field(const char* name, const std::string& text) {
    field(name, text.size());
    bytes_ += text;
  }
  template <class List>
  void list(const char* name, const List& values) {
    using T = std::remove_cvref_t<decltype(*values.data())>;
    static_assert(std::is_trivially_copyable_v<T>);
    const auto count = static_cast<std::size_t>(values.size());
    field(name, count);
    bytes_.append(reinterpret_cast<const char*>(values.data()), count * sizeof(T));
  }
  template <class AMatrix>
  void matrix(const char* name, const AMatrix& values) {
    field(name, values.rows());
    list(name, values);
  }
  template <class T, class Each>
  void each(const char* name, const std::vector<T>& values, Each&& put_one) {
    field(name, values.size());
    for (const T& value : values) put_one(*this, value);
  }

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class Unpacker {
 public:
  /// The bytes must outlive it.
  explicit Unpacker(const std::string& bytes) : bytes_(bytes) {}

  template <class T>
  void field(const char*, T& value) {
    std::memcpy(&value, take(sizeof value), sizeof value);
  }
  void field(const char* name, std::string& text) {
    std::size_t size = 0;
    field(name, size);
    text.assign(take(size), size);
  }
  template <class List>
  void list(const char* name, List& values) {
    using T = std::remove_cvref_t<decltype(*values.data())>;
    std::size_t count = 0;
    field(name, count);
    const char* const from = take(count * sizeof(T));
    values.resize(static_cast<Index>(count));
    if (count > 0) std::memcpy(values.data(), from, count * sizeof(T));
  }
  template <class AMatrix>
  void matrix(const char* name, AMatrix& values) {
    Index rows = 0;
    std::vector<typename AMatrix::Scalar> numbers;
    field(name, rows);
    list(name, numbers);
    const Index cols = rows > 0 ? std::ssize(numbers) / rows : 0;
    values = Eigen::Map<const AMatrix>(numbers.data(), rows, cols);
  }
  template <class T, class Each>
  void each(const char* name, std::vector<T>& values, Each&& get_one) {
    std::size_t count = 0;
    field(name, count);
    values.clear();
    for (std::size_t i = 0; i < count; ++i) get_one(*this, values.emplace_back());
  }

 private:
  const char* take(std::size_t bytes) {
    if (bytes > bytes_.size() - taken_) throw Error("a message of another process is cut off");
    taken_ += bytes;
    return bytes_.data() + taken_ - bytes;
  }

  const std::string& bytes_;
  std::size_t taken_ = 0;
};

}  // namespace ardent
