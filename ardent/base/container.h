// The file format of models, data caches and checkpoints: safetensors, whose readers exist for many
// languages, with metadata and checksums of ours.
//
//   u64       length of the header
//   header    JSON: {"__metadata__": {"checksum", "kind", "version", "arrays_checksum", "about"},
//             "NAME": {"dtype", "shape", "data_offsets": [begin, end]} …}, padded with spaces to a
//             multiple of 64 bytes from the start of the file
//   arrays    little-endian, one after the other without gaps; offsets count from the first
//
// Arrays are ordered by the size of their numbers, so that each lies at a multiple of that size.
// Large ones lie at multiples of 64 bytes, after an array "padding.N" where need be: safetensors
// allows no gaps. Those of a cache that are as large as its data come before all others, behind a
// header of 4096 bytes: their places are known while they are made, and they are made there. The
// checksums are those of checksum.h, as 16 hexadecimal digits: "checksum" of
// the header before and after its own digits; "arrays_checksum" of all arrays, in their order, by
// the sums of blocks of 256 KiB that never span two arrays. So any changed byte is noticed.
//
// "about" is a JSON text. Text that the user wrote may be anything, not only UTF-8, so it is kept
// in arrays. The same arrays and metadata give the same bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "ardent/base/buffer.h"

namespace ardent {

class AtomicFile;

/// What kind of file, and what its reader says of one that it cannot read.
struct ContainerFormat {
  std::string_view kind;  // "model"
  std::uint32_t version;
  std::string_view earlier_magic = {};  // files of version 0.1 begin with it
  std::string_view remedy = {};         // "; …", added to messages
};

/// The kind of the container that begins with these bytes; empty: it is none.
std::string_view container_kind(std::string_view start);

namespace container {

/// Every array of ours that is used as it lies in memory begins at a multiple of it.
inline constexpr std::size_t kAlignment = 64;
/// Where leading arrays begin in their file.
inline constexpr std::size_t kLeadingPlace = 4096;
/// Arrays that are to be mapped one by one begin pages of their own.
constexpr std::size_t leading_alignment(std::uint64_t bytes) {
  return bytes < std::size_t{1} << 16 ? kAlignment : kLeadingPlace;
}

/// One array as it lies in memory, kept alive by `owner`.
struct Array {
  std::string name;
  std::string_view dtype;  // a static text
  std::vector<std::uint64_t> shape;
  std::shared_ptr<const void> owner;
  const void* data = nullptr;
  std::uint64_t bytes = 0;
  bool leads = false;  // it is before all that do not
};

template <class T>
constexpr std::string_view dtype() {
  if constexpr (std::is_same_v<T, double>) return "F64";
  if constexpr (std::is_same_v<T, float>) return "F32";
  if constexpr (std::is_same_v<T, std::uint64_t>) return "U64";
  if constexpr (std::is_same_v<T, std::int64_t>) return "I64";
  if constexpr (std::is_same_v<T, std::uint32_t>) return "U32";
  if constexpr (sizeof(T) == 1) return "U8";
}

/// Bytes of one number of that type, 0 where we have no such type.
std::uint64_t element_bytes(std::string_view dtype);

template <class T>
Array array_of(std::string name, const Buffer<T>& values, std::vector<std::uint64_t> shape = {}) {
  if (shape.empty()) shape = {values.size()};
  auto owner = std::make_shared<const Buffer<T>>(values);
  return {std::move(name), dtype<T>(),    std::move(shape),
          owner,           owner->data(), owner->size() * sizeof(T)};
}

/// As "arrays_checksum" has it.
std::string checksum_of(const std::vector<Array>& arrays);

/// JSON of few levels, no name twice in an object. Throws InputError or json::exception.
nlohmann::json parse_metadata(std::string_view text);

/// Numbers of an array of this shape; all bits set where there are more than 64 bits can say.
std::uint64_t count_of(const std::vector<std::uint64_t>& shape);
/// A count from the metadata: get<uint64_t>() would take −1, 0.5 or true as well.
std::uint64_t count_of(const nlohmann::json& value);
std::vector<std::uint64_t> shape_of(const nlohmann::json& list);

}  // namespace container

class ContainerWriter {
 public:
  nlohmann::json about = nlohmann::json::object();

  /// Shares the buffer. The shape defaults to one dimension.
  template <class T>
  void add(std::string name, const Buffer<T>& values, std::vector<std::uint64_t> shape = {}) {
    arrays_.push_back(container::array_of(std::move(name), values, std::move(shape)));
  }
  template <class T>
  void add(std::string name, const std::vector<T>& values) {
    add(std::move(name), Buffer<T>::copy_of(values));
  }
  /// Like add(), of an array that lies before all that are added so: the first one at
  /// kLeadingPlace, each of the others at the next multiple of leading_alignment().
  template <class T>
  void lead(std::string name, const Buffer<T>& values) {
    add(std::move(name), values);
    arrays_.back().leads = true;
  }
  /// Two arrays: NAME.text, the strings joined, and NAME.ends, where each ends in it.
  void add_strings(const std::string& name, const std::vector<std::string>& strings);

  /// Appears whole under its name or not at all.
  void save(const std::string& path, const ContainerFormat& format) const;
  /// To a file that may hold leading arrays already (AtomicFile::map), and is committed.
  void save(AtomicFile& file, const ContainerFormat& format) const;
  /// What save() would write.
  std::string bytes(const ContainerFormat& format) const;

 private:
  using Sink = std::function<void(const void* data, std::size_t bytes)>;
  void write(const Sink& sink, const ContainerFormat& format) const;

  std::vector<container::Array> arrays_;
};

class Container {
 public:
  /// Of contents that begin at a multiple of 64 bytes; messages call them `name`. InputError says
  /// why they are not of this format, or that they are cut off or damaged. Afterwards every array
  /// lies within them and has the size that its shape says; nothing was copied.
  Container(std::string name, const Buffer<char>& contents, const ContainerFormat& format);
  /// Of what a file of another format held.
  Container(std::string name, const ContainerFormat& format, nlohmann::json about,
            std::vector<container::Array> arrays);

  const nlohmann::json& about() const { return about_; }
  bool has(std::string_view name) const;

  /// At a multiple of 64 bytes: a view that keeps the contents in memory, or a copy of an array
  /// that lies elsewhere (small ones, and those that other programs wrote).
  template <class T>
  Buffer<T> array(std::string_view name) const {
    const container::Array& found = find(name, container::dtype<T>());
    const std::size_t count = found.bytes / sizeof(T);
    if (reinterpret_cast<std::uintptr_t>(found.data) % container::kAlignment == 0) {
      return Buffer<T>::view(found.owner, static_cast<const T*>(found.data), count);
    }
    auto copy = Buffer<T>::allocate(count);
    if (count > 0) std::memcpy(copy.mutable_data(), found.data, found.bytes);
    return copy;
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
  [[noreturn]] void refuse_malformed(const nlohmann::json::exception& error) const;

 private:
  const container::Array& find(std::string_view name, std::string_view dtype) const;
  void read_header(std::string_view header, const Buffer<char>& contents);
  void read_metadata(const nlohmann::json& metadata);

  std::string name_;
  ContainerFormat format_;
  nlohmann::json about_;
  std::vector<container::Array> arrays_;  // in the order of their places
};

}  // namespace ardent
