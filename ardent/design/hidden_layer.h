// A hidden layer of sigmoid nodes with random weights (an extreme learning machine):
// phi_ik = 1 / (1 + exp(−a_kᵀx_i − b_k)).
#pragma once

#include <cstdint>
#include <vector>

#include "ardent/data/matrix.h"
#include "ardent/design/lazy.h"

namespace ardent {

struct HiddenLayer {
  DenseRows weights;  // L×P, row k is a_k
  std::vector<double> biases;
};

/// a, b ~ U[−1, 1], node by node: the first L nodes of a seed are the same whatever their number.
HiddenLayer draw_hidden_layer(Index nodes, Index features, std::uint64_t seed);

/// In memory where N×L doubles fit `memory_limit` bytes, computed at each use otherwise.
std::unique_ptr<Design> hidden_layer_design(const Features& rows, const DenseRows& weights,
                                            const std::vector<double>& biases,
                                            std::size_t memory_limit = kMaterialiseLimitBytes);

}  // namespace ardent
