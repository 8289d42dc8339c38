// Every reader of ardent as a function of bytes that anybody may have written. What they may do is
// to return or to throw an InputError; the fuzzer (libfuzzer.cpp) and the replay of what it found
// (replay_test.cpp) share them.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "ardent/base/error.h"
#include "ardent/data/cache.h"
#include "ardent/data/csv.h"
#include "ardent/data/idx.h"
#include "ardent/data/labels_file.h"
#include "ardent/data/libsvm.h"
#include "ardent/data/npy.h"
#include "ardent/data/reader.h"
#include "ardent/estimators/grid_journal.h"
#include "ardent/estimators/grid_spec.h"
#include "ardent/estimators/train_options.h"
#include "ardent/imaging/catalogue.h"
#include "ardent/imaging/fits.h"
#include "ardent/imaging/locate_options.h"
#include "ardent/imaging/png.h"
#include "ardent/inference/doubly_sparse/checkpoint.h"
#include "ardent/model/model_file.h"
#include "ardent/model/predict.h"

namespace ardent::fuzz {

/// Something that must hold of what a reader returns; the fuzzer stops where it does not.
inline void must(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "it does not hold that %s\n", what);
  std::abort();
}

/// The bytes as a file, in memory where the system has such a place.
class ScratchFile {
 public:
  explicit ScratchFile(std::string_view bytes) {
    const char* folder = std::filesystem::exists("/dev/shm") ? "/dev/shm" : "/tmp";
    path_ = fmt::format("{}/ardent-fuzz-{}", folder, getpid());
    std::FILE* file = std::fopen(path_.c_str(), "wb");
    must(file != nullptr, "a scratch file can be written");
    std::fwrite(bytes.data(), 1, bytes.size(), file);
    std::fclose(file);
  }
  ~ScratchFile() { std::remove(path_.c_str()); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline void expect_finite(const Features& features, bool gaps) {
  const auto check = [&](double value) {
    must(std::isfinite(value) || (gaps && std::isnan(value)), "numbers are finite");
  };
  if (const auto* dense = std::get_if<DenseRows>(&features)) {
    for (const double value : dense->values.span()) check(value);
  } else {
    const auto& sparse = std::get<SparseRows>(features);
    for (const float value : sparse.values.span()) check(value);
    for (const std::uint32_t column : sparse.columns.span()) {
      must(static_cast<Index>(column) < sparse.cols, "columns are within the table");
    }
  }
}

inline void expect_sound_data(const Dataset& data) {
  must(data.labels.empty() || data.labels.size() == data.rows(), "every row has a label");
  must(data.feature_names.empty() || std::ssize(data.feature_names) == data.cols(),
       "every column has a name");
  expect_finite(data.features, data.has_gaps);
}

inline void read_libsvm(std::string_view bytes) {
  expect_sound_data(parse_libsvm(bytes_of(bytes, "fuzz")));
  // In small blocks, and as a large text is read.
  expect_sound_data(parse_libsvm(bytes_of(bytes, "fuzz"), {.block_bytes = 16, .double_bytes = 0}));
}

inline void read_csv(std::string_view bytes) {
  const Bytes text = bytes_of(bytes, "fuzz");
  try {
    expect_sound_data(parse_csv(text));
  } catch (const InputError&) {
    // As a table of words with gaps, it may be read.
  }
  expect_sound_data(
      parse_csv(text, {.labels_optional = true, .missing = "indicator", .find_words = true}));
}

inline void read_npy(std::string_view bytes) {
  const Bytes file = bytes_of(bytes, "fuzz");
  expect_finite(dense_rows(parse_npy(file), "fuzz"), false);
}

inline void read_idx(std::string_view bytes) {
  const Bytes file = bytes_of(bytes, "fuzz");
  expect_finite(dense_rows(parse_idx(file), "fuzz"), false);
}

inline void read_labels(std::string_view bytes) {
  parse_labels(bytes_of(bytes, "fuzz"));
}

/// Compressed or not, of any format.
inline void read_any(std::string_view bytes) {
  ReadOptions options;
  options.labels_optional = true;
  expect_sound_data(dataset_of(decoded(bytes, "fuzz"), "fuzz", options));
}

inline void read_cached(std::string_view bytes) {
  expect_sound_data(parse_cache(bytes_of(bytes, "fuzz")));
}

inline void read_model(std::string_view bytes) {
  const Model model = model_from_bytes(bytes);
  must(model_bytes(model_from_bytes(model_bytes(model))) == model_bytes(model),
       "a model that was read can be written and read again");
}

inline void read_checkpoint(std::string_view bytes) {
  const ScratchFile file(bytes);
  const doubly_sparse::KernelProblem problem{Matrix::Identity(4, 2), Matrix::Identity(3, 2),
                                             Vector::Unit(4, 1), Likelihood::bernoulli};
  doubly_sparse::Checkpoint(file.path(), 1, false).load(problem, {}, {.chains = 1});
}

inline void read_journal(std::string_view bytes) {
  const ScratchFile file(bytes);
  const GridJournal journal(file.path(), {"iris", R"({"folds":3})", 4, {"accuracy"}, 2});
  for (const auto& [point, scores] : journal.finished()) {
    must(point >= 0 && point < 4, "points are of the grid");
    must(scores.size() == 1 && scores[0].second.size() == 2, "points have their scores");
  }
}

inline void read_fits(std::string_view bytes) {
  const Image image = parse_fits(bytes, "fuzz", -1, Dimensions::either);
  must(std::ssize(image.pixels) == image.size(), "an image has its pixels");
}

inline void read_png(std::string_view bytes) {
  const Image image = parse_png(bytes, "fuzz");
  must(std::ssize(image.pixels) == image.size(), "an image has its pixels");
}

inline void read_source_list(std::string_view bytes) {
  const ScratchFile file(bytes);
  for (const Source& source : read_catalogue(file.path())) {
    must(std::isfinite(source.x) && std::isfinite(source.y), "places are finite");
  }
}

/// Lines NAME=VALUE, each an option of training or of locate, or an axis of a grid.
inline void read_option_values(std::string_view bytes) {
  TrainOptions training;
  LocateOptions locating;
  Schema schemas[] = {schema(training), schema(locating)};
  std::vector<std::string> axes;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    const std::string line(bytes.substr(begin, end - begin));
    begin = end + 1;
    axes.push_back(line);
    const std::size_t equals = std::min(line.find('='), line.size());
    const std::string name = line.substr(0, equals);
    const std::string value = line.substr(std::min(line.size(), equals + 1));
    for (Schema& each : schemas) {
      // Those name files.
      if (name == "psf" || name == "mask" || name.ends_with("-map") || !each.find(name)) continue;
      try {
        each.set(name, value);
        const std::string text = each.values().at(name);
        each.set(name, text);
        must(each.values().at(name) == text, "a value's text is read back to the same value");
      } catch (const InputError&) {
        // The next line may be sound.
      }
    }
  }
  const Grid grid(axes);
  must(grid.size() <= Grid::kMostPoints, "grids are small");
}

struct Reader {
  std::string_view name;
  void (*read)(std::string_view bytes);
  bool is_container = false;  // mutated with its checksums made right again
};

inline constexpr std::array kReaders{Reader{"libsvm", read_libsvm},
                                     Reader{"csv", read_csv},
                                     Reader{"npy", read_npy},
                                     Reader{"idx", read_idx},
                                     Reader{"labels", read_labels},
                                     Reader{"any", read_any},
                                     Reader{"cache", read_cached, true},
                                     Reader{"model", read_model, true},
                                     Reader{"checkpoint", read_checkpoint, true},
                                     Reader{"journal", read_journal},
                                     Reader{"fits", read_fits},
                                     Reader{"png", read_png},
                                     Reader{"catalogue", read_source_list},
                                     Reader{"options", read_option_values}};

inline const Reader* find_reader(std::string_view name) {
  for (const Reader& reader : kReaders) {
    if (reader.name == name) return &reader;
  }
  return nullptr;
}

/// Refused or read: whatever else is thrown is for the caller.
inline void try_reader(const Reader& reader, std::string_view bytes) {
  try {
    reader.read(bytes);
  } catch (const InputError&) {
    // A file that is refused with a reason is well treated.
  }
}

}  // namespace ardent::fuzz
