#include "ardent/data/labels_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include "ardent/base/error.h"
#include "ardent/data/data_format.h"
#include "ardent/data/idx.h"
#include "ardent/data/npy.h"
#include "ardent/data/number.h"

namespace ardent {
namespace {

Labels labels_of_array(const NumericArray& array, const std::string& name) {
  const DenseRows dense = dense_rows(array, name);
  if (dense.cols != 1) {
    throw InputError(fmt::format("{}: labels need one column, and this array has {} rows of {}",
                                 name, dense.rows, dense.cols));
  }
  return make_labels(std::vector<double>(dense.values.begin(), dense.values.end()));
}

Labels labels_of_lines(const Bytes& bytes) {
  std::string_view text = bytes.text();
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
  constexpr std::string_view kBlanks = " \t\r\n";
  text = text.substr(0, text.find_last_not_of(kBlanks) + 1);
  if (text.empty()) throw InputError(fmt::format("{}: no labels", bytes.name));
  std::vector<std::string_view> labels;
  while (true) {
    const std::size_t newline = text.find('\n');
    std::string_view line = text.substr(0, newline);
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    line = line.substr(0, line.find_last_not_of(kBlanks) + 1);
    if (line.empty()) fail_at(bytes, text.data(), "this line holds no label");
    if (is_not_finite(line)) {
      fail_at(bytes, line.data(), fmt::format("label {} is not finite", in_quotes(line)));
    }
    labels.push_back(line);
    if (newline == text.npos) break;
    text.remove_prefix(newline + 1);
  }
  return make_labels(labels);
}

}  // namespace

Labels parse_labels(const Bytes& bytes) {
  if (is_npy(bytes.text())) return labels_of_array(parse_npy(bytes), bytes.name);
  if (is_idx(bytes.text())) return labels_of_array(parse_idx(bytes), bytes.name);
  refuse_foreign(bytes);
  return labels_of_lines(bytes);
}

std::string sibling_labels(const std::string& images_path) {
  constexpr std::string_view kImages = "images-idx3";
  const std::filesystem::path path(images_path);
  std::string name = path.filename().string();
  const std::size_t at = name.find(kImages);
  if (at == name.npos) return "";
  name.replace(at, kImages.size(), "labels-idx1");
  // The one may be compressed and the other not.
  constexpr std::string_view kGzip = ".gz";
  const std::string plain =
      name.ends_with(kGzip) ? name.substr(0, name.size() - kGzip.size()) : name;
  for (const std::string& candidate : {name, plain, plain + std::string(kGzip)}) {
    const auto labels = path.parent_path() / candidate;
    std::error_code ignored;
    if (std::filesystem::is_regular_file(labels, ignored)) return labels.string();
  }
  return "";
}

}  // namespace ardent
