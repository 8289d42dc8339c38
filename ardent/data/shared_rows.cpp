#include "ardent/data/shared_rows.h"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "ardent/base/error.h"
#include "ardent/base/index_range.h"
#include "ardent/data/cache.h"
#include "ardent/data/data_format.h"
#include "ardent/data/libsvm.h"
#include "ardent/data/shared_labels.h"

namespace ardent {
namespace {

[[noreturn]] void refuse(const std::string& path, std::string_view why) {
  throw InputError(fmt::format(
      "{}: {}; several processes read shares of plain LIBSVM text, of one part-*.libsvm file each, "
      "or of a cache that ardent convert wrote",
      path, why));
}

/// The files that the pattern names, in alphabetical order.
std::vector<std::string> files_of(const std::string& pattern) {
  glob_t found{};
  std::vector<std::string> files;
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  }
  globfree(&found);
  return files;
}

/// This process's file, and the part of it that is its share.
struct Source {
  std::string path;
  Index part = 0, parts = 1;
};

Source source_of(const std::string& path, const RowShare& share) {
  if (path == "-") refuse(path, "standard input has no shares");
  if (path.find('*') == path.npos) return {path, share.place(), share.shares()};
  const std::vector<std::string> files = files_of(path);
  if (std::ssize(files) != share.shares()) {
    throw InputError(fmt::format("{} names {} files, and there are {} processes: one file for each",
                                 path, files.size(), share.shares()));
  }
  return {files[static_cast<std::size_t>(share.place())]};
}

Index nonzeros(const Features& features) {
  if (const auto* sparse = std::get_if<SparseRows>(&features)) return sparse->nonzeros();
  const auto values = std::get<DenseRows>(features).values.span();
  return std::ssize(values) - std::ranges::count(values, 0.0);
}

/// All shares together, of which each reads what it would by itself.
struct WholeText {
  double bytes = 0, rows = 0, entries = 0;
  Index cols = 0;

  /// As parse_libsvm decides it of one text.
  bool dense(const LibsvmOptions& options) const {
    const double all = rows * static_cast<double>(cols);
    return entries >= all / 4 && (bytes <= static_cast<double>(options.double_bytes) ||
                                  all * sizeof(double) <= static_cast<double>(options.dense_bytes));
  }
};

WholeText whole_of(const Dataset& own, std::size_t bytes, const RowShare& share) {
  std::array<double, 3> sums{static_cast<double>(bytes), static_cast<double>(own.rows()),
                             static_cast<double>(nonzeros(own.features))};
  share.sum(sums);
  return {sums[0], sums[1], sums[2],
          static_cast<Index>(max_over(&share, static_cast<double>(own.cols())))};
}

/// What all processes' readers have to say.
std::vector<std::string> all_warnings(const std::vector<std::string>& own, const RowShare& share) {
  std::vector<std::string> all;
  for (const std::string& part : share.gather(fmt::format("{}", fmt::join(own, "\n")))) {
    if (!part.empty()) all.push_back(part);
  }
  return all;
}

Dataset share_of_text(const Bytes& bytes, const Source& source, const ReadOptions& options,
                      const RowShare& share) {
  LibsvmOptions own{.features = options.features,
                    .least_features = options.model_features,
                    .part = source.part,
                    .parts = source.parts};
  Dataset data = parse_libsvm(bytes, own);
  const std::size_t part_bytes =
      bytes.contents.size() / static_cast<std::size_t>(source.parts);  // about
  const WholeText whole = whole_of(data, part_bytes, share);
  const bool dense = whole.dense(own);
  if (dense == is_sparse(data.features)) {
    own.form = dense ? LibsvmForm::dense : LibsvmForm::sparse;
    data = parse_libsvm(bytes, own);
  }
  data.features = widened(data.features, whole.cols);
  data.labels = joint_labels(std::move(data.labels), share, source.path);
  data.warnings = all_warnings(data.warnings, share);
  return data;
}

/// The rows from `begin` to `end`, with all the names of the labels.
Dataset rows_between(const Dataset& all, Index begin, Index end) {
  Dataset own = all;
  const std::vector<Index> which = index_range(begin, end);
  own.features = select_rows(all.features, which);
  const auto cut = [&](auto& values) {
    if (!values.empty()) values = {values.begin() + begin, values.begin() + end};
  };
  cut(own.labels.numbers);
  cut(own.labels.ids);
  return own;
}

Dataset share_of_cache(const Bytes& bytes, const Source& source, const ReadOptions& options) {
  if (source.parts == 1) refuse(source.path, "a cache is one file for all processes");
  const Dataset all = parse_cache(bytes);
  const Index rows = all.rows();
  Dataset own =
      rows_between(all, rows * source.part / source.parts, rows * (source.part + 1) / source.parts);
  if (options.features > 0 && options.features != own.cols()) {
    refuse(source.path, "its columns are those that it has: leave --features away");
  }
  return own;
}

}  // namespace

Dataset read_share(const std::string& path, const ReadOptions& options, SharePointer share) {
  if (!options.weights.empty()) refuse(path, "row weights are not read in shares");
  const Source source = source_of(path, *share);
  const Bytes bytes = load_bytes(source.path, LoadRule::as_stored);
  const DataFormat& format =
      options.format == "auto" ? detect_format(bytes, source.path) : parse_format(options.format);
  Dataset data;
  if (format.name == "libsvm") {
    data = share_of_text(bytes, source, options, *share);
  } else if (format.name == "cache") {
    data = share_of_cache(bytes, source, options);
  } else {
    refuse(source.path, fmt::format("its format, {}, has no shares", format.name));
  }
  data.source = path;
  if (data.rows() == 0) {
    throw InputError(fmt::format("{}: process {} of {} would have no rows: start fewer", path,
                                 share->place() + 1, share->shares()));
  }
  data.share = std::move(share);
  return data;
}

}  // namespace ardent
