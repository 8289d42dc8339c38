#include "ardent/cuda/card/exact_matrices.h"

#include <optional>

#include "ardent/cuda/card/cholesky.h"
#include "ardent/linalg/cholesky.h"

namespace ardent {
namespace {

// A factor of so few columns takes the processor less time than a trip to the card and back.
constexpr Index kFewColumns = 128;

/// H = S [Phi 1]ᵀB[Phi 1] S + diag(alpha, τ), S the columns' factors.
class CardPrimal : public PrimalMatrices {
 public:
  CardPrimal(const CardDesign& phi, const Prior& prior, const Vector* unit_beta)
      : phi_(phi), prior_(prior) {
    const Index m = phi.cols(), size = m + (prior.bias ? 1 : 0);
    factors_ = phi.column_factors();
    factors_.conservativeResize(size);
    added_ = prior.alpha;
    added_.conservativeResize(size);
    if (prior.bias) {
      factors_[m] = 1;
      added_[m] = prior.bias_precision;
    }
    if (unit_beta) {
      unit_gram_ = phi.kept_gram(*unit_beta, prior.bias);
      unit_sum_ = unit_beta->sum();
    }
  }

  void factor(const Vector& beta) override {
    there_.reset();  // its memory may be needed
    if (unit_gram_) {
      factor_of(*unit_gram_, beta.sum() / unit_sum_);
    } else {
      factor_of(phi_.gram(beta, prior_.bias), 1);
    }
  }

  Vector solve(const Vector& b) const override {
    return here_ ? here_->solve(b) : there_->solve(b);
  }
  Vector inverse_diagonal() const override {
    return here_ ? here_->inverse_diagonal() : there_->inverse_diagonal();
  }
  Matrix inverse() const override { return here_ ? here_->inverse() : there_->inverse(); }
  double log_determinant() const override {
    return here_ ? here_->log_determinant() : there_->log_determinant();
  }
  double jitter() const override { return here_ ? here_->jitter() : there_->jitter(); }

 private:
  void factor_of(const CardMatrix& gram, double multiple) {
    if (gram.cols() <= kFewColumns) {
      Matrix h = gram.on_host();
      for (Index k = 0; k < h.cols(); ++k)
        h.col(k).array() *= multiple * factors_[k] * factors_.array();
      h.diagonal() += added_;
      here_.emplace(h);
      return;
    }
    const Vector diagonal =
        multiple * factors_.cwiseAbs2().cwiseProduct(gram.diagonal_on_host(phi_.card())) + added_;
    there_.emplace(phi_.card(), gram, multiple, factors_, diagonal);
  }

  const CardDesign& phi_;
  const Prior& prior_;
  Vector factors_, added_;
  std::shared_ptr<const CardMatrix> unit_gram_;
  double unit_sum_ = 0;
  std::optional<Cholesky> here_;  // of few columns
  std::optional<CardCholesky> there_;
};

/// K = Phi S A⁻¹S Phiᵀ and W = I + diag(root_beta) K diag(root_beta), S the columns' factors.
class CardDual : public DualMatrices {
 public:
  CardDual(const CardDesign& phi, const Prior& prior) : phi_(phi) {
    kernel_ = phi.outer(phi.column_factors().cwiseAbs2().cwiseQuotient(prior.alpha));
    diagonal_ = kernel_.diagonal_on_host(phi.card());
  }

  Vector kernel_times(const Vector& v) const override {
    Card& card = phi_.card();
    const CardArray<double> given = on_card(card, v);
    CardArray<double> product(card, given.size());
    multiply(card, kernel_.block(), given.data(), product.data());
    return on_host(product);
  }

  void factor(const Vector& root_beta) override {
    factor_.reset();  // its memory may be needed
    root_beta_ = root_beta;
    const Vector diagonal = 1 + root_beta.array().square() * diagonal_.array();
    factor_.emplace(phi_.card(), kernel_, 1, root_beta, diagonal);
  }

  Vector solve(const Vector& b) const override { return factor_->solve(b); }

  Vector half_solved_square_norms() const override {
    return factor_->half_solved_square_norms(phi_.unscaled().block(), root_beta_)
        .cwiseProduct(phi_.column_factors().cwiseAbs2());
  }

  Matrix half_solved_products() const override {
    Matrix products = factor_->half_solved_products(phi_.unscaled().block(), root_beta_);
    for (Index k = 0; k < products.cols(); ++k) {
      products.col(k).array() *= phi_.column_factors()[k] * phi_.column_factors().array();
    }
    return products;
  }

  double log_determinant() const override { return factor_->log_determinant(); }
  double jitter() const override { return factor_->jitter(); }

 private:
  const CardDesign& phi_;
  CardMatrix kernel_;
  Vector diagonal_;  // the kernel's
  Vector root_beta_;
  std::optional<CardCholesky> factor_;
};

}  // namespace

std::unique_ptr<PrimalMatrices> make_card_primal(const CardDesign& phi, const Prior& prior,
                                                 const Vector* unit_beta) {
  return std::make_unique<CardPrimal>(phi, prior, unit_beta);
}

std::unique_ptr<DualMatrices> make_card_dual(const CardDesign& phi, const Prior& prior) {
  return std::make_unique<CardDual>(phi, prior);
}

}  // namespace ardent
