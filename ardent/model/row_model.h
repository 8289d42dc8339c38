// An evidence model as plain numbers, for predicting one row at a time: what the exported C code
// (model/export) and the Predictor are made of.
//
// With z_k = (x_{input k} − offset_k)·factor_k (0 where factor_k is 0; for unit rows divided by the
// row's length):
//
//   linear  phi_k = z_k
//   rbf     phi_k = exp(−‖z − point_k‖²)       (the width is in factors and points)
//   elm     phi_k = 1/(1 + exp(−point_kᵀz − point_bias_k))
//   part    f = Σ_k weight_k phi_{active k} + bias,  v = φᵀΣφ with 1 for the bias at the end of φ
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ardent/base/types.h"
#include "ardent/model/model.h"

namespace ardent {

enum class RowMap { linear, rbf, elm };

struct RowPart {
  Index positive = -1, negative = -1;  // classes; −1: a regression, or the rest
  std::vector<Index> active;           // basis functions, ascending
  std::vector<double> weights;         // one each
  double bias = 0;
  bool has_bias = false;   // it is part of Σ
  bool moderated = false;  // its probability averages over the posterior
  /// Lower triangle of Σ row by row, the bias last; its diagonal alone where `diagonal`; empty
  /// where no variance is needed, or none is known.
  std::vector<double> covariance;
  bool diagonal = false;
};

/// The Gaussian process behind an rbf regression (augmented_variance.h): with k the kernels between
/// the row and `rows` and h = half k,
///   variance of f = s² − ‖h‖² + (1 − hᵀones)²/‖ones‖² + (bias + s² kᵀweights − mean)²
struct RowProcess {
  Index size = 0;
  std::vector<double> rows;     // size × inputs, scaled as the centres are
  std::vector<double> half;     // lower triangle of s² L⁻¹, row by row
  std::vector<double> ones;     // L⁻¹1; empty: no bias
  std::vector<double> weights;  // size
  double bias = 0;
  double amplitude = 1;  // s²
};

struct RowModel {
  Task task = Task::classification;
  Index features = 0;         // columns of a row
  std::vector<Index> inputs;  // those that are read, ascending
  std::vector<double> offset, factor;
  std::vector<double> fill;         // for what is missing (NaN); empty: nothing may be
  std::vector<float> every_factor;  // unit rows: of every column; otherwise empty
  RowMap map = RowMap::linear;
  Index basis = 0;
  std::vector<double> points;        // basis × inputs; linear: empty
  std::vector<double> point_biases;  // elm
  std::vector<RowPart> parts;
  bool pairs = false;         // more than two classes: pairs, coupled; else one against the rest
  double temperature = 1;     // of more than two classes
  double noise_variance = 0;  // regression
  bool has_variance = false;  // regression: that of a new observation is known
  std::optional<RowProcess> process;
  std::vector<std::string> classes;

  Index input_count() const { return std::ssize(inputs); }
  bool unit_rows() const { return !every_factor.empty(); }
};

/// Which uncertainty a row model keeps.
struct RowModelOptions {
  bool moderated = false;  // see PredictOptions
  bool plug_in = false;
  bool latent = false;   // classification: the variance of f, too
  bool variance = true;  // regression
  bool process = true;   // regression by rbf: the process's variance, as predict() has it
};

/// InputError for a model that is no evidence model (doubly sparse, dictionary).
RowModel row_model(const Model& model, const RowModelOptions& options = {});

}  // namespace ardent
