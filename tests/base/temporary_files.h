// Files that a test makes, in a folder of its own that goes away with it, and those it only reads.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "ardent/base/error.h"

namespace ardent {

class TemporaryFiles {
 public:
  TemporaryFiles() {
    std::string name = (std::filesystem::temp_directory_path() / "ardent-test-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    folder_ = name;
  }
  ~TemporaryFiles() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  TemporaryFiles(const TemporaryFiles&) = delete;
  TemporaryFiles& operator=(const TemporaryFiles&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string write(const std::string& name, std::string_view contents) const {
    std::FILE* file = std::fopen(path(name).c_str(), "wb");
    if (!file) throw std::runtime_error("cannot write " + path(name));
    std::fwrite(contents.data(), 1, contents.size(), file);
    std::fclose(file);
    return path(name);
  }

 private:
  std::filesystem::path folder_;
};

/// The message of the InputError that `call` must throw.
inline std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no InputError was thrown";
  return "";
}

/// The folder of real data sets, or "" where it is not available.
inline std::string real_data() {
  const char* named = std::getenv("ARDENT_DATA");
  for (const std::string& folder :
       {std::string(named ? named : ""), std::string(ARDENT_TEST_DATA "/../../shared/data")}) {
    if (!folder.empty() && std::filesystem::is_directory(folder)) return folder;
  }
  return "";
}

}  // namespace ardent
