// Model files in a folder of the test's own, and ways to tamper with their bytes.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "ardent/base/error.h"
#include "ardent/model/model_file.h"
#include "base/temporary_files.h"
#include "problems/models.h"

namespace ardent {

inline constexpr std::size_t kJsonAt = 24;

class ModelFile : public ::testing::Test {
 protected:
  std::string bytes_of(const Model& model) {
    save_model(model, path_);
    return read();
  }
  std::string read() {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// Over the file that is there: emptying a file first makes some file systems wait for the disk,
  /// and this is called many thousand times.
  void write(std::string_view bytes) {
    std::ofstream(path_, std::ios::binary | std::ios::app).close();
    std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    std::filesystem::resize_file(path_, bytes.size());
  }
  /// What loading these bytes is refused with; empty if they load.
  std::string refusal(std::string_view bytes) {
    write(bytes);
    try {
      load_model(path_);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFiles files_;
  std::string path_ = files_.path("a.model");
};

inline std::vector<problems::ModelKind> all_kinds() {
  return {{.map = "linear"},
          {.map = "linear", .classes = 0, .covariance = false, .bias = false},
          {.map = "rbf", .classes = 3},
          {.map = "rbf", .classes = 4, .pairs = true, .sparse_centres = true},
          {.map = "rbf", .classes = 0, .sparse_centres = true},
          {.map = "elm", .classes = 3, .covariance = false},
          {.map = "elm", .classes = 0}};
}

/// Gives the bytes the checksum that they ought to have.
inline std::string with_checksum(std::string bytes) {
  const auto sum = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()) + 16, bytes.size() - 16));
  std::memcpy(bytes.data() + 12, &sum, sizeof sum);
  return bytes;
}

/// Replaces the JSON text; the arrays stay where it says they are.
inline std::string with_json(const std::string& bytes, std::string text) {
  std::uint64_t old_length = 0;
  std::memcpy(&old_length, bytes.data() + 16, sizeof old_length);
  while ((kJsonAt + text.size()) % 64 != 0) text += ' ';
  const std::uint64_t length = text.size();
  std::string result = bytes.substr(0, kJsonAt) + text + bytes.substr(kJsonAt + old_length);
  std::memcpy(result.data() + 16, &length, sizeof length);
  return with_checksum(result);
}

inline nlohmann::json json_of(const std::string& bytes) {
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data() + 16, sizeof length);
  return nlohmann::json::parse(bytes.substr(kJsonAt, length));
}

inline nlohmann::json& entry(nlohmann::json& all, const std::string& name) {
  for (nlohmann::json& array : all["arrays"]) {
    if (array["name"] == name) return array;
  }
  throw std::out_of_range(name);
}

/// Overwrites number `index` of an array.
template <class T>
std::string with_number(std::string bytes, const std::string& array, std::size_t index, T value) {
  nlohmann::json all = json_of(bytes);
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data() + 16, sizeof length);
  const std::size_t begin = (kJsonAt + length + 63) / 64 * 64;
  const auto offset = entry(all, array)["offset"].get<std::size_t>();
  std::memcpy(bytes.data() + begin + offset + index * sizeof(T), &value, sizeof value);
  return with_checksum(bytes);
}

}  // namespace ardent
