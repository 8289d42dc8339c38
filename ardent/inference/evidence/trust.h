// What a user should know before relying on a fit's noise, intervals and probabilities.
//
// A model that has spent most of its rows on weights has few left to learn the noise from, and the
// evidence does not see it: intervals come out too narrow, probabilities too sure.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ardent {

struct SpentRows {
  double rows = 0;                   // how many there are, each as often as it counts
  double spent = 0;                  // Σγ_k, the bias not counted
  std::optional<double> square_sum;  // Gaussian: ‖t − f‖², the target in units of variance 1
};

/// Adds, where it applies, one of
///   the model has used up its rows       spent ≥ 0.9 rows
///   intervals (probabilities) are off    spent ≥ 0.5 rows
/// and, independently, that the target is fitted perfectly: the noise variance is its prior's.
void warn_of_overfit(const SpentRows& fit, std::vector<std::string>& warnings);

}  // namespace ardent
