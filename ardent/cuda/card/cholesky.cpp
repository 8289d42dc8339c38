#include "ardent/cuda/card/cholesky.h"

#include <algorithm>
#include <vector>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"

namespace ardent {
namespace {

// As in linalg/cholesky.cpp.
constexpr double kFirstJitter = 1e-14, kLastJitter = 1e-2, kSmallestPivot = 2e-15;
constexpr Index kPanel = 2048;  // columns of a right side at a time

/// cuSOLVER's own options, which are left as they are.
class SolverParameters {
 public:
  SolverParameters() { check(cusolverDnCreateParams(&parameters_)); }
  ~SolverParameters() { cusolverDnDestroyParams(parameters_); }
  SolverParameters(const SolverParameters&) = delete;
  SolverParameters& operator=(const SolverParameters&) = delete;
  cusolverDnParams_t get() const { return parameters_; }

 private:
  cusolverDnParams_t parameters_ = nullptr;
};

}  // namespace

CardCholesky::CardCholesky(Card& card, const CardMatrix& g, double factor, const Vector& f,
                           const Vector& diagonal)
    : card_(card), lower_(card, g.rows(), g.cols()) {
  if (!(diagonal.array() > 0).all() || !diagonal.allFinite()) {
    throw Error("Cholesky: the diagonal must be positive and finite");
  }
  scale_ = diagonal.cwiseSqrt();
  const CardArray<double> equilibrating = on_card(card, f.cwiseQuotient(scale_));
  const auto fill = [&](double own) {
    scale_symmetric(card, g.block(), factor, equilibrating.data(), own, lower_.block());
  };
  fill(1);
  for (double jitter = kFirstJitter; !factorise(); jitter *= 10) {
    if (jitter > kLastJitter) throw Error("Cholesky: the matrix is not positive semidefinite");
    fill(1 + jitter);
    jitter_ = jitter;
  }
}

bool CardCholesky::factorise() {
  const SolverParameters parameters;
  const CardBlock<double> a = lower_.block();
  std::size_t on_card = 0, on_host = 0;
  check(cusolverDnXpotrf_bufferSize(card_.solver(), parameters.get(), CUBLAS_FILL_MODE_LOWER,
                                    a.rows, CUDA_R_64F, a.data, a.stride, CUDA_R_64F, &on_card,
                                    &on_host));
  CardArray<char> work(card_, on_card);
  std::vector<char> host_work(on_host);
  CardArray<int> info(card_, 1);
  check(cusolverDnXpotrf(card_.solver(), parameters.get(), CUBLAS_FILL_MODE_LOWER, a.rows,
                         CUDA_R_64F, a.data, a.stride, CUDA_R_64F, work.data(), on_card,
                         host_work.data(), on_host, info.data()));
  if (info.on_host().front() != 0) return false;
  pivots_ = lower_.diagonal_on_host(card_);
  return (pivots_.array().square() >= kSmallestPivot).all();
}

Vector CardCholesky::solve(const Vector& b) const {
  CardArray<double> x = on_card(card_, b.cwiseQuotient(scale_));
  const CardBlock<const double> l = lower_.block();
  const auto n = static_cast<int>(l.rows);
  for (const auto side : {CUBLAS_OP_N, CUBLAS_OP_T}) {
    check(cublasDtrsv(card_.blas(), CUBLAS_FILL_MODE_LOWER, side, CUBLAS_DIAG_NON_UNIT, n, l.data,
                      n, x.data(), 1));
  }
  return on_host(x).cwiseQuotient(scale_);
}

void CardCholesky::half_solve(Index begin, CardBlock<double> x) const {
  const CardBlock<const double> l = lower_.block();
  const double one = 1;
  check(cublasDtrsm(card_.blas(), CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                    CUBLAS_DIAG_NON_UNIT, static_cast<int>(x.rows), static_cast<int>(x.cols), &one,
                    l.data + begin * (l.stride + 1), static_cast<int>(l.stride), x.data,
                    static_cast<int>(x.stride)));
}

Vector CardCholesky::inverse_diagonal() const {
  // ‖L⁻¹e_k‖², a panel of columns at a time, each from its first row on.
  const Index n = scale_.size();
  CardMatrix panel(card_, n, std::min(n, kPanel));
  CardArray<double> norms(card_, static_cast<std::size_t>(n));
  for (Index begin = 0; begin < n; begin += kPanel) {
    const Index height = n - begin;
    const CardBlock<double> part{panel.values().data(), height, std::min(kPanel, height), height};
    set_identity(card_, part);
    half_solve(begin, part);
    column_square_norms(card_, {part.data, part.rows, part.cols, part.stride}, nullptr,
                        norms.data() + begin);
  }
  return on_host(norms).cwiseQuotient(scale_.cwiseAbs2());
}

double CardCholesky::log_determinant() const {
  return 2 * (elementary::sum_of_logs(pivots_) + elementary::sum_of_logs(scale_));
}

Matrix CardCholesky::inverse() const {
  const Index n = scale_.size();
  CardMatrix half(card_, n, n), whole(card_, n, n);
  set_identity(card_, half.block());
  half_solve(0, half.block());
  add_gram(card_, std::as_const(half).block(), 0, whole.block());
  mirror_lower(card_, whole.block());
  Matrix inverse = whole.on_host();
  for (Index k = 0; k < n; ++k) inverse.col(k).array() /= scale_[k] * scale_.array();
  return inverse;
}

Vector CardCholesky::half_solved_square_norms(CardBlock<const double> a, const Vector& rows) const {
  const CardArray<double> factors = on_card(card_, rows.cwiseQuotient(scale_));
  CardMatrix panel(card_, a.rows, std::min(a.cols, kPanel));
  CardArray<double> norms(card_, static_cast<std::size_t>(a.cols));
  for (Index begin = 0; begin < a.cols; begin += kPanel) {
    const Index width = std::min(kPanel, a.cols - begin);
    const CardBlock<double> part{panel.values().data(), a.rows, width, a.rows};
    scale_entries(card_, {a.data + begin * a.stride, a.rows, width, a.stride}, factors.data(),
                  nullptr, part);
    half_solve(0, part);
    column_square_norms(card_, {part.data, part.rows, part.cols, part.stride}, nullptr,
                        norms.data() + begin);
  }
  return on_host(norms);
}

Matrix CardCholesky::half_solved_products(CardBlock<const double> a, const Vector& rows) const {
  const CardArray<double> factors = on_card(card_, rows.cwiseQuotient(scale_));
  CardMatrix half(card_, a.rows, a.cols), products(card_, a.cols, a.cols);
  scale_entries(card_, a, factors.data(), nullptr, half.block());
  half_solve(0, half.block());
  add_gram(card_, std::as_const(half).block(), 0, products.block());
  mirror_lower(card_, products.block());
  return products.on_host();
}

}  // namespace ardent
