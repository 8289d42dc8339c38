// Squared distances come from products, ‖x‖² + ‖z‖² − 2xᵀz, which lose digits to cancellation where
// the distance is small against the norms: such pairs are computed again from the differences, so
// that a row is at distance exactly 0 from itself. With that the error of a Gaussian kernel is a
// few 1e-14 at any width.
#include "ardent/design/squared_distances.h"

#include <fmt/format.h>

#include <limits>

#include "ardent/base/error.h"
#include "ardent/base/index_range.h"
#include "ardent/design/lazy.h"

namespace ardent {
namespace {

// Below this fraction of ‖x‖² + ‖z‖² a squared distance is computed again. The worst error of phi
// over σ is then about eps / (e · fraction).
constexpr double kNearFraction = 1e-2;

double bytes_of_points(const RowSource& distances, Index inputs) {
  return 8.0 * static_cast<double>(inputs) *
         (static_cast<double>(distances.rows()) + static_cast<double>(distances.cols()));
}

/// Squared distances from products: d_k = norm + norms_k − 2 products_k, near ones by direct(k).
/// The negated comparison also sends NaN (norms that overflow) to direct().
template <class Direct>
void distances_from_products(double norm, const Vector& norms, double* products,
                             const Direct& direct) {
  for (Index k = 0; k < norms.size(); ++k) {
    const double sum = norm + norms[k];
    products[k] = sum - 2 * products[k];
    if (!(products[k] > kNearFraction * sum)) products[k] = direct(k);
  }
}

/// Dense centres: the products of a block are one matrix product. Everything is centred at the mean
/// of the centres, which makes the norms, and with them the loss of digits, small.
class DenseCentreRows : public RowSource {
 public:
  DenseCentreRows(Features features, const DenseRows& centres)
      : RowSource(ardent::rows(features), centres.rows),
        features_(std::move(features)),
        origin_(Vector::Zero(centres.cols)),
        centres_(Eigen::Map<const Matrix>(centres.values.data(), centres.cols, centres.rows)) {
    if (centres.rows > 0) origin_ = centres_.rowwise().mean();
    centres_.colwise() -= origin_;
    norms_ = centres_.colwise().squaredNorm().transpose();
  }

  DenseCentreRows(const DenseCentreRows& from, std::span<const Index> which)
      : RowSource(from.rows(), std::ssize(which)),
        features_(from.features_),
        origin_(from.origin_),
        centres_(from.centres_.rows(), cols()),
        norms_(cols()) {
    for (Index k = 0; k < cols(); ++k) {
      centres_.col(k) = from.centres_.col(which[k]);
      norms_[k] = from.norms_[which[k]];
    }
  }

  void fill(Index begin, Index end, Eigen::Ref<Matrix> block) const override {
    const Matrix x = centred_rows(begin, end);
    block.noalias() = centres_.transpose() * x;
    for (Index i = 0; i < block.cols(); ++i) {
      distances_from_products(x.col(i).squaredNorm(), norms_, block.col(i).data(),
                              [&](Index k) { return (x.col(i) - centres_.col(k)).squaredNorm(); });
    }
  }

  std::shared_ptr<const RowSource> select(std::span<const Index> which) const override {
    return std::make_shared<DenseCentreRows>(*this, which);
  }

  std::optional<SourcePoints> points(double most_bytes) const override {
    if (bytes_of_points(*this, centres_.rows()) > most_bytes) return std::nullopt;
    return SourcePoints{centred_rows(0, rows()), centres_};
  }

 private:
  /// Rows [begin, end) minus the origin, as columns.
  Matrix centred_rows(Index begin, Index end) const {
    if (const auto* dense = std::get_if<DenseRows>(&features_)) {
      return Eigen::Map<const Matrix>(dense->values.data() + begin * dense->cols, dense->cols,
                                      end - begin)
                 .colwise() -
             origin_;
    }
    const auto& sparse = std::get<SparseRows>(features_);
    Matrix x = (-origin_).replicate(1, end - begin);
    for (Index i = begin; i < end; ++i) {
      const std::uint64_t last = sparse.offsets[i + 1];
      for (std::uint64_t e = sparse.offsets[i]; e < last; ++e) {
        // Not x += value: the same subtraction as for the centres, so that equal rows stay equal.
        const auto j = static_cast<Index>(sparse.columns[e]);
        x(j, i - begin) = static_cast<double>(sparse.values[e]) - origin_[j];
      }
    }
    return x;
  }

  Features features_;
  Vector origin_;
  Matrix centres_;  // P×M, centred
  Vector norms_;    // ‖z_k‖², centred
};

/// The non-zero entries of one row.
struct RowEntries {
  std::vector<std::uint32_t> columns;
  std::vector<double> values;

  void read(const Features& features, Index i) {
    columns.clear();
    values.clear();
    if (const auto* sparse = std::get_if<SparseRows>(&features)) {
      const std::uint64_t first = sparse->offsets[i];
      const std::uint64_t last = sparse->offsets[i + 1];
      columns.assign(sparse->columns.begin() + first, sparse->columns.begin() + last);
      values.assign(sparse->values.begin() + first, sparse->values.begin() + last);
      return;
    }
    const auto row = std::get<DenseRows>(features).row(i);
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j] == 0) continue;
      columns.push_back(static_cast<std::uint32_t>(j));
      values.push_back(row[j]);
    }
  }
};

/// Sparse centres: each entry of a row meets only the centres that hold its column.
class SparseCentreRows : public RowSource {
 public:
  SparseCentreRows(Features features, SparseRows centres)
      : RowSource(ardent::rows(features), centres.rows),
        features_(std::move(features)),
        centres_(std::move(centres)),
        by_column_(transposed(centres_)),
        norms_(Vector::Zero(centres_.rows)) {
    for (Index k = 0; k < centres_.rows; ++k) {
      for (std::uint64_t e = start(k); e < start(k + 1); ++e) {
        norms_[k] += static_cast<double>(centres_.values[e]) * centres_.values[e];
      }
    }
  }

  void fill(Index begin, Index end, Eigen::Ref<Matrix> block) const override {
    RowEntries row;
    for (Index i = begin; i < end; ++i) {
      row.read(features_, i);
      double* products = block.col(i - begin).data();
      const double norm = multiply(row, products);
      distances_from_products(norm, norms_, products, [&](Index k) { return distance(row, k); });
    }
  }

  std::shared_ptr<const RowSource> select(std::span<const Index> which) const override {
    return std::make_shared<SparseCentreRows>(features_,
                                              std::get<SparseRows>(select_rows(centres_, which)));
  }

  std::optional<SourcePoints> points(double most_bytes) const override {
    if (bytes_of_points(*this, centres_.cols) > most_bytes) return std::nullopt;
    return SourcePoints{dense_matrix(features_).transpose(), dense_matrix(centres_).transpose()};
  }

 private:
  std::uint64_t start(Index k) const { return centres_.offsets[k]; }

  /// products_k = xᵀz_k; returns ‖x‖².
  double multiply(const RowEntries& row, double* products) const {
    std::fill(products, products + centres_.rows, 0.0);
    double norm = 0;
    for (std::size_t j = 0; j < row.columns.size(); ++j) {
      const double value = row.values[j];
      norm += value * value;
      const std::uint64_t last = by_column_.offsets[row.columns[j] + std::size_t{1}];
      for (std::uint64_t e = by_column_.offsets[row.columns[j]]; e < last; ++e) {
        products[by_column_.columns[e]] += value * by_column_.values[e];
      }
    }
    return norm;
  }

  /// ‖x − z_k‖² by merging the two lists of entries.
  double distance(const RowEntries& row, Index k) const {
    double sum = 0;
    std::size_t j = 0;
    std::uint64_t e = start(k);
    const std::uint64_t last = start(k + 1);
    while (j < row.columns.size() || e < last) {
      const bool from_row =
          e == last || (j < row.columns.size() && row.columns[j] <= centres_.columns[e]);
      const bool from_centre =
          j == row.columns.size() || (e < last && centres_.columns[e] <= row.columns[j]);
      double difference = 0;
      if (from_row) difference += row.values[j++];
      if (from_centre) difference -= centres_.values[e++];
      sum += difference * difference;
    }
    return sum;
  }

  Features features_;
  SparseRows centres_;
  SparseRows by_column_;
  Vector norms_;
};

/// Distances in memory, N×M.
class HeldRows : public RowSource {
 public:
  explicit HeldRows(Matrix values)
      : RowSource(values.rows(), values.cols()), values_(std::move(values)) {}

  void fill(Index begin, Index end, Eigen::Ref<Matrix> block) const override {
    block = values_.middleRows(begin, end - begin).transpose();
  }

  std::shared_ptr<const RowSource> select(std::span<const Index> which) const override {
    Matrix selected(rows(), std::ssize(which));
    for (Index k = 0; k < selected.cols(); ++k) {
      selected.col(k) = values_.col(which[k]);
    }
    return std::make_shared<HeldRows>(std::move(selected));
  }

 private:
  Matrix values_;
};

}  // namespace

std::shared_ptr<const RowSource> squared_distances(const Features& features,
                                                   const Features& centres) {
  if (cols(features) != cols(centres)) {
    throw InputError(
        fmt::format("the rows are {} × {} but the centres are {} × {}: both need the same columns",
                    rows(features), cols(features), rows(centres), cols(centres)));
  }
  if (const auto* sparse = std::get_if<SparseRows>(&centres)) {
    return std::make_shared<SparseCentreRows>(features, *sparse);
  }
  return std::make_shared<DenseCentreRows>(features, std::get<DenseRows>(centres));
}

std::shared_ptr<const RowSource> held_in_memory(std::shared_ptr<const RowSource> distances) {
  const std::vector<Index> all = index_range(0, distances->cols());
  // A design asks for the blocks of rows that a kernel's design asks for, and a product's last bits
  // depend on the block it is part of.
  const auto design = make_design(std::move(distances), std::numeric_limits<std::size_t>::max());
  return std::make_shared<HeldRows>(design->columns(all));
}

}  // namespace ardent
