// What the hazard tests of the engines with an exact evidence have in common.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "ardent/inference/engine.h"

namespace ardent::hazards {

inline Vector predict(const Matrix& phi, const Posterior& posterior) {
  Vector f = Vector::Constant(phi.rows(), posterior.bias);
  for (std::size_t k = 0; k < posterior.active.size(); ++k) {
    f += phi.col(posterior.active[k]) * posterior.mean[static_cast<Index>(k)];
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

}  // namespace ardent::hazards
