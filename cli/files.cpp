#include "files.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <vector>

#include "ardent/base/error.h"
#include "ardent/data/labels_file.h"

namespace ardent::cli {
namespace {

struct NamedFile {
  std::string option;
  std::string path;
};

/// Types end so: FILE, or "none or an image file".
std::vector<NamedFile> files_of(const CLI::App& command, std::string_view type) {
  std::vector<NamedFile> files;
  for (const CLI::Option* option : command.get_options()) {
    if (!CLI::detail::to_lower(option->get_type_name()).ends_with(type)) continue;
    for (const std::string& path : option->results()) {
      if (!path.empty()) files.push_back({option->get_name(), path});
    }
  }
  return files;
}

/// Standard input may be a file, too.
std::string as_path(const std::string& path) {
  return path == "-" ? "/dev/stdin" : path;
}

/// Devices, pipes and terminals lose nothing by being written to.
bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code failed;
  if (!std::filesystem::equivalent(a, b, failed) || failed) return false;
  return std::filesystem::is_regular_file(a, failed);
}

/// Two outputs, which need not exist yet.
bool is_same_output(const std::string& a, const std::string& b) {
  std::error_code failed;
  const auto exists = std::filesystem::status(a, failed);
  if (std::filesystem::exists(exists)) return is_same_file(a, b);
  const auto place = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, failed), failed);
  };
  const auto first = place(a), second = place(b);
  return !failed && first == second;
}

}  // namespace

CLI::Option* add_input(CLI::App& command, const std::string& name, std::string& path,
                       const std::string& help) {
  return command.add_option(name, path, help)->type_name(std::string(kRead));
}

CLI::Option* add_output(CLI::App& command, const std::string& name, std::string& path,
                        const std::string& help) {
  return command.add_option(name, path, help)->type_name(std::string(kWritten));
}

void refuse_overwriting(const CLI::App& command) {
  std::vector<NamedFile> inputs = files_of(command, "file");
  const std::vector<NamedFile> outputs = files_of(command, "output");
  // The labels that a file of images brings with it are read, too.
  for (std::size_t i = 0, given = inputs.size(); i < given; ++i) {
    const std::string labels = sibling_labels(inputs[i].path);
    if (!labels.empty()) inputs.push_back({inputs[i].option, labels});
  }
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const NamedFile& output = outputs[o];
    if (output.path == "-") continue;
    for (const NamedFile& input : inputs) {
      if (!is_same_file(as_path(input.path), output.path)) continue;
      throw InputError(
          fmt::format("{} {} would replace {}, which is read ({}): write to another file",
                      output.option, output.path, input.path, input.option));
    }
    for (std::size_t other = 0; other < o; ++other) {
      if (outputs[other].path == "-" || !is_same_output(output.path, outputs[other].path)) continue;
      throw InputError(fmt::format("{} and {} name one file, {}: write to two",
                                   outputs[other].option, output.option, output.path));
    }
  }
}

}  // namespace ardent::cli
