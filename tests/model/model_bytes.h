// Model files in a folder of the test's own, and ways to tamper with their bytes.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "ardent/base/error.h"
#include "ardent/model/model_file.h"
#include "base/container_bytes.h"
#include "base/temporary_files.h"
#include "problems/models.h"

namespace ardent {

class ModelFile : public ::testing::Test {
 protected:
  std::string bytes_of(const Model& model) {
    save_model(model, path_);
    return contents_of_file(path_);
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

inline nlohmann::json about_of(const std::string& bytes) {
  return nlohmann::json::parse(
      header_json(bytes).at("__metadata__").at("about").get<std::string>());
}

/// What the file says about the model, replaced.
inline std::string with_about(const std::string& bytes, const nlohmann::json& about) {
  nlohmann::json header = header_json(bytes);
  header["__metadata__"]["about"] = about.dump();
  return with_header(bytes, header);
}

}  // namespace ardent
