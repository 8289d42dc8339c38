// Sparse codes: a signal as a combination of few atoms of a dictionary.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ardent/matrix.h"
#include "ardent/options.h"
#include "ardent/progress.h"

namespace ardent::ARDENT_V0::coding {

/// See options.h.
struct Options {
  std::optional<CodingMethod> method = {};
  std::optional<double> lambda = {};        // sbl: noise variance; lasso: penalty
  std::optional<double> lambda_ratio = {};  // lambda as a fraction of the largest that matters
  std::optional<bool> nonnegative = {};
  std::optional<bool> unit_norm = {};  // scale atoms and signals to length 1 first
  OptionTexts more = {};
};

struct Code {
  std::vector<Index> atoms;          // ascending, from 0
  std::vector<double> coefficients;  // posterior means
  std::vector<double> variances;     // posterior variances
  double lambda = 0;                 // that was used
  bool converged = false;
};

/// Signals that are coded by one Coder share what is computed of its dictionary.
class Coder {
 public:
  /// One atom per row.
  explicit Coder(const Matrix& atoms, const Options& options = {});
  ~Coder();
  Coder(Coder&&) noexcept;
  Coder& operator=(Coder&&) noexcept;

  /// One signal per row, as long as the atoms.
  std::vector<Code> code(const Matrix& signals, const ProgressCallback& progress = {});
  /// A single signal.
  template <VectorLike V>
  Code code_one(const V& signal) {
    Matrix one(1, static_cast<Index>(signal.size()));
    for (Index j = 0; j < one.cols(); ++j) {
      one(0, j) = static_cast<double>(signal[static_cast<std::size_t>(j)]);
    }
    return code(one).front();
  }

 private:
  struct Held;
  std::unique_ptr<Held> held_;
};

/// The signal that a code stands for: Σ coefficient · atom.
std::vector<double> decode(const Code& code, const Matrix& atoms);

}  // namespace ardent::ARDENT_V0::coding
