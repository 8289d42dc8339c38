// What the exact engine asks of an accelerator: the design and its matrices, and nothing else.
#include <gmock/gmock.h>

#include <optional>

#include "ardent/base/error.h"
#include "ardent/base/index_range.h"
#include "ardent/design/dense.h"
#include "ardent/inference/accelerator.h"
#include "ardent/inference/engines/exact.h"
#include "ardent/inference/evidence/space_matrices.h"
#include "ardent/inference/evidence/weight_space.h"
#include "ardent/linalg/cholesky.h"
#include "problems/classification.h"
#include "problems/regression.h"

namespace ardent {
namespace {

/// As a device would: matrices of its own making, of a design that it made.
class Elsewhere : public Accelerator {
 public:
  struct Primal : PrimalMatrices {
    Primal(const Design& of, const Prior& with) : phi(of), prior(with) {}
    void factor(const Vector& beta) override {
      const Index m = phi.cols();
      Matrix h(m + 1, m + 1), gram;
      Vector border;
      phi.weighted_gram(beta, gram);
      phi.multiply_transposed(beta, border);
      h << gram, border, border.transpose(), beta.sum();
      h.diagonal().head(m) += prior.alpha;
      h(m, m) += prior.bias_precision;
      factored.emplace(h);
    }
    Vector solve(const Vector& b) const override { return factored->solve(b); }
    Vector inverse_diagonal() const override { return factored->inverse_diagonal(); }
    Matrix inverse() const override { return factored->inverse(); }
    double log_determinant() const override { return factored->log_determinant(); }
    double jitter() const override { return factored->jitter(); }
    const Design& phi;
    const Prior& prior;
    std::optional<Cholesky> factored;
  };

  struct Dual : DualMatrices {
    Dual(const Design& of, const Prior& prior) : phi(of) {
      phi.weighted_outer(prior.alpha.cwiseInverse(), kernel);
    }
    Vector kernel_times(const Vector& v) const override { return kernel * v; }
    void factor(const Vector& root_beta) override {
      roots = root_beta;
      Matrix w = roots.asDiagonal() * kernel * roots.asDiagonal();
      w.diagonal().array() += 1;
      factored.emplace(w);
    }
    Vector solve(const Vector& b) const override { return factored->solve(b); }
    Matrix half() const {
      return factored->half_solve(roots.asDiagonal() * phi.columns(index_range(0, phi.cols())));
    }
    Vector half_solved_square_norms() const override {
      return half().colwise().squaredNorm().transpose();
    }
    Matrix half_solved_products() const override { return half().transpose() * half(); }
    double log_determinant() const override { return factored->log_determinant(); }
    double jitter() const override { return factored->jitter(); }
    const Design& phi;
    Matrix kernel;
    Vector roots;
    std::optional<Cholesky> factored;
  };

  std::string name() const override { return "elsewhere"; }
  std::unique_ptr<Design> dense_design(const Design& design) override {
    ++designs;
    return design.clone();
  }
  std::unique_ptr<PrimalMatrices> primal_matrices(const Design& phi, const Prior& prior,
                                                  const Vector* unit_beta) override {
    ++primals;
    unit_betas += unit_beta ? 1 : 0;
    return std::make_unique<Primal>(phi, prior);
  }
  std::unique_ptr<DualMatrices> dual_matrices(const Design& phi, const Prior& prior) override {
    ++duals;
    return std::make_unique<Dual>(phi, prior);
  }
  int designs = 0, primals = 0, unit_betas = 0, duals = 0;
};

/// As close as the processor is to itself when the rows come in the other order, ten times:
/// matrices made in another way have other last bits.
void expect_the_same(const Fit& found, const DenseDesign& design, const Target& target,
                     EngineOptions options) {
  options.accelerator = nullptr;
  const Fit wanted = fit_exact(design, target, options);
  Target turned = target;
  turned.t = target.t.reverse();
  const Matrix phi = design.columns(index_range(0, design.cols()));
  const Fit other = fit_exact(DenseDesign(phi.colwise().reverse()), turned, options);
  ASSERT_EQ(other.posterior.active, wanted.posterior.active);
  ASSERT_EQ(found.posterior.active, wanted.posterior.active);
  const auto distance = [&](const Fit& fit) {
    return (fit.posterior.mean - wanted.posterior.mean).cwiseAbs().maxCoeff();
  };
  EXPECT_LE(distance(found), std::max(1e-8, 10 * distance(other)));
  const double evidence = wanted.posterior.log_evidence;
  EXPECT_NEAR(found.posterior.log_evidence, evidence,
              std::max(1e-9, 10 * std::abs(other.posterior.log_evidence - evidence)));
}

TEST(ExactAccelerator, HasTheMatricesOfAClassifier) {
  const auto problem = problems::planted_classification(120, 150, 4, 2.0, 31);
  const DenseDesign design(problem.phi);
  const Target target{Likelihood::bernoulli, problem.t};
  EngineOptions options;
  const auto device = std::make_shared<Elsewhere>();
  options.accelerator = device;
  expect_the_same(fit_exact(design, target, options), design, target, options);
  EXPECT_EQ(device->designs, 1);
  EXPECT_GT(device->duals, 0);    // 150 columns of 120 rows,
  EXPECT_GT(device->primals, 0);  // and the few that are left
  EXPECT_EQ(device->unit_betas, 0);
}

TEST(ExactAccelerator, HasTheMatricesOfARegression) {
  const auto problem = problems::planted_regression(120, 30, 4, 0.5, 32);
  const DenseDesign design(problem.phi);
  const Target target{Likelihood::gaussian, problem.t};
  EngineOptions options;
  const auto device = std::make_shared<Elsewhere>();
  options.accelerator = device;
  expect_the_same(fit_exact(design, target, options), design, target, options);
  EXPECT_EQ(device->unit_betas, device->primals);  // its weights of rows are all alike
  EXPECT_GT(device->primals, 0);
}

TEST(ExactAccelerator, FitsColumnsWithAPrice) {
  const auto problem = problems::planted_regression(100, 40, 4, 0.5, 33);
  const DenseDesign design(problem.phi);
  const Target target{Likelihood::gaussian, problem.t};
  EngineOptions options;
  options.support_prior = SupportChoice::beta_binomial;
  options.candidates = 40;
  const auto device = std::make_shared<Elsewhere>();
  options.accelerator = device;
  expect_the_same(fit_exact(design, target, options), design, target, options);
  EXPECT_EQ(device->designs, 1);
}

TEST(ExactAccelerator, IsNotAskedWhereThereIsNoColumn) {
  EngineOptions options;
  const auto device = std::make_shared<Elsewhere>();
  options.accelerator = device;
  const Fit fit = fit_exact(DenseDesign(Matrix(20, 0)),
                            {Likelihood::gaussian, Vector::LinSpaced(20, 0, 1)}, options);
  EXPECT_NEAR(fit.posterior.bias, 0.5, 1e-6);
  EXPECT_EQ(device->designs + device->primals + device->duals, 0);
}

TEST(ExactAccelerator, MayRefuse) {
  class ForOthers : public Accelerator {
    std::string name() const override { return "a device"; }
  };
  const auto problem = problems::planted_regression(20, 3, 1, 0.5, 34);
  EngineOptions options;
  options.accelerator = std::make_shared<ForOthers>();
  EXPECT_THAT(
      [&] {
        fit_exact(DenseDesign(problem.phi), {Likelihood::gaussian, problem.t}, options);
      },
      testing::ThrowsMessage<InputError>(
          testing::HasSubstr("a device does not compute the engine exact: take device cpu")));
}

}  // namespace
}  // namespace ardent
