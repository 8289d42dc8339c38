// The codes of many signals, and how each was found.
#pragma once

#include <utility>
#include <vector>

#include "ardent/data/npz.h"
#include "ardent/inference/coding/reweighted_l1.h"

namespace ardent {

struct SignalReport {
  double lambda = 0;
  Index nonzeros = 0;
  double gap = 0;  // relative duality gap of the last LASSO
  Index outer = 0;
  double loss = 0;
  Status status = Status::iteration_limit;
  std::vector<OuterStep> steps;
  std::vector<std::pair<double, Index>>
      by_lambda;       // λ and non-zeros of each value, where asked for
  double seconds = 0;  // on its thread, the automatic λ included; its share of a group's
};

struct CodedSignals {
  SparseTable codes;              // signals × atoms: posterior means
  std::vector<double> variances;  // posterior variance of each entry of `codes`
  std::vector<Index> nearest;  // of each signal: the atom with the largest |φᵀy|/‖φ‖; −1: none
  std::vector<SignalReport> reports;
};

}  // namespace ardent
