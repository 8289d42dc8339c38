// A doubly sparse model (the map `doubly-sparse`): sampled states over which predictions average.
//
//   classification  p(positive) = mean over draws of σ(f_d(x)); plug-in: σ(mean of f_d(x))
//   regression      mean of f_d(x); variance of f_d(x) over draws plus the mean noise variance
//
// A part's posterior holds, for each centre in any draw, mean and variance of its weight over draws
// and, as gamma, how often it was in.
#pragma once

#include <string>
#include <vector>

#include "ardent/data/matrix.h"

namespace ardent {

class Container;
class ContainerWriter;
class ModelRows;
struct Latent;
struct ModelFrame;
struct PredictOptions;
struct Prediction;

/// One sampled state: which inputs and which centres are in it.
///   f(x) = bias + Σ_j weights_j exp(−delta Σ_{k in inputs} s_k (x_k − z_jk)²), z_j the j-th of
///   centres, s_k 1 unless features have widths of their own
struct KernelDraw {
  std::vector<Index> inputs;   // positions among the model's inputs, ascending
  std::vector<Index> centres;  // rows of the model's centres
  Vector weights;              // one per centre
  double bias = 0;
  double delta = 1;
  double noise_variance = 0;        // regression
  std::vector<double> scales = {};  // s, one per input; empty: all 1
};

struct DoublySparseModel {
  static constexpr std::string_view kMap = "doubly-sparse";
  static constexpr std::string_view kHelp =
      "exp(-delta*|x - x_k|^2) over the features that a sampled mask leaves on, averaged over "
      "masks";

  /// Of one part.
  struct Sample {
    std::vector<KernelDraw> draws;
    std::vector<double> inclusion;  // probability of each input
  };

  DenseRows centres;          // of all draws of all parts
  std::vector<Index> origin;  // which training rows they are
  std::vector<Sample> samples;

  std::string_view map_name() const { return kMap; }
  const std::vector<Index>& origins() const { return origin; }
  /// The option that says how it was fitted.
  std::string_view method_option() const { return "sampler"; }
  /// Centres in a draw of a part, on average.
  double mean_centres(std::size_t part) const;
  /// Weights kept (on average over draws), averaged over parts.
  double mean_active(const ModelFrame& model) const;
  std::string describe_fit(const ModelFrame& model) const;
  Prediction predict(const ModelFrame& model, const ModelRows& rows,
                     const PredictOptions& options) const;
  Latent latent(const ModelFrame& model, const ModelRows& rows) const;
  void check(const ModelFrame& model) const;
  /// Numbers of all draws of all parts lie one after the other in a few arrays:
  ///   draws.counts   for each part its draws; then for each draw its inputs and its centres
  ///   draws.inputs, draws.centres, draws.weights
  ///   draws.scales   where features have widths of their own: one for each of draws.inputs
  ///   draws.scalars  bias, delta, noise variance of each draw
  ///   draws.inclusion  each part's inclusion probabilities of the inputs
  void save(const ModelFrame& model, ContainerWriter& file) const;
  /// `model`: its inputs and parts are known.
  static DoublySparseModel load(const Container& file, const ModelFrame& model);
};

}  // namespace ardent
