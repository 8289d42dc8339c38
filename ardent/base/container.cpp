#include "ardent/base/container.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <set>

#include "ardent/base/checksum.h"
#include "ardent/base/container_header.h"
#include "ardent/base/error.h"
#include "ardent/base/memory_limit.h"
#include "ardent/base/parallel.h"

namespace ardent {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little,
              "arrays are written as they lie in memory: that needs a little-endian machine");

namespace container {

std::uint64_t element_bytes(std::string_view dtype) {
  if (dtype == "F64" || dtype == "U64" || dtype == "I64") return 8;
  if (dtype == "F32" || dtype == "U32") return 4;
  return dtype == "U8" ? 1 : 0;
}

namespace {

constexpr std::uint64_t kSummedBlock = std::uint64_t{1} << 18;
constexpr std::size_t kSideBySide = 4;

/// The sums of the next four blocks. Whole ones are summed side by side: each sum is a chain of
/// products that waits for itself, and so three times as fast.
void sum_blocks(const char* data, std::uint64_t bytes, std::uint64_t* sums) {
  if (bytes < kSideBySide * kSummedBlock) {
    for (std::uint64_t begin = 0; begin < bytes; begin += kSummedBlock) {
      Checksum block;
      block.add(data + begin, std::min(kSummedBlock, bytes - begin));
      *sums++ = block.value();
    }
    return;
  }
  std::array<Checksum, kSideBySide> blocks;
  for (Checksum& block : blocks) block.add(kSummedBlock);
  for (std::size_t at = 0; at < kSummedBlock; at += sizeof(std::uint64_t)) {
    for (std::size_t b = 0; b < kSideBySide; ++b) {
      std::uint64_t word = 0;
      std::memcpy(&word, data + b * kSummedBlock + at, sizeof word);
      blocks[b].add(word);
    }
  }
  for (const Checksum& block : blocks) *sums++ = block.value();
}

}  // namespace

std::string checksum_of(const std::vector<Array>& arrays) {
  constexpr Index kBytes = kSideBySide * kSummedBlock;
  Checksum all;
  for (const Array& array : arrays) {
    std::vector<std::uint64_t> sums((array.bytes + kSummedBlock - 1) / kSummedBlock);
    parallel_blocks(static_cast<Index>(array.bytes), kBytes, [&](Index begin, Index end) {
      expect_pages(static_cast<const char*>(array.data) + end,
                   std::min<std::size_t>(kBytes, array.bytes - static_cast<std::size_t>(end)));
      sum_blocks(static_cast<const char*>(array.data) + begin,
                 static_cast<std::uint64_t>(end - begin),
                 sums.data() + static_cast<std::uint64_t>(begin) / kSummedBlock);
      release_pages(static_cast<const char*>(array.data) + begin,
                    static_cast<std::size_t>(end - begin));
    });
    all.add_all(sums);
  }
  return fmt::format("{:016x}", all.value());
}

std::string header_checksum(std::string_view header) {
  Checksum sum;
  sum.add_all(header.substr(0, kChecksumAt));
  sum.add_all(header.substr(kChecksumAt + kChecksumDigits));
  return fmt::format("{:016x}", sum.value());
}

json parse_metadata(std::string_view text) {
  constexpr int kDeepest = 8;  // deeply nested text costs much more memory than its own size
  std::array<std::set<std::string>, kDeepest + 2> names;
  return json::parse(text, [&](int depth, json::parse_event_t event, json& parsed) {
    if (depth > kDeepest) throw InputError("its metadata are nested too deep");
    const auto level = static_cast<std::size_t>(depth);
    if (event == json::parse_event_t::object_start) names[level + 1].clear();
    if (event == json::parse_event_t::key && !names[level].insert(parsed.get<std::string>()).second)
      throw InputError(fmt::format("its metadata name {} twice", parsed.dump()));
    return true;
  });
}

std::uint64_t count_of(const std::vector<std::uint64_t>& shape) {
  constexpr std::uint64_t kTooMany = ~std::uint64_t{0};
  std::uint64_t count = 1;
  for (const std::uint64_t extent : shape) {
    if (__builtin_mul_overflow(count, extent, &count)) return kTooMany;
  }
  return count;
}

std::uint64_t count_of(const json& value) {
  if (!value.is_number_unsigned()) throw InputError("a count in its metadata is no whole number");
  return value.get<std::uint64_t>();
}

std::vector<std::uint64_t> shape_of(const json& list) {
  if (!list.is_array()) throw InputError("a shape in its metadata is no list");
  std::vector<std::uint64_t> shape;
  for (const json& extent : list) shape.push_back(count_of(extent));
  return shape;
}

namespace {

std::string_view known_dtype(const std::string& name) {
  for (const std::string_view known : {"F64", "F32", "U64", "I64", "U32", "U8"}) {
    if (name == known) return known;
  }
  throw InputError(fmt::format("an array has the unknown type {}", in_quotes(name)));
}

/// `arrays`: the bytes of all of them.
Array array_from(const std::string& name, const json& entry, std::string_view arrays) {
  Array array;
  array.name = name;
  array.dtype = known_dtype(entry.at("dtype").get<std::string>());
  array.shape = shape_of(entry.at("shape"));
  const json& offsets = entry.at("data_offsets");
  if (offsets.size() != 2 || entry.size() != 3) {
    throw InputError(fmt::format("array {} is not described as it should", in_quotes(name)));
  }
  const std::uint64_t begin = count_of(offsets[0]), end = count_of(offsets[1]);
  if (begin > end || end > arrays.size()) {
    throw InputError(fmt::format("array {} lies outside the file", in_quotes(name)));
  }
  array.bytes = end - begin;
  const std::uint64_t element = element_bytes(array.dtype);
  if (array.bytes % element != 0 || count_of(array.shape) != array.bytes / element) {
    throw InputError(fmt::format("array {} has not the size of its shape", in_quotes(name)));
  }
  array.data = arrays.data() + begin;
  return array;
}

/// safetensors allows neither gaps nor overlaps: each array begins where the one before ends.
void expect_no_gaps(const std::vector<Array>& arrays, std::string_view all) {
  const char* next = all.data();
  for (const Array& array : arrays) {
    if (array.data != next) {
      throw InputError(
          fmt::format("there is a gap or an overlap before array {}", in_quotes(array.name)));
    }
    next += array.bytes;
  }
  if (next != all.data() + all.size()) throw InputError("there are bytes after its last array");
}

}  // namespace
}  // namespace container

using container::Array;

std::string_view container_kind(std::string_view start) {
  using namespace container;
  if (start.size() < kHeaderAt || !start.substr(kHeaderAt).starts_with(kHeaderStart)) return {};
  const std::size_t at = kHeaderAt + kChecksumAt + kChecksumDigits;
  if (start.size() < at || !start.substr(at).starts_with(kBeforeKind)) return {};
  const std::string_view kind = start.substr(at + kBeforeKind.size());
  return kind.substr(0, kind.find('"'));
}

Container::Container(std::string name, const ContainerFormat& format, json about,
                     std::vector<Array> arrays)
    : name_(std::move(name)),
      format_(format),
      about_(std::move(about)),
      arrays_(std::move(arrays)) {}

Container::Container(std::string name, const Buffer<char>& contents, const ContainerFormat& format)
    : name_(std::move(name)), format_(format) {
  using namespace container;
  if (contents.size() < kHeaderAt) refuse("it is cut off in its header");
  std::uint64_t length = 0;
  std::memcpy(&length, contents.data(), sizeof length);
  if (length > contents.size() - kHeaderAt) refuse("it is cut off in its header");
  const std::string_view header(contents.data() + kHeaderAt, length);
  const std::size_t digits_end = kChecksumAt + kChecksumDigits;
  if (header.size() < digits_end || !header.starts_with(kHeaderStart)) {
    refuse("its header is not one of ardent's");
  }
  if (header.substr(kChecksumAt, kChecksumDigits) != header_checksum(header)) {
    refuse("its header is damaged: the checksum does not fit");
  }
  try {
    read_header(header, contents);
  } catch (const json::exception& error) {
    refuse_malformed(error);
  } catch (const InputError& error) {
    const std::string_view message = error.what();
    if (message.starts_with(name_)) throw;
    refuse(message);
  }
}

void Container::read_header(std::string_view header, const Buffer<char>& contents) {
  const json all = container::parse_metadata(header);
  const json& metadata = all.at("__metadata__");
  read_metadata(metadata);
  const std::string_view bytes(header.data() + header.size(),
                               contents.size() - container::kHeaderAt - header.size());
  const auto owner = std::make_shared<const Buffer<char>>(contents);
  for (const auto& [name, entry] : all.items()) {
    if (name == "__metadata__") continue;
    arrays_.push_back(container::array_from(name, entry, bytes));
    arrays_.back().owner = owner;
  }
  std::ranges::sort(arrays_, {}, [](const Array& a) { return std::pair(a.data, a.bytes); });
  container::expect_no_gaps(arrays_, bytes);
  if (metadata.at("arrays_checksum") != container::checksum_of(arrays_)) {
    refuse("its arrays are damaged: the checksum does not fit");
  }
}

void Container::read_metadata(const json& metadata) {
  const auto kind = metadata.at("kind").get<std::string>();
  if (kind != format_.kind) {
    throw InputError(fmt::format("{}: this is no {} file but a {}", name_, format_.kind, kind));
  }
  const auto version = metadata.at("version").get<std::string>();
  const std::string own = std::to_string(format_.version);
  if (version != own) {
    const bool newer = std::pair(version.size(), version) > std::pair(own.size(), own);
    throw InputError(
        fmt::format("{}: this {} file has format version {}, and this program reads version {}{}",
                    name_, kind, version, own, newer ? ": use a newer ardent" : format_.remedy));
  }
  about_ = container::parse_metadata(metadata.at("about").get<std::string>());
}

bool Container::has(std::string_view name) const {
  return std::ranges::any_of(arrays_, [&](const Array& array) { return array.name == name; });
}

const Array& Container::find(std::string_view name, std::string_view dtype) const {
  for (const Array& array : arrays_) {
    if (array.name != name) continue;
    if (dtype.empty() || array.dtype == dtype) return array;
    refuse(fmt::format("array {} has type {} instead of {}", name, array.dtype, dtype));
  }
  refuse(fmt::format("array {} is missing", name));
}

const std::vector<std::uint64_t>& Container::shape(std::string_view name) const {
  return find(name, {}).shape;
}

std::vector<std::string> Container::strings(const std::string& name) const {
  const Buffer<char> text = array<char>(name + ".text");
  std::vector<std::string> result;
  std::uint64_t begin = 0;
  for (const std::uint64_t end : array<std::uint64_t>(name + ".ends")) {
    if (end < begin || end > text.size()) refuse(fmt::format("the texts {} overlap", name));
    result.emplace_back(text.data() + begin, end - begin);
    begin = end;
  }
  if (begin != text.size()) refuse(fmt::format("the texts {} end early", name));
  return result;
}

void Container::refuse_malformed(const json::exception& error) const {
  // What JSON's parser says may repeat all of the text.
  constexpr std::size_t kLongest = 160;
  refuse(fmt::format("its metadata are malformed ({})",
                     std::string_view(error.what()).substr(0, kLongest)));
}

void Container::refuse(std::string_view why) const {
  throw InputError(
      fmt::format("{}: cannot read this {} file: {}{}", name_, format_.kind, why, format_.remedy));
}

}  // namespace ardent
