// What the tests of the engines with an exact evidence have in common.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "ardent/design/dense.h"
#include "ardent/estimators/engine_by_name.h"

namespace ardent::evidence_engines {

inline Vector predict(const Matrix& phi, const Posterior& posterior) {
  Vector f = Vector::Constant(phi.rows(), posterior.bias);
  for (std::size_t k = 0; k < posterior.active.size(); ++k) {
    f += phi.col(posterior.active[k]) * posterior.mean[k];
  }
  return f;
}

inline void expect_sound(const Fit& fit) {
  EXPECT_TRUE(fit.posterior.mean.allFinite());
  EXPECT_TRUE(fit.posterior.alpha.allFinite());
  EXPECT_TRUE(fit.posterior.covariance.allFinite());
  EXPECT_TRUE(std::isfinite(fit.posterior.bias));
  EXPECT_TRUE(std::isfinite(fit.posterior.log_evidence));
  EXPECT_TRUE((fit.posterior.variance.array() > 0).all());
}

inline void expect_settled(const Fit& fit) {
  expect_sound(fit);
  EXPECT_NE(fit.report.status, Status::iteration_limit);
  for (const Stage& stage : fit.report.stages) EXPECT_TRUE(std::isfinite(stage.change));
}

inline double accuracy(const Vector& f, const Vector& t) {
  return ((f.array() > 0) == (t.array() > 0.5)).cast<double>().mean();
}

/// A test of every such engine, by name.
class EveryEngine : public ::testing::TestWithParam<std::string> {
 protected:
  Fit fit(const Design& design, const Target& target, const EngineOptions& options = {},
          const ProgressCallback& progress = {}) const {
    return engine_by_name(GetParam())(design, target, options, progress);
  }
  Fit classify(const Matrix& phi, const Vector& t, const EngineOptions& options = {}) const {
    return fit(DenseDesign(phi), {Likelihood::bernoulli, t}, options);
  }
  Fit regress(const Matrix& phi, const Vector& t, const EngineOptions& options = {}) const {
    return fit(DenseDesign(phi), {Likelihood::gaussian, t}, options);
  }
};

inline std::string name_of(const ::testing::TestParamInfo<std::string>& engine) {
  return engine.param;
}

inline const auto kNames = ::testing::Values("exact", "sequential", "growing");

}  // namespace ardent::evidence_engines
