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

  /// What a model predicts, as `predict --json --proba` prints it, flat.
  nlohmann::json predictions(const std::string& model, const std::string& rows) const {
    const Outcome printed = ardent("predict " + model + " " + rows + " --json --proba");
    EXPECT_EQ(printed.status, 0) << printed.err;
    return nlohmann::json::parse(printed.out).flatten();
  }

  /// Two models predict the same but for rounding.
  void expect_same_predictions(const std::string& found_model, const std::string& wanted_model,
                               const std::string& rows) const {
    const nlohmann::json wanted = predictions(wanted_model, rows);
    const nlohmann::json found = predictions(found_model, rows);
    ASSERT_EQ(found.size(), wanted.size());
    int numbers = 0;
    for (const auto& [name, value] : wanted.items()) {
      if (!value.is_number_float()) continue;
      EXPECT_NEAR(found.at(name).get<double>(), value.get<double>(), 1e-6) << name;
      ++numbers;
    }
    EXPECT_GT(numbers, 10);
  }

  /// A file of the project's data, quoted: the folder's name may have spaces.
  static std::string data(const std::string& name) {
    return "'" + std::string(ARDENT_SOURCE) + "/data/" + name + "'";
  }

 private:
  TemporaryFiles files_;
};

}  // namespace ardent::cli_test
