// Runs the built command as a user would, in a folder of its own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "base/temporary_files.h"

namespace ardent::cli_test {

struct Outcome {
  int status = -1;
  std::string out;
  std::string err;

  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A test with a scratch folder that is removed afterwards.
class CommandTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return files_.path(name); }

  void write(const std::string& name, const std::string& text) const { files_.write(name, text); }

  /// Runs a shell line in the scratch folder, with the command first on the PATH.
  Outcome shell(const std::string& line) const {
    const char* other = std::getenv("ARDENT_COMMAND");
    const std::filesystem::path command = other ? other : ARDENT_COMMAND;
    const std::string command_folder = command.parent_path().string();
    const std::string full = "cd '" + files_.folder().string() + "' && export PATH='" +
                             command_folder + "':\"$PATH\" && { " + line + "\n} >'" + path(".out") +
                             "' 2>'" + path(".err") + "'";
    const int status = std::system(full.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, slurp(path(".out")), slurp(path(".err"))};
  }

  Outcome ardent(const std::string& arguments) const { return shell("ardent " + arguments); }

  /// A file of the project's data, quoted: the folder's name may have spaces.
  static std::string data(const std::string& name) {
    return "'" + std::string(ARDENT_SOURCE) + "/data/" + name + "'";
  }

 private:
  TemporaryFiles files_;
};

}  // namespace ardent::cli_test
