#include "ardent/model/model_of_version_0_1.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>

#include "ardent/base/error.h"

namespace ardent {
namespace {

using container::Array;
using container::count_of;
using nlohmann::json;
using OldArrays = std::vector<Array>;

constexpr std::size_t kOldChecksumAt = 12, kOldLengthAt = 16, kOldJsonAt = 24;

template <class T>
T old_number_at(const Buffer<char>& contents, std::size_t at) {
  T value;
  std::memcpy(&value, contents.data() + at, sizeof value);
  return value;
}

std::string_view dtype_of_today(const std::string& type) {
  for (const auto& [before, now] : {std::pair<std::string_view, std::string_view>{"f64", "F64"},
                                    {"f32", "F32"},
                                    {"u64", "U64"},
                                    {"i64", "I64"},
                                    {"u32", "U32"},
                                    {"u8", "U8"}}) {
    if (type == before) return now;
  }
  throw InputError(fmt::format("an array has the unknown type {}", in_quotes(type)));
}

OldArrays old_arrays_of(const json& index, std::string_view bytes, const Buffer<char>& contents) {
  const auto owner = std::make_shared<const Buffer<char>>(contents);
  OldArrays arrays;
  for (const json& entry : index) {
    Array array;
    array.name = entry.at("name").get<std::string>();
    array.dtype = dtype_of_today(entry.at("type").get<std::string>());
    array.shape = container::shape_of(entry.at("shape"));
    array.bytes = count_of(entry.at("bytes"));
    const std::uint64_t offset = count_of(entry.at("offset"));
    const std::uint64_t element = container::element_bytes(array.dtype);
    if (offset > bytes.size() || array.bytes > bytes.size() - offset ||
        array.bytes % element != 0 || count_of(array.shape) != array.bytes / element) {
      throw InputError(fmt::format("array {} does not fit the file", in_quotes(array.name)));
    }
    array.owner = owner;
    array.data = bytes.data() + offset;
    arrays.push_back(std::move(array));
  }
  return arrays;
}

struct RenamedArray {
  std::string_view before, now;
};
constexpr RenamedArray kRenamedArrays[] = {{"inputs", "kept_columns"},
                                           {"feature_names.text", "kept_column_names.text"},
                                           {"feature_names.ends", "kept_column_names.ends"},
                                           {"parts.active", "weights.basis"},
                                           {"parts.mean", "weights.mean"},
                                           {"parts.alpha", "weights.precision"},
                                           {"parts.gamma", "weights.relevance"},
                                           {"parts.variance", "weights.variance"},
                                           {"parts.covariance", "weights.covariance"},
                                           {"parts.warnings.text", "warnings.text"},
                                           {"parts.warnings.ends", "warnings.ends"},
                                           {"parts.path.sizes", "path.sizes"},
                                           {"parts.path.active", "path.basis"},
                                           {"parts.path.mean", "path.mean"},
                                           {"parts.path.bias", "path.bias"},
                                           {"draws.inclusion", "inclusion"}};

/// Every k-th number, from number `first` on. All arrays that are taken apart hold 64-bit numbers.
template <class T>
std::vector<T> every(const Container& file, std::string_view name, std::size_t k,
                     std::size_t first) {
  const Buffer<T> values = file.array<T>(name);
  std::vector<T> taken;
  for (std::size_t i = first; i < values.size(); i += k) taken.push_back(values[i]);
  return taken;
}

template <class T>
void take_apart(const Container& file, std::string_view name,
                const std::vector<std::string>& columns, OldArrays& arrays) {
  if (!file.has(name)) return;
  if (file.array<T>(name).size() % columns.size() != 0) {
    file.refuse(fmt::format("array {} is cut off", name));
  }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    arrays.push_back(container::array_of(
        columns[c], Buffer<T>::copy_of(every<T>(file, name, columns.size(), c))));
  }
}

/// For each part the number of its draws, then of each draw its inputs and its centres.
void take_counts_apart(const Container& file, OldArrays& arrays) {
  if (!file.has("draws.counts")) return;
  const Buffer<std::int64_t> counts = file.array<std::int64_t>("draws.counts");
  std::vector<std::int64_t> per_part, inputs, centres;
  for (std::size_t at = 0; at < counts.size();) {
    per_part.push_back(counts[at++]);
    for (std::int64_t d = 0; d < per_part.back(); ++d, at += 2) {
      if (counts.size() - at < 2) file.refuse("array draws.counts is cut off");
      inputs.push_back(counts[at]);
      centres.push_back(counts[at + 1]);
    }
  }
  for (const auto& [name, values] :
       {std::pair{"draws.per_part", &per_part}, std::pair{"draws.input_counts", &inputs},
        std::pair{"draws.centre_counts", &centres}}) {
    arrays.push_back(container::array_of(name, Buffer<std::int64_t>::copy_of(*values)));
  }
}

/// Options that an array held are metadata now.
void move_coding(const Container& file, json& about) {
  if (!file.has("basis.coding")) return;
  const Buffer<double> numbers = file.array<double>("basis.coding");
  constexpr std::array kNames{"lambda",          "lambda_ratio", "noise_factor",
                              "outer_tolerance", "tolerance",    "sharpness"};
  if (numbers.size() != kNames.size()) file.refuse("its dictionary has not six coding options");
  for (std::size_t i = 0; i < kNames.size(); ++i) about.at("coding")[kNames[i]] = numbers[i];
}

Container with_names_of_today(const std::string& name, const ContainerFormat& format, json about,
                              OldArrays arrays) {
  const Container before(name, format, about, arrays);
  for (Array& array : arrays) {
    const auto renamed = std::ranges::find(kRenamedArrays, array.name, &RenamedArray::before);
    if (renamed != std::end(kRenamedArrays)) array.name = renamed->now;
  }
  take_apart<double>(before, "parts.bias_noise_evidence",
                     {"bias", "noise_variance", "log_evidence"}, arrays);
  take_apart<double>(before, "parts.stages.evidence_change",
                     {"stages.log_evidence", "stages.change"}, arrays);
  take_apart<std::int64_t>(before, "parts.stages.active_newton",
                           {"stages.active", "stages.newton_steps"}, arrays);
  take_apart<double>(before, "draws.scalars", {"draws.bias", "draws.delta", "draws.noise_variance"},
                     arrays);
  take_counts_apart(before, arrays);
  move_coding(before, about);
  return {name, format, std::move(about), std::move(arrays)};
}

}  // namespace

Container model_of_version_0_1(const std::string& name, const Buffer<char>& contents,
                               const ContainerFormat& format) {
  const Container nothing(name, format, {}, {});
  if (contents.size() < kOldJsonAt) nothing.refuse("it is cut off in its header");
  const auto length = old_number_at<std::uint64_t>(contents, kOldLengthAt);
  if (length > contents.size() - kOldJsonAt) nothing.refuse("it is cut off in its metadata");
  const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(contents.data()) + kOldLengthAt,
                           contents.size() - kOldLengthAt);
  if (old_number_at<std::uint32_t>(contents, kEarlierModelMagic.size()) != 1 ||
      old_number_at<std::uint32_t>(contents, kOldChecksumAt) != sum) {
    nothing.refuse("its checksum does not fit: it is damaged or cut off");
  }
  try {
    json all = container::parse_metadata({contents.data() + kOldJsonAt, length});
    constexpr std::uint64_t kAlignment = container::kAlignment;
    const std::uint64_t begin = (kOldJsonAt + length + kAlignment - 1) / kAlignment * kAlignment;
    if (begin > contents.size()) nothing.refuse("it is cut off in its metadata");
    const std::string_view bytes(contents.data() + begin, contents.size() - begin);
    return with_names_of_today(name, format, all.at("about"),
                               old_arrays_of(all.at("arrays"), bytes, contents));
  } catch (const json::exception& error) {
    nothing.refuse_malformed(error);
  } catch (const InputError& error) {
    const std::string_view message = error.what();
    if (message.starts_with(name)) throw;
    nothing.refuse(message);
  }
}

}  // namespace ardent
