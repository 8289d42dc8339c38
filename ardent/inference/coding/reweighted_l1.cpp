#include "ardent/inference/coding/reweighted_l1.h"

#include <cmath>

#include "ardent/base/elementary.h"
#include "ardent/base/stopwatch.h"
#include "ardent/inference/coding/active_posterior.h"

namespace ardent {
namespace {

class Reweighting {
 public:
  Reweighting(const CodingTask& task, double lambda, const CodeOptions& options)
      : task_(task),
        dictionary_(task.rows.dictionary()),
        lambda_(lambda),
        options_(options),
        by_rows_(task.rows, task.rho) {
    result_.lambda = lambda;
    u_ = options.code_start == CodeStart::ones ? Vector::Ones(dictionary_.cols())
                                               : Vector(dictionary_.norms() / std::sqrt(lambda));
  }

  SparseBayesCode run(const SparseCode& start) {
    const Stopwatch watch;
    result_.code = start;
    while (std::ssize(result_.report.steps) < options_.max_outer) {
      outer_iteration();
      if (converged()) {
        result_.report.status = Status::converged;
        break;
      }
    }
    result_.report.seconds = watch.seconds();
    return std::move(result_);
  }

 private:
  void outer_iteration() {
    const Stopwatch watch;
    OuterStep step;
    solve(step);
    update_hyperparameters(step);
    step.seconds = watch.seconds();
    result_.report.steps.push_back(step);
  }

  void solve(OuterStep& step) {
    Vector weights = lambda_ * u_;
    for (Index i = 0; i < weights.size(); ++i) {
      if (dictionary_.norms()[i] == 0) weights[i] = kNeverUsed;
    }
    const LassoProblem problem{dictionary_, task_.signal, task_.rho, weights, options_.nonnegative};
    if (options_.static_screening) {
      leave_out(options_.static_screening(problem, &task_.rows), weights, step);
    }
    const LassoOptions lasso{.tolerance = options_.tolerance,
                             .nonnegative = options_.nonnegative,
                             .gap_screening = options_.gap_screening};
    LassoResult solved = by_residual() ? solve_by_residual(problem, lasso)
                                       : solve_working_sets(problem, by_rows_, lasso, result_.code);
    result_.code = std::move(solved.code);
    step.active = std::ssize(result_.code.active);
    step.relative_gap = solved.report.relative_gap;
    step.rounds = solved.report.rounds;
    if (options_.gap_screening) {
      step.rejected = solved.report.rejected;
      step.screening_seconds = solved.report.screening_seconds;
    }
  }

  static void leave_out(const Screening& screening, Vector& weights, OuterStep& step) {
    Vector left = Vector::Constant(weights.size(), kNeverUsed);
    left(screening.kept) = weights(screening.kept);
    weights.swap(left);
    step.rejected = screening.rejected;
    step.screening_seconds = screening.seconds;
  }

  /// The first solve of a dense signal looks at many atoms that will not stay: their Gram rows pay
  /// only if other signals want them, too. Later solves hardly leave the rows that γ_h needs
  /// anyway.
  bool by_residual() const {
    const bool first = result_.report.steps.empty();
    return first && !task_.rows_from_the_start && !dictionary_.rows_are_cheap();
  }

  LassoResult solve_by_residual(const LassoProblem& problem, const LassoOptions& lasso) const {
    ResidualCorrelations correlations(problem);
    return solve_working_sets(problem, correlations, lasso, result_.code);
  }

  void update_hyperparameters(OuterStep& step) {
    const std::vector<Index>& support = result_.code.active;
    by_rows_.fetch(support);
    std::vector<const Vector*> rows;
    for (const Index j : support) rows.push_back(&by_rows_.row(j));
    Matrix gram(step.active, step.active);
    for (Index j = 0; j < step.active; ++j) {
      gram.col(j) = (*rows[j])(support);
    }
    result_.gamma = result_.code.theta.cwiseAbs().cwiseQuotient(u_(support));
    const ActivePosterior posterior(gram, result_.gamma, lambda_);
    result_.covariance = posterior.covariance();
    result_.variance = result_.covariance.diagonal();
    step.loss = loss(posterior);
    u_ = posterior.reweighting(dictionary_.norms(), support, rows).cwiseSqrt();
  }

  /// yᵀΣ_Y⁻¹y is the minimum over θ of ‖y − Φθ‖²/λ + Σθ²/γ, attained at the posterior mean: no
  /// digits cancel in that form.
  double loss(const ActivePosterior& posterior) {
    const Vector mean = posterior.mean(task_.rho(result_.code.active));
    const Vector residual = task_.signal - dictionary_.combine(result_.code.active, mean);
    const double fit =
        residual.squaredNorm() / lambda_ + mean.cwiseAbs2().cwiseQuotient(result_.gamma).sum();
    scale_ = posterior.log_determinant() + fit;
    return static_cast<double>(dictionary_.rows()) * elementary::log(lambda_) + scale_;
  }

  /// The term N log λ of the loss depends on the units; what is left is never negative.
  bool converged() const {
    const auto& steps = result_.report.steps;
    if (result_.code.active.empty()) return true;
    if (steps.size() < 2) return options_.max_outer == 1;
    const double fall = steps[steps.size() - 2].loss - steps.back().loss;
    return fall <= options_.outer_tolerance * scale_;
  }

  const CodingTask& task_;
  const Dictionary& dictionary_;
  double lambda_;
  const CodeOptions& options_;
  RowCorrelations by_rows_;
  Vector u_;
  double scale_ = 0;
  SparseBayesCode result_;
};

}  // namespace

SparseBayesCode code_at(const CodingTask& task, double lambda, const CodeOptions& options,
                        const SparseCode& start) {
  return Reweighting(task, lambda, options).run(start);
}

Vector predictive_variance(const Dictionary& dictionary, const SparseBayesCode& code) {
  const auto k = std::ssize(code.code.active);
  Vector variance = Vector::Constant(dictionary.rows(), code.lambda);
  Matrix columns = Matrix::Zero(dictionary.rows(), k);
  Vector column(dictionary.rows());
  for (Index j = 0; j < k; ++j) {
    column.setZero();
    dictionary.add_scaled(code.code.active[j], 1, column);
    columns.col(j) = column;
  }
  if (k > 0) variance += (columns * code.covariance).cwiseProduct(columns).rowwise().sum();
  return variance;
}

}  // namespace ardent
