// A dictionary model (the map `dictionary`) classifies by sparse representation: a row y is coded
// over the training rows, and the classes of the atoms that it takes vote.
//
// Two votes:
//   coefficients  as published: published/coefficient_vote.h
//   residual      r_k² = min ‖y − Φ_k w‖²/‖y‖² over weights w of the atoms of class k in the code:
//                 which class explains the row best on its own. p_k ∝ r_k^(−2c): Gaussian residuals
//                 of unknown variance, were 2c of their entries independent; c is fitted on
//                 training rows that the dictionary did not see (dictionary_training.h).
// Either way one hundredth is spread evenly so that no probability is zero. A row whose
// code is zero is taken to use the atom nearest in angle, and a warning counts such rows.
#pragma once

#include <string>
#include <vector>

#include "ardent/data/matrix.h"
#include "ardent/inference/coding/reweighted_l1.h"

namespace ardent {

class Container;
class ContainerWriter;
class ModelRows;
struct CodedSignals;
struct Latent;
struct ModelFrame;
struct PredictOptions;
struct Prediction;

struct DictionaryModel {
  static constexpr std::string_view kMap = "dictionary";
  static constexpr std::string_view kHelp =
      "a row is coded as a combination of few training rows, all of length 1, and the classes of "
      "those rows vote";

  Features atoms = DenseRows{};
  std::vector<Index> origin;  // which training rows they are
  std::vector<std::uint32_t> classes;
  CodeOptions coding = {};
  double sharpness = 0;  // c of the vote `residual`; 0: the vote `coefficients`

  std::string_view map_name() const { return kMap; }
  const std::vector<Index>& origins() const { return origin; }
  /// The option that says how it was fitted.
  std::string_view method_option() const { return "method"; }
  /// Weights kept, averaged over parts.
  double mean_active(const ModelFrame& model) const;
  std::string describe_fit(const ModelFrame& model) const;
  Prediction predict(const ModelFrame& model, const ModelRows& rows,
                     const PredictOptions& options) const;
  /// InputError: a code has no posterior of a predictor.
  Latent latent(const ModelFrame& model, const ModelRows& rows) const;
  void check(const ModelFrame& model) const;
  void save(const ModelFrame& model, ContainerWriter& file) const;
  /// `model`: its inputs and parts are known.
  static DictionaryModel load(const Container& file, const ModelFrame& model);
};

/// r_k² of each row (rows × classes); 1 for a class without an atom in the row's code.
Matrix class_residuals(const DictionaryModel& dictionary, Index classes, const Features& rows,
                       const CodedSignals& coded);

/// p_k ∝ r_k^(−2 sharpness), one hundredth spread evenly.
Matrix residual_probabilities(const Matrix& residuals, double sharpness);

}  // namespace ardent
