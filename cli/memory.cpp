#include <fmt/format.h>

#include <filesystem>

#include "ardent/data/cache.h"
#include "command.h"
#include "terminal.h"

namespace ardent::cli {
namespace {

constexpr double kOfCache =
    1.6;  // what training holds for a byte of a cache: scaled values beside it
constexpr double kOfText = 2.6;  // the same for a byte of LIBSVM text
constexpr double kUsable = 0.8;  // of the memory that is free

/// What work on the file may hold in memory, about; 0 where that cannot be told.
double needed_bytes(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return 0;
  const auto size = static_cast<double>(std::filesystem::file_size(path, failed));
  return failed ? 0 : size * (path.ends_with(".cache") ? kOfCache : kOfText);
}

std::string folder_of_file(const std::string& path) {
  return std::filesystem::path(path).parent_path().string();
}

}  // namespace

void MemoryOption::add_to(CLI::App& command) {
  command
      .add_option("--memory", text,
                  "Memory for large arrays: 500M, 2G, 1.5T. What does not fit is left on disk, in "
                  "files without names in TMPDIR or beside the data, and results are the same "
                  "bits. auto: four fifths of what is free, where the data do not fit into that; "
                  "none: all in memory (linear maps of sparse data; docs/larger-than-memory.md)")
      ->type_name("auto|none|SIZE")
      ->capture_default_str();
}

MemoryLimit MemoryOption::limit_for(const std::string& path) const {
  if (text == "none") return {0, ""};
  const double needed = needed_bytes(path);
  const auto given =
      text == "auto" ? static_cast<std::size_t>(kUsable * static_cast<double>(available_memory()))
                     : parse_memory(text);
  if (needed <= static_cast<double>(given)) return {0, ""};
  warn(std::vector<std::string>{fmt::format(
      "{}: work on it may take {}, more than {} of memory: large arrays are left on disk", path,
      memory_text(static_cast<std::size_t>(needed)), memory_text(given))});
  return {given, folder_of_file(path)};
}

}  // namespace ardent::cli
