#include "ardent/inference/coding/penalties.h"

#include <fmt/format.h>

#include <cmath>

#include "ardent/base/error.h"

namespace ardent {

Vector effective_weights(const Dictionary& dictionary, const Vector& penalties, double lambda) {
  if (!(lambda > 0) || !std::isfinite(lambda)) {
    throw InputError(fmt::format("lambda must be above 0 and finite, not {}", lambda));
  }
  if (penalties.size() != dictionary.cols()) {
    throw InputError(fmt::format("there are {} penalties for the {} atoms of a {} × {} dictionary",
                                 penalties.size(), dictionary.cols(), dictionary.rows(),
                                 dictionary.cols()));
  }
  Vector weights(penalties.size());
  for (Index i = 0; i < penalties.size(); ++i) {
    if (!(penalties[i] >= 0)) {
      throw InputError(
          fmt::format("the penalty of atom {} must be at least 0, not {}", i + 1, penalties[i]));
    }
    weights[i] = dictionary.norms()[i] > 0 ? lambda * penalties[i] : kNeverUsed;
  }
  return weights;
}

std::vector<Index> unpenalised(const Vector& weights) {
  std::vector<Index> atoms;
  for (Index i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) atoms.push_back(i);
  }
  return atoms;
}

void check_signal(const Dictionary& dictionary, const Vector& signal) {
  if (signal.size() != dictionary.rows()) {
    throw InputError(fmt::format(
        "the signal has {} numbers, but the {} atoms of the dictionary have {} each: both must be "
        "of one length",
        signal.size(), dictionary.cols(), dictionary.rows()));
  }
  for (Index i = 0; i < signal.size(); ++i) {
    if (!std::isfinite(signal[i])) {
      throw InputError(
          fmt::format("number {} of the signal is {}: a signal must be finite", i + 1, signal[i]));
    }
  }
}

}  // namespace ardent
