#include "ardent/inference/doubly_sparse/feature_swaps.h"

#include <algorithm>

#include "ardent/base/elementary.h"

namespace ardent::doubly_sparse {
namespace {

constexpr Index kSimilarityRows = 500, kMostSimilarFeatures = 1000;
constexpr double kLeastSimilarity = 0.02;

}  // namespace

Matrix feature_similarity(const Matrix& rows) {
  const Index d = rows.cols(), n = std::min(kSimilarityRows, rows.rows());
  if (d > kMostSimilarFeatures) return {};
  Matrix x(n, d);
  for (Index i = 0; i < n; ++i) x.row(i) = rows.row(i * rows.rows() / n);
  for (Index k = 0; k < d; ++k) {
    x.col(k).array() -= x.col(k).mean();
    const double length = x.col(k).norm();
    if (length > 0) x.col(k) /= length;
  }
  Matrix similarity = (x.transpose() * x).array().square() + kLeastSimilarity;
  // The same numbers in both directions, whatever the order of the sums.
  similarity.triangularView<Eigen::StrictlyUpper>() = similarity.transpose();
  return similarity;
}

std::optional<FeatureSwap> propose_swap(const Matrix& similarity,
                                        const std::vector<std::uint8_t>& mask, Random& random) {
  std::vector<Index> on, off;
  for (Index k = 0; k < std::ssize(mask); ++k) (mask[k] ? on : off).push_back(k);
  if (on.empty() || off.empty()) return std::nullopt;
  const auto alike = [&](Index a, Index b) {
    return similarity.size() == 0 ? 1 : similarity(a, b);
  };
  FeatureSwap swap;
  swap.out = on[random.below(std::ssize(on))];
  double total = 0;
  for (const Index k : off) total += alike(swap.out, k);
  double level = random.uniform() * total;
  swap.in = off.back();
  for (const Index k : off) {
    level -= alike(swap.out, k);
    if (level < 0) {
      swap.in = k;
      break;
    }
  }
  double back = alike(swap.in, swap.out);
  for (const Index k : off) {
    if (k != swap.in) back += alike(swap.in, k);
  }
  swap.log_hastings = elementary::log(total / back);
  return swap;
}

}  // namespace ardent::doubly_sparse
