#include "ardent/design/design.h"

#include <fmt/format.h>

#include "ardent/base/error.h"

namespace ardent {
namespace {

void require_size(const char* what, Index found, Index wanted, Index rows, Index cols) {
  if (found != wanted) {
    throw InputError(fmt::format("{} has {} entries but the design is {} × {}: {} are needed", what,
                                 found, rows, cols, wanted));
  }
}

}  // namespace

void Design::multiply(const Vector& w, Vector& out) const {
  require_size("w", w.size(), cols(), rows(), cols());
  out.resize(rows());
  do_multiply(scale_.cwiseProduct(w), out);
}

void Design::multiply_transposed(const Vector& r, Vector& out) const {
  require_size("r", r.size(), rows(), rows(), cols());
  out.resize(cols());
  do_multiply_transposed(r, out);
  out.array() *= scale_.array();
}

void Design::weighted_square_norms(const Vector& beta, Vector& out) const {
  require_size("beta", beta.size(), rows(), rows(), cols());
  out.resize(cols());
  do_weighted_square_norms(beta, out);
  out.array() *= scale_.array().square();
}

void Design::weighted_gram(const Vector& beta, Matrix& out) const {
  require_size("beta", beta.size(), rows(), rows(), cols());
  out.resize(cols(), cols());
  do_weighted_gram(beta, out);
  for (Index k = 0; k < cols(); ++k) out.col(k).array() *= scale_[k] * scale_.array();
}

void Design::weighted_outer(const Vector& gamma, Matrix& out) const {
  require_size("gamma", gamma.size(), cols(), rows(), cols());
  out.resize(rows(), rows());
  do_weighted_outer(scale_.array().square() * gamma.array(), out);
}

Matrix Design::columns(std::span<const Index> which) const {
  Matrix out(rows(), static_cast<Index>(which.size()));
  do_columns(which, out);
  for (Index k = 0; k < out.cols(); ++k) out.col(k) *= scale_[which[static_cast<std::size_t>(k)]];
  return out;
}

void Design::keep(std::span<const Index> active) {
  const auto count = static_cast<Index>(active.size());
  if (count == cols()) return;
  do_keep(active);
  Vector kept(count);
  for (Index k = 0; k < count; ++k) kept[k] = scale_[active[static_cast<std::size_t>(k)]];
  scale_ = std::move(kept);
}

void Design::scale_columns(const Vector& factors) {
  require_size("factors", factors.size(), cols(), rows(), cols());
  scale_.array() *= factors.array();
}

}  // namespace ardent
