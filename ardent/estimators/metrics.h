// How good predictions are. Every metric here has a definition that a table can cite.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ardent/base/types.h"

namespace ardent {

/// confusion(i, j): rows of true class i predicted as class j.
/// f1: of the positive class for two classes; the unweighted mean over classes for more.
/// auc: area under the ROC curve of the positive class (ties count half); for more classes the
///      mean over classes of one against the rest. Absent classes are left out of means.
/// brier: mean over rows of Σ_c (p_c − 1[c is true])², which runs from 0 to 2 (for two classes it
///        is twice the one-sided score).
/// ece: expected calibration error of the predicted class's probability, 10 equal bins.
/// log_loss: mean −log p(true class), p clipped at 1e-15.
struct ClassificationMetrics {
  double accuracy = 0, balanced_accuracy = 0, log_loss = 0, f1 = 0, auc = 0, brier = 0, ece = 0;
  Eigen::MatrixXi confusion;
};

ClassificationMetrics classification_metrics(std::span<const std::uint32_t> truth,
                                             std::span<const std::uint32_t> predicted,
                                             const Matrix& probabilities, Index positive);

/// nlpd: mean negative log predictive density of a normal with the predicted mean and variance.
/// r2: 1 − Σ(t−m)²/Σ(t−mean t)²; where the truth is constant, 1 if it is met exactly, else 0.
struct RegressionMetrics {
  double rmse = 0, mae = 0, r2 = 0, nlpd = 0;
};

RegressionMetrics regression_metrics(std::span<const double> truth, const Vector& mean,
                                     const Vector& variance);

}  // namespace ardent
