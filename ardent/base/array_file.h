// A file of named arrays with JSON metadata: versioned, self-describing, checked when read.
//
//   8 bytes   magic, which says what kind of file it is
//   u32       format version
//   u32       CRC-32 (zlib's) of everything after this field
//   u64       length of the JSON text
//   JSON      {"arrays": [{"name", "type", "shape", "offset", "bytes"} …], "about": metadata}
//   arrays    little-endian, each at a multiple of 64 bytes from the start of the file; offsets
//             count from the first such multiple after the JSON
//
// Text that the user wrote may be anything, not only UTF-8, so it is kept in arrays, not in JSON.
// The same arrays and metadata give the same bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "ardent/base/buffer.h"
#include "ardent/base/whole_file.h"

namespace ardent {

namespace array_file {

/// One array as it lies in memory, kept alive by `owner`.
struct Array {
  std::string name;
  std::string type;
  std::vector<std::uint64_t> shape;
  std::shared_ptr<const void> owner;
  const void* data = nullptr;
  std::uint64_t bytes = 0;
};

template <class T>
constexpr std::string_view type_name() {
  if constexpr (std::is_same_v<T, double>) return "f64";
  if constexpr (std::is_same_v<T, float>) return "f32";
  if constexpr (std::is_same_v<T, std::uint64_t>) return "u64";
  if constexpr (std::is_same_v<T, std::int64_t>) return "i64";
  if constexpr (std::is_same_v<T, std::uint32_t>) return "u32";
  if constexpr (std::is_same_v<T, char>) return "u8";
}

}  // namespace array_file

class ArrayFileWriter {
 public:
  nlohmann::json about = nlohmann::json::object();

  /// Shares the buffer. The shape defaults to one dimension.
  template <class T>
  void add(std::string name, const Buffer<T>& values, std::vector<std::uint64_t> shape = {}) {
    if (shape.empty()) shape = {values.size()};
    auto owner = std::make_shared<const Buffer<T>>(values);
    arrays_.push_back({std::move(name), std::string(array_file::type_name<T>()), std::move(shape),
                       owner, owner->data(), owner->size() * sizeof(T)});
  }
  template <class T>
  void add(std::string name, const std::vector<T>& values) {
    add(std::move(name), Buffer<T>::copy_of(values));
  }
  /// Two arrays: NAME.text, the strings joined, and NAME.ends, where each ends in it.
  void add_strings(const std::string& name, const std::vector<std::string>& strings);

  /// Appears whole under its name or not at all.
  void save(const std::string& path, const ArrayFileFormat& format) const;
  /// What save() would write.
  std::string bytes(const ArrayFileFormat& format) const;

 private:
  using Sink = std::function<void(const void* data, std::size_t bytes)>;
  void write(const Sink& sink, const ArrayFileFormat& format) const;

  std::vector<array_file::Array> arrays_;
};

class ArrayFile {
 public:
  /// InputError says why the file is not one of this format, or that it is cut off or damaged.
  /// Afterwards every array lies within the file and has the size that its shape says.
  ArrayFile(std::string path, const ArrayFileFormat& format);
  /// The same of contents that are in memory already, at a multiple of 64 bytes; messages call them
  /// `name`.
  ArrayFile(std::string name, const Buffer<char>& contents, const ArrayFileFormat& format);

  const nlohmann::json& about() const { return about_; }

  /// A view that keeps the file's bytes in memory.
  template <class T>
  Buffer<T> array(std::string_view name) const {
    const array_file::Array& found = find(name, array_file::type_name<T>());
    return Buffer<T>::view(found.owner, static_cast<const T*>(found.data), found.bytes / sizeof(T));
  }
  template <class T>
  std::vector<T> list(std::string_view name) const {
    const Buffer<T> values = array<T>(name);
    return {values.begin(), values.end()};
  }
  std::vector<std::string> strings(const std::string& name) const;
  const std::vector<std::uint64_t>& shape(std::string_view name) const;

  /// Throws an InputError: the file contradicts itself.
  [[noreturn]] void refuse(std::string_view why) const;

 private:
  const array_file::Array& find(std::string_view name, std::string_view type) const;
  void read_index(std::string_view json, const Buffer<char>& contents, std::uint64_t arrays_begin);

  std::string path_;
  std::string_view what_;
  nlohmann::json about_;
  std::vector<array_file::Array> arrays_;
};

}  // namespace ardent
