#include "ardent/data/public_dataset.h"

#include <fmt/format.h>

#include <cmath>

#include "ardent/base/error.h"
#include "ardent/base/given_options.h"
#include "ardent/data/reader.h"
#include "ardent/data/sound_rows.h"

namespace ardent {
namespace {

/// Rows without labels; what belongs to rows or columns has as many numbers as there are.
Dataset unlabelled(Features features, const v0::DatasetDetails& details) {
  const std::size_t row_count = rows(features), column_count = cols(features);
  if (!details.feature_names.empty() && details.feature_names.size() != column_count) {
    throw InputError(
        fmt::format("{} feature names for {} columns", details.feature_names.size(), column_count));
  }
  if (!details.weights.empty() && details.weights.size() != row_count) {
    throw InputError(fmt::format("{} weights for {} rows", details.weights.size(), row_count));
  }
  for (const double weight : details.weights) {
    require(weight >= 0 && weight <= kLargestWeight, "a row's weight", "in [0, 1e15]", weight);
  }
  return {.features = std::move(features),
          .labels = {},
          .weights = details.weights,
          .feature_names = details.feature_names,
          .source = "a matrix"};
}

Dataset labelled(Features features, Labels labels, const v0::DatasetDetails& details) {
  if (labels.size() != rows(features)) {
    throw InputError(fmt::format("{} labels for {} rows", labels.size(), rows(features)));
  }
  Dataset data = unlabelled(std::move(features), details);
  data.labels = std::move(labels);
  return data;
}

DenseRows finite_rows(const v0::Matrix& matrix) {
  require_finite(matrix, "features");
  return internal_rows(matrix);
}

/// A wrong index would be read from anywhere.
SparseRows checked_rows(const v0::SparseMatrix& given) {
  SparseRows sparse{given.rows,
                    given.cols,
                    Buffer<std::uint64_t>::copy_of(given.offsets),
                    Buffer<std::uint32_t>::copy_of(given.columns),
                    Buffer<float>::copy_of(given.values),
                    nullptr};
  const std::string fault = sparse_fault(sparse);
  if (!fault.empty()) throw InputError("sparse rows " + fault);
  return sparse;
}

}  // namespace

v0::Dataset published(Dataset data) {
  return v0::Dataset(std::make_shared<const v0::Dataset::Held>(std::move(data)));
}

DenseRows internal_rows(const v0::Matrix& matrix) {
  return {matrix.rows(), matrix.cols(), Buffer<double>::copy_of(matrix.values())};
}

v0::Matrix public_matrix(const Matrix& matrix) {
  v0::Matrix copy(matrix.rows(), matrix.cols());
  for (Index i = 0; i < copy.rows(); ++i) {
    for (Index j = 0; j < copy.cols(); ++j) copy(i, j) = matrix(i, j);
  }
  return copy;
}

void require_finite(const v0::Matrix& matrix, std::string_view what) {
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j < matrix.cols(); ++j) {
      if (std::isfinite(matrix(i, j))) continue;
      throw InputError(fmt::format("{} must be finite: row {}, column {} is {}", what, i + 1, j + 1,
                                   matrix(i, j)));
    }
  }
}

ReadOptions internal_options(const v0::ReadOptions& options) {
  ReadOptions read;
  Schema fields = schema(read);
  GivenOptions(fields)
      .set("format", options.format)
      .set("features", options.features)
      .set("label", options.label)
      .set("labels", options.labels)
      .set("no-header", options.no_header)
      .finish(options.more);
  return read;
}

namespace v0 {

Dataset::Dataset(const Matrix& features, const DatasetDetails& details)
    : Dataset(published(unlabelled(finite_rows(features), details))) {}

Dataset::Dataset(const Matrix& features, const std::vector<double>& labels,
                 const DatasetDetails& details)
    : Dataset(published(labelled(finite_rows(features), make_labels(labels), details))) {}

Dataset::Dataset(const Matrix& features, const std::vector<std::string>& labels,
                 const DatasetDetails& details)
    : Dataset(published(labelled(
          finite_rows(features),
          make_labels(std::vector<std::string_view>(labels.begin(), labels.end())), details))) {}

Dataset::Dataset(const SparseMatrix& features, const DatasetDetails& details)
    : Dataset(published(unlabelled(checked_rows(features), details))) {}

Dataset::Dataset(const SparseMatrix& features, const std::vector<double>& labels,
                 const DatasetDetails& details)
    : Dataset(published(labelled(checked_rows(features), make_labels(labels), details))) {}

Index Dataset::rows() const {
  return held_->data.rows();
}

Index Dataset::cols() const {
  return held_->data.cols();
}

Matrix Dataset::features() const {
  return public_matrix(dense_matrix(held_->data.features));
}

std::vector<std::string> Dataset::labels() const {
  const Labels& labels = held_->data.labels;
  std::vector<std::string> words;
  for (const std::uint32_t id : labels.ids) words.push_back(labels.names[id]);
  if (!labels.ids.empty()) return words;
  for (const double number : labels.numbers) words.push_back(fmt::format("{}", number));
  return words;
}

std::vector<double> Dataset::numeric_labels() const {
  return held_->data.labels.numbers;
}

std::vector<std::string> Dataset::feature_names() const {
  return held_->data.feature_names;
}

std::vector<std::string> Dataset::warnings() const {
  return held_->data.warnings;
}

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  return published(ardent::read_dataset(path, internal_options(options)));
}

}  // namespace v0
}  // namespace ardent
