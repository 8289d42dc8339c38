#include "ardent/inference/doubly_sparse/diagnostics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "ardent/base/elementary.h"

namespace ardent::doubly_sparse {
namespace {

/// The halves of all chains as columns; an odd draw in the middle is left out.
struct Halves {
  Matrix centred;  // each half minus its mean
  Vector means;
  double within = 0;   // W
  double overall = 0;  // var⁺

  explicit Halves(const Matrix& draws) {
    const Index n = draws.rows() / 2, chains = draws.cols();
    centred.resize(n, 2 * chains);
    centred.leftCols(chains) = draws.topRows(n);
    centred.rightCols(chains) = draws.bottomRows(n);
    means = centred.colwise().mean();
    centred.rowwise() -= means.transpose();
    const auto count = static_cast<double>(n);
    within = centred.colwise().squaredNorm().mean() / (count - 1);
    const double between =
        (means.array() - means.mean()).square().sum() / static_cast<double>(2 * chains - 1);
    overall = (count - 1) / count * within + between;
  }

  Index length() const { return centred.rows(); }
  Index count() const { return centred.cols(); }

  /// Mean over halves of the autocovariance at a lag, divisor n.
  double autocovariance(Index lag) const {
    const Index left = length() - lag;
    return centred.topRows(left).cwiseProduct(centred.bottomRows(left)).sum() /
           static_cast<double>(length() * count());
  }
};

bool too_short(const Matrix& draws) {
  return draws.rows() < 4 || draws.cols() < 1;
}

bool all_equal(const Matrix& draws) {
  return (draws.array() == draws(0, 0)).all();
}

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace

double split_r_hat(const Matrix& draws) {
  if (too_short(draws)) return kNaN;
  if (all_equal(draws)) return 1;
  const Halves halves(draws);
  if (halves.within == 0) return std::numeric_limits<double>::infinity();
  return std::sqrt(halves.overall / halves.within);
}

double effective_size(const Matrix& draws) {
  if (too_short(draws)) return kNaN;
  const auto total = static_cast<double>(draws.size());
  if (all_equal(draws)) return total;
  const Halves halves(draws);
  if (halves.within == 0) return static_cast<double>(halves.count());
  const double n = static_cast<double>(halves.length());
  const auto correlation = [&](Index lag) {
    const double unbiased = halves.autocovariance(lag) * n / (n - 1);
    return 1 - (halves.within - unbiased) / halves.overall;
  };
  double sum = 0, previous = std::numeric_limits<double>::infinity();
  for (Index lag = 0; lag + 1 < halves.length(); lag += 2) {
    const double pair = (lag == 0 ? 1 : correlation(lag)) + correlation(lag + 1);
    if (!(pair > 0)) break;
    previous = std::min(previous, pair);
    sum += previous;
  }
  const double time = std::max(-1 + 2 * sum, std::numbers::ln10 / elementary::log(total));
  return n * static_cast<double>(halves.count()) / time;
}

Estimate estimate(const Matrix& draws) {
  Estimate result{draws.size() > 0 ? draws.mean() : kNaN, 0, effective_size(draws),
                  split_r_hat(draws)};
  const double variance = (draws.array() - result.mean).square().sum() /
                          std::max(1.0, static_cast<double>(draws.size() - 1));
  result.error = std::sqrt(variance / result.effective);
  return result;
}

Estimate estimate_probability(const Matrix& bits) {
  Estimate result = estimate(bits);
  const auto total = static_cast<double>(bits.size());
  const double p = (result.mean * total + 0.5) / (total + 1);
  result.error = std::sqrt(p * (1 - p) / result.effective);
  return result;
}

}  // namespace ardent::doubly_sparse
