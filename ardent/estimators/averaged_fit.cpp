#include "ardent/estimators/averaged_fit.h"

#include "ardent/inference/path/path_posterior.h"

namespace ardent {
namespace {

/// Of every column of the design: half of a posterior's weights, and a quarter of its prior
/// variances, added up.
struct HalfWeights {
  explicit HalfWeights(Index columns) : w(Vector::Zero(columns)), variance(Vector::Zero(columns)) {}

  void add(const Posterior& posterior) {
    for (std::size_t j = 0; j < posterior.active.size(); ++j) {
      const Index k = posterior.active[j];
      w[k] += posterior.mean[static_cast<Index>(j)] / 2;
      variance[k] += 0.25 / posterior.alpha[static_cast<Index>(j)];
    }
    bias += posterior.bias / 2;
  }

  Vector w, variance;
  double bias = 0;
};

}  // namespace

Fit averaged_fit(Fit one, const Fit& other, const Design& design, const Target& target,
                 const EngineOptions& options) {
  HalfWeights half(design.cols());
  half.add(one.posterior);
  half.add(other.posterior);
  std::vector<std::string> known_already;
  const StandardProblem standard = with_callers_columns(design, target, options, known_already);
  const ActiveProblem& problem = standard.problem;
  L1Solution mean;
  std::vector<double> w, alpha;
  for (std::size_t k = 0; k < problem.columns.size(); ++k) {
    const Index column = problem.columns[k];
    if (!(half.variance[column] > 0)) continue;
    mean.active.push_back(static_cast<Index>(k));
    w.push_back(half.w[column]);
    alpha.push_back(1 / half.variance[column]);
  }
  mean.w = Eigen::Map<const Vector>(w.data(), std::ssize(w));
  mean.bias = half.bias;
  design.multiply(half.w, mean.point.f);
  mean.point.f.array() += mean.bias;
  MapObjective(*problem.phi, problem.likelihood, problem.t, problem.row_weights, 1)
      .evaluate(mean.point);
  Report& report = one.report;
  one.posterior = mode_posterior(mean, Eigen::Map<const Vector>(alpha.data(), std::ssize(alpha)), 0,
                                 standard, options, report.warnings);
  report.stages.push_back({one.posterior.log_evidence, std::ssize(one.posterior.active), 0, 0, 0});
  if (options.keep_stages) {
    report.path.push_back({one.posterior.active, one.posterior.mean, one.posterior.bias});
  }
  report.notes.insert(report.notes.end(), other.report.notes.begin(), other.report.notes.end());
  return one;
}

}  // namespace ardent
