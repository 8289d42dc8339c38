#include "ardent/inference/coding/reweighted_l1.h"

#include <cmath>
#include <optional>

#include "ardent/base/elementary.h"
#include "ardent/base/stopwatch.h"
#include "ardent/inference/coding/active_posterior.h"

namespace ardent {
namespace {

Vector first_penalties(const Dictionary& dictionary, double lambda, CodeStart start) {
  if (start == CodeStart::ones) return Vector::Ones(dictionary.cols());
  return dictionary.norms() / std::sqrt(lambda);
}

/// λu; atoms of length 0 are not used.
Vector lasso_weights(const Dictionary& dictionary, double lambda, const Vector& u) {
  Vector weights = lambda * u;
  for (Index i = 0; i < weights.size(); ++i) {
    if (dictionary.norms()[i] == 0) weights[i] = kNeverUsed;
  }
  return weights;
}

class Reweighting {
 public:
  Reweighting(const CodingTask& task, double lambda, const CodeOptions& options)
      : task_(task),
        dictionary_(task.rows.dictionary()),
        lambda_(lambda),
        options_(options),
        by_rows_(task.rows, task.rho) {
    result_.lambda = lambda;
    u_ = first_penalties(dictionary_, lambda, options.code_start);
  }

  SparseBayesCode run(const SparseCode& start) {
    const Stopwatch watch;
    result_.code = start;
    while (std::ssize(result_.report.steps) < options_.max_outer) {
      if (posterior_) reweight();
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
    find_posterior(step);
    step.seconds = watch.seconds();
    result_.report.steps.push_back(step);
  }

  void solve(OuterStep& step) {
    Vector weights = lasso_weights(dictionary_, lambda_, u_);
    const LassoProblem problem{dictionary_, task_.signal, task_.rho, weights, options_.nonnegative};
    if (options_.static_screening) {
      leave_out(options_.static_screening(problem, &task_.rows), weights, step);
    }
    LassoResult solved =
        is_known() ? task_.first->solved
        : by_residual()
            ? solve_by_residual(problem)
            : solve_working_sets(problem, by_rows_, lasso_options(options_), result_.code);
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

  /// Was this LASSO solved beforehand?
  bool is_known() const {
    return task_.first && task_.first->lambda == lambda_ && result_.report.steps.empty() &&
           result_.code.active.empty() && !options_.static_screening;
  }

  /// The first solve of a dense signal looks at many atoms that will not stay: their Gram rows pay
  /// only if other signals want them, too. Later solves hardly leave the rows that γ_h needs
  /// anyway.
  bool by_residual() const {
    const bool first = result_.report.steps.empty();
    return first && !task_.rows_from_the_start && !dictionary_.rows_are_cheap();
  }

  LassoResult solve_by_residual(const LassoProblem& problem) const {
    ResidualCorrelations correlations(problem);
    return solve_working_sets(problem, correlations, lasso_options(options_), result_.code);
  }

  void find_posterior(OuterStep& step) {
    const std::vector<Index>& support = result_.code.active;
    result_.gamma = result_.code.theta.cwiseAbs().cwiseQuotient(u_(support));
    posterior_.emplace(support_gram(support), result_.gamma, lambda_);
    result_.covariance = posterior_->covariance();
    result_.variance = result_.covariance.diagonal();
    step.loss = loss(*posterior_);
  }

  /// Whole rows only where a reweighting will want them or they are there: to a single LASSO they
  /// would cost several times what it takes itself.
  Matrix support_gram(const std::vector<Index>& support) {
    const bool last = std::ssize(result_.report.steps) + 1 == options_.max_outer;
    if (last && !task_.rows_from_the_start && !dictionary_.rows_are_cheap()) {
      return gram_of(dictionary_, support, std::ssize(support));
    }
    return by_rows_.gram(support, std::ssize(support));
  }

  void reweight() {
    const std::vector<Index>& support = result_.code.active;
    std::vector<const Vector*> rows;
    for (const Index j : support) rows.push_back(&by_rows_.row(j));
    u_ = posterior_->reweighting(dictionary_.norms(), support, rows).cwiseSqrt();
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

  bool converged() const { return reweighting_converged(result_.report.steps, scale_, options_); }

  const CodingTask& task_;
  const Dictionary& dictionary_;
  double lambda_;
  const CodeOptions& options_;
  RowCorrelations by_rows_;
  Vector u_;
  std::optional<ActivePosterior> posterior_;  // after the last step
  double scale_ = 0;
  SparseBayesCode result_;
};

}  // namespace

Vector first_weights(const Dictionary& dictionary, double lambda, CodeStart start) {
  return lasso_weights(dictionary, lambda, first_penalties(dictionary, lambda, start));
}

bool reweighting_converged(const std::vector<OuterStep>& steps, double scale,
                           const CodeOptions& options) {
  if (steps.back().active == 0) return true;
  if (steps.size() < 2) return options.max_outer == 1;
  const double fall = steps[steps.size() - 2].loss - steps.back().loss;
  return fall <= options.outer_tolerance * scale;
}

LassoOptions lasso_options(const CodeOptions& options) {
  return {.tolerance = options.tolerance,
          .nonnegative = options.nonnegative,
          .gap_screening = options.gap_screening};
}

SparseBayesCode code_at(const CodingTask& task, double lambda, const CodeOptions& options,
                        const SparseCode& start) {
  return Reweighting(task, lambda, options).run(start);
}

}  // namespace ardent
