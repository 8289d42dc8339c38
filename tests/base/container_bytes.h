// Ways to tamper with the bytes of a container and to make its checksums right again, as someone
// with bad intent would.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "ardent/base/checksum.h"

namespace ardent {

inline std::string contents_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::size_t arrays_begin(const std::string& bytes) {
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  return 8 + length;
}

inline std::string header_text(const std::string& bytes) {
  return bytes.substr(8, arrays_begin(bytes) - 8);
}

inline nlohmann::json header_json(const std::string& bytes) {
  return nlohmann::json::parse(header_text(bytes));
}

/// The text in the place of the header, with the checksum that it ought to have.
inline std::string with_header_text(const std::string& bytes, std::string text) {
  constexpr std::size_t kDigitsAt = 29, kDigitsEnd = 45;
  while (text.size() % 64 != 56) text += ' ';
  if (text.size() > kDigitsEnd) {
    Checksum sum;
    sum.add(text.data(), kDigitsAt);
    sum.add(text.data() + kDigitsEnd, text.size() - kDigitsEnd);
    text.replace(kDigitsAt, kDigitsEnd - kDigitsAt, fmt::format("{:016x}", sum.value()));
  }
  const std::uint64_t length = text.size();
  std::string result(8, '\0');
  std::memcpy(result.data(), &length, sizeof length);
  return result + text + bytes.substr(arrays_begin(bytes));
}

inline std::string with_header(const std::string& bytes, const nlohmann::json& header) {
  // The checksum comes first, then the kind.
  nlohmann::ordered_json metadata;
  const nlohmann::json& given = header["__metadata__"];
  for (const char* name : {"checksum", "kind"}) metadata[name] = given.at(name);
  for (const auto& [name, value] : given.items()) metadata[name] = value;
  nlohmann::ordered_json all;
  all["__metadata__"] = metadata;
  for (const auto& [name, value] : header.items()) {
    if (name != "__metadata__") all[name] = value;
  }
  return with_header_text(bytes, all.dump());
}

/// With the checksums that the arrays, and then the header, ought to have; where the header is no
/// JSON any more, with the header's alone.
inline std::string with_checksums(const std::string& bytes) {
  if (bytes.size() < 8 || arrays_begin(bytes) > bytes.size() || arrays_begin(bytes) < 8) {
    return bytes;
  }
  try {
    nlohmann::json header = header_json(bytes);
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (const auto& [name, entry] : header.items()) {
      if (name == "__metadata__") continue;
      places.emplace_back(entry.at("data_offsets").at(0), entry.at("data_offsets").at(1));
    }
    std::sort(places.begin(), places.end());
    Checksum all;
    for (const auto& [begin, end] : places) {
      std::vector<std::uint64_t> sums;
      for (std::size_t at = begin; at < end; at += std::size_t{1} << 18) {
        Checksum block;
        const std::string part =
            bytes.substr(arrays_begin(bytes)).substr(at, std::min(end - at, std::size_t{1} << 18));
        block.add_all(part);
        sums.push_back(block.value());
      }
      all.add_all(sums);
    }
    header.at("__metadata__")["arrays_checksum"] = fmt::format("{:016x}", all.value());
    return with_header(bytes, header);
  } catch (const std::exception&) {
    return with_header_text(bytes, header_text(bytes));
  }
}

/// Overwrites number `index` of an array.
template <class T>
std::string with_number(std::string bytes, const std::string& array, std::size_t index, T value) {
  const auto begin = header_json(bytes).at(array).at("data_offsets").at(0).get<std::size_t>();
  std::memcpy(bytes.data() + arrays_begin(bytes) + begin + index * sizeof(T), &value, sizeof value);
  return with_checksums(bytes);
}

}  // namespace ardent
