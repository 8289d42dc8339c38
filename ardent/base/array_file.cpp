#include "ardent/base/array_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <bit>
#include <cstring>
#include <map>

#include "ardent/base/atomic_file.h"
#include "ardent/base/error.h"

namespace ardent {
namespace {

using array_file::Array;
using nlohmann::json;

static_assert(std::endian::native == std::endian::little,
              "arrays are written as they lie in memory: that needs a little-endian machine");

constexpr std::uint64_t kAlignment = 64;
constexpr std::size_t kVersionAt = 8;
constexpr std::size_t kChecksumAt = 12;
constexpr std::size_t kLengthAt = 16;
constexpr std::size_t kJsonAt = 24;

std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

template <class T>
T number_at(const Buffer<char>& contents, std::size_t at) {
  T value;
  std::memcpy(&value, contents.data() + at, sizeof value);
  return value;
}

std::uint32_t checksum(std::uint32_t so_far, const void* data, std::size_t bytes) {
  // zlib takes a null pointer for the wish to begin anew, also when there are no bytes.
  if (bytes == 0) return so_far;
  return static_cast<std::uint32_t>(crc32_z(so_far, static_cast<const Bytef*>(data), bytes));
}

/// Deeply nested text costs much more memory than its own size: metadata need three levels.
json parse_shallow(std::string_view text) {
  constexpr int kDeepest = 8;
  return json::parse(text, [](int depth, json::parse_event_t, json&) {
    if (depth > kDeepest) throw InputError("its metadata are nested too deep");
    return true;
  });
}

std::uint64_t element_bytes(std::string_view type) {
  static const std::map<std::string_view, std::uint64_t> kBytes{{"f64", 8}, {"u64", 8}, {"i64", 8},
                                                                {"f32", 4}, {"u32", 4}, {"u8", 1}};
  const auto found = kBytes.find(type);
  return found == kBytes.end() ? 0 : found->second;
}

/// A count from the metadata. get<uint64_t>() would take −1, 0.5 or true as well.
std::uint64_t count_of(const json& value) {
  if (!value.is_number_unsigned()) throw InputError("a count in its metadata is no whole number");
  return value.get<std::uint64_t>();
}

}  // namespace

void ArrayFileWriter::add_strings(const std::string& name,
                                  const std::vector<std::string>& strings) {
  std::vector<char> text;
  std::vector<std::uint64_t> ends;
  for (const std::string& s : strings) {
    text.insert(text.end(), s.begin(), s.end());
    ends.push_back(text.size());
  }
  add(name + ".text", text);
  add(name + ".ends", ends);
}

void ArrayFileWriter::write(const Sink& sink, const ArrayFileFormat& format) const {
  json index = json::array();
  std::uint64_t offset = 0;
  for (const Array& array : arrays_) {
    index.push_back({{"name", array.name},
                     {"type", array.type},
                     {"shape", array.shape},
                     {"offset", offset},
                     {"bytes", array.bytes}});
    offset += aligned(array.bytes);
  }
  // Padded with spaces, the arrays begin right after it.
  std::string text = json{{"arrays", index}, {"about", about}}.dump(1);
  text.resize(aligned(kJsonAt + text.size()) - kJsonAt, ' ');

  const std::string zeros(kAlignment, '\0');
  const auto padding = [](const Array& array) { return aligned(array.bytes) - array.bytes; };
  const std::uint64_t length = text.size();
  std::uint32_t sum = checksum(0, &length, sizeof length);
  sum = checksum(sum, text.data(), text.size());
  for (const Array& array : arrays_) {
    sum = checksum(sum, array.data, array.bytes);
    sum = checksum(sum, zeros.data(), padding(array));
  }

  sink(format.magic.data(), format.magic.size());
  sink(&format.version, sizeof format.version);
  sink(&sum, sizeof sum);
  sink(&length, sizeof length);
  sink(text.data(), text.size());
  for (const Array& array : arrays_) {
    sink(array.data, array.bytes);
    sink(zeros.data(), padding(array));
  }
}

void ArrayFileWriter::save(const std::string& path, const ArrayFileFormat& format) const {
  AtomicFile file(path);
  write([&](const void* data, std::size_t bytes) { file.write(data, bytes); }, format);
  file.commit();
}

std::string ArrayFileWriter::bytes(const ArrayFileFormat& format) const {
  std::string all;
  const auto append = [&](const void* data, std::size_t bytes) {
    all.append(static_cast<const char*>(data), bytes);
  };
  write(append, format);
  return all;
}

ArrayFile::ArrayFile(std::string path, const ArrayFileFormat& format)
    : ArrayFile(path, read_whole_file(path, format), format) {}

ArrayFile::ArrayFile(std::string name, const Buffer<char>& contents, const ArrayFileFormat& format)
    : path_(std::move(name)), what_(format.what) {
  if (contents.size() < kJsonAt) refuse("it is cut off in its header");
  const auto version = number_at<std::uint32_t>(contents, kVersionAt);
  if (version != format.version) {
    throw InputError(fmt::format(
        "{}: this {} file has format version {}, and this program reads version {}{}", path_, what_,
        version, format.version, version > format.version ? ": use a newer ardent" : ""));
  }
  const auto length = number_at<std::uint64_t>(contents, kLengthAt);
  if (length > contents.size() - kJsonAt) refuse("it is cut off in its metadata");
  if (number_at<std::uint32_t>(contents, kChecksumAt) !=
      checksum(0, contents.data() + kLengthAt, contents.size() - kLengthAt)) {
    refuse("its checksum does not fit: it is damaged or cut off");
  }
  try {
    read_index({contents.data() + kJsonAt, length}, contents, aligned(kJsonAt + length));
  } catch (const json::exception& error) {
    refuse(fmt::format("its metadata are malformed ({})", error.what()));
  } catch (const InputError& error) {
    refuse(error.what());
  }
}

void ArrayFile::read_index(std::string_view text, const Buffer<char>& contents,
                           std::uint64_t arrays_begin) {
  const json all = parse_shallow(text);
  about_ = all.at("about");
  const std::uint64_t available =
      contents.size() > arrays_begin ? contents.size() - arrays_begin : 0;
  const auto owner = std::make_shared<const Buffer<char>>(contents);
  for (const json& entry : all.at("arrays")) {
    Array array;
    array.name = entry.at("name").get<std::string>();
    array.type = entry.at("type").get<std::string>();
    const std::uint64_t element = element_bytes(array.type);
    if (element == 0) {
      throw InputError(
          fmt::format("an array has the unknown type {}", ardent::in_quotes(array.type)));
    }
    array.bytes = count_of(entry.at("bytes"));
    const std::uint64_t offset = count_of(entry.at("offset"));
    if (offset > available || array.bytes > available - offset || offset % kAlignment != 0) {
      throw InputError(
          fmt::format("array {} lies outside the file", ardent::in_quotes(array.name)));
    }
    std::uint64_t count = 1;
    for (const json& extent : entry.at("shape")) {
      array.shape.push_back(count_of(extent));
      if (__builtin_mul_overflow(count, array.shape.back(), &count)) count = ~std::uint64_t{0};
    }
    if (array.bytes % element != 0 || count != array.bytes / element || array.shape.empty()) {
      throw InputError(
          fmt::format("array {} has not the size of its shape", ardent::in_quotes(array.name)));
    }
    array.owner = owner;
    array.data = contents.data() + arrays_begin + offset;
    arrays_.push_back(std::move(array));
  }
}

const Array& ArrayFile::find(std::string_view name, std::string_view type) const {
  for (const Array& array : arrays_) {
    if (array.name != name) continue;
    if (array.type != type) {
      refuse(fmt::format("array {} has type {} instead of {}", name, array.type, type));
    }
    return array;
  }
  refuse(fmt::format("array {} is missing", name));
}

const std::vector<std::uint64_t>& ArrayFile::shape(std::string_view name) const {
  for (const Array& array : arrays_) {
    if (array.name == name) return array.shape;
  }
  refuse(fmt::format("array {} is missing", name));
}

std::vector<std::string> ArrayFile::strings(const std::string& name) const {
  const Buffer<char> text = array<char>(name + ".text");
  std::vector<std::string> result;
  std::uint64_t begin = 0;
  for (const std::uint64_t end : array<std::uint64_t>(name + ".ends")) {
    if (end < begin || end > text.size()) refuse(fmt::format("the texts {} overlap", name));
    result.emplace_back(text.data() + begin, end - begin);
    begin = end;
  }
  return result;
}

void ArrayFile::refuse(std::string_view why) const {
  throw InputError(fmt::format("{}: cannot read this {} file: {}", path_, what_, why));
}

}  // namespace ardent
