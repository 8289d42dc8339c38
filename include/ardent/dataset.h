// Rows of features, with labels where there are any: of matrices, or of a file.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ardent/matrix.h"
#include "ardent/options.h"

namespace ardent::ARDENT_V0 {

/// What there may be beside features and labels.
struct DatasetDetails {
  std::vector<std::string> feature_names = {};  // empty, or one per column
  std::vector<double> weights = {};  // empty, or one per row: how often it counts in training
};

/// Copying shares the data, which do not change. What is not finite, or has another size than the
/// rest, is an InputError.
class Dataset {
 public:
  /// One row per row of `features`, without labels: rows to be predicted.
  explicit Dataset(const Matrix& features, const DatasetDetails& details = {});
  /// Labels that are numbers: classes or a regression's target.
  Dataset(const Matrix& features, const std::vector<double>& labels,
          const DatasetDetails& details = {});
  /// Labels that are words: classes.
  Dataset(const Matrix& features, const std::vector<std::string>& labels,
          const DatasetDetails& details = {});
  template <VectorLike V>
  Dataset(const Matrix& features, const V& labels, const DatasetDetails& details = {})
      : Dataset(features, numbers_of(labels), details) {}

  /// Sparse rows, kept sparse, their values in float32.
  explicit Dataset(const SparseMatrix& features, const DatasetDetails& details = {});
  Dataset(const SparseMatrix& features, const std::vector<double>& labels,
          const DatasetDetails& details = {});
  template <SparseLike M>
  explicit Dataset(const M& features, const DatasetDetails& details = {})
      : Dataset(sparse_of(features), details) {}
  template <SparseLike M, VectorLike V>
  Dataset(const M& features, const V& labels, const DatasetDetails& details = {})
      : Dataset(sparse_of(features), numbers_of(labels), details) {}

  Index rows() const;
  Index cols() const;
  /// Dense, whatever they are kept as.
  Matrix features() const;
  /// As they were given; empty where there are none.
  std::vector<std::string> labels() const;
  /// Those as numbers; empty where some are words.
  std::vector<double> numeric_labels() const;
  std::vector<std::string> feature_names() const;
  std::vector<std::string> warnings() const;  // what the reader of a file has to say

  struct Held;  // the library's own
  explicit Dataset(std::shared_ptr<const Held> held) : held_(std::move(held)) {}
  const Held& held() const { return *held_; }

 private:
  std::shared_ptr<const Held> held_;
};

/// See options.h.
struct ReadOptions {
  std::optional<std::string> format = {};  // by content
  std::optional<Index> features = {};      // LIBSVM: columns, where the last ones may be empty
  std::optional<std::string> label = {};   // CSV: the label column
  std::optional<std::string> labels = {};  // NPY, IDX: file of labels
  std::optional<bool> no_header = {};      // CSV
  OptionTexts more = {};
};

/// LIBSVM, CSV, NPY, IDX or cache, plain or compressed; "-": standard input.
Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

}  // namespace ardent::ARDENT_V0
