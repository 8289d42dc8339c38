#include "ardent/maps/elm.h"

#include <fmt/format.h>

#include <cmath>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/base/index_range.h"
#include "ardent/base/random.h"
#include "ardent/maps/feature_arrays.h"

namespace ardent {
namespace {

class HiddenLayerRows : public RowSource {
 public:
  HiddenLayerRows(Features features, const DenseRows& weights, const std::vector<double>& biases)
      : HiddenLayerRows(
            std::move(features),
            Eigen::Map<const Matrix>(weights.values.data(), weights.cols, weights.rows).transpose(),
            Eigen::Map<const Vector>(biases.data(), std::ssize(biases))) {}

  HiddenLayerRows(Features features, Matrix weights, Vector biases)
      : RowSource(ardent::rows(features), weights.rows()),
        features_(std::move(features)),
        weights_(std::move(weights)),
        biases_(std::move(biases)) {}

  void fill(Index begin, Index end, Eigen::Ref<Matrix> block) const override {
    if (const auto* sparse = std::get_if<SparseRows>(&features_)) {
      for (Index i = begin; i < end; ++i) activate(*sparse, i, block.col(i - begin));
    } else {
      const auto& dense = std::get<DenseRows>(features_);
      block.noalias() =
          weights_ * Eigen::Map<const Matrix>(dense.values.data() + begin * dense.cols, dense.cols,
                                              end - begin);
      block.colwise() += biases_;
    }
    // Safe at both ends: exp(−z) is at most infinite, and its reciprocal then 0.
    block = -block;
    for (Index i = 0; i < block.cols(); ++i) {
      elementary::exp_in_place(block.col(i).data(), block.rows());
    }
    block.array() = 1 / (1 + block.array());
  }

  std::shared_ptr<const RowSource> select(std::span<const Index> which) const override {
    const auto count = std::ssize(which);
    Matrix weights(count, weights_.cols());
    Vector biases(count);
    for (Index k = 0; k < count; ++k) {
      const Index node = which[k];
      weights.row(k) = weights_.row(node);
      biases[k] = biases_[node];
    }
    return std::make_shared<HiddenLayerRows>(features_, std::move(weights), std::move(biases));
  }

 private:
  /// z = A x_i + b from the entries of a sparse row.
  void activate(const SparseRows& sparse, Index i, Eigen::Ref<Vector> z) const {
    z = biases_;
    const std::uint64_t last = sparse.offsets[i + 1];
    for (std::uint64_t e = sparse.offsets[i]; e < last; ++e) {
      z += static_cast<double>(sparse.values[e]) * weights_.col(sparse.columns[e]);
    }
  }

  Features features_;
  Matrix weights_;  // L×P, a feature's weights side by side
  Vector biases_;
};

}  // namespace

HiddenLayer draw_hidden_layer(Index nodes, Index features, std::uint64_t seed, HiddenWeights kind) {
  if (nodes < 0 || features < 0) {
    throw InputError(
        fmt::format("a hidden layer cannot have {} nodes of {} features", nodes, features));
  }
  Random random(seed);
  HiddenLayer layer;
  layer.weights = {nodes, features,
                   Buffer<double>::allocate(static_cast<std::size_t>(nodes) *
                                            static_cast<std::size_t>(features))};
  const bool scaled = kind == HiddenWeights::scaled && features > 0;
  const double factor = scaled ? 1 / std::sqrt(static_cast<double>(features)) : 1;
  double* weight = layer.weights.values.mutable_data();
  for (Index k = 0; k < nodes; ++k) {
    for (Index j = 0; j < features; ++j) *weight++ = factor * random.uniform(-1, 1);
    layer.biases.push_back(random.uniform(-1, 1));
  }
  return layer;
}

std::unique_ptr<Design> hidden_layer_design(const Features& features, const DenseRows& weights,
                                            const std::vector<double>& biases,
                                            std::size_t memory_limit) {
  if (cols(features) != weights.cols || std::ssize(biases) != weights.rows) {
    throw InputError(fmt::format(
        "the rows are {} × {}, the weights of the hidden layer {} × {} and its biases {}: rows and "
        "weights need the same number of columns, and each node a bias",
        rows(features), cols(features), weights.rows, weights.cols, biases.size()));
  }
  return make_design(std::make_shared<HiddenLayerRows>(features, weights, biases), memory_limit);
}

MapPointer ElmMap::build(const MapRows& rows, const MapOptions& options) {
  return std::make_shared<ElmMap>(
      draw_hidden_layer(
          options.hidden, cols(rows.scaled), options.seed,
          options.published_hidden ? HiddenWeights::published : HiddenWeights::scaled),
      index_range(0, options.hidden));
}

MapPointer ElmMap::load(const Container& file, std::vector<Index> origin, Index) {
  HiddenLayer layer{read_dense(file, "basis.hidden_weights"),
                    file.list<double>("basis.hidden_biases")};
  return std::make_shared<ElmMap>(std::move(layer), std::move(origin));
}

MapPointer ElmMap::restricted(std::span<const Index> kept) const {
  HiddenLayer layer{std::get<DenseRows>(select_rows(Features(layer_.weights), kept)), {}};
  for (const Index k : kept) layer.biases.push_back(layer_.biases[k]);
  return std::make_shared<ElmMap>(std::move(layer), origin_of(kept));
}

void ElmMap::save(ContainerWriter& file) const {
  add_matrix(file, "basis.hidden_weights", layer_.weights);
  file.add("basis.hidden_biases", layer_.biases);
}

void ElmMap::check(Index inputs) const {
  const auto nodes = std::ssize(layer_.biases);
  require_of_model(layer_.weights.rows == nodes && layer_.weights.cols == inputs,
                   "has {} inputs and {} hidden biases, but hidden weights of {} × {}", inputs,
                   nodes, layer_.weights.rows, layer_.weights.cols);
  check_rows(layer_.weights, "hidden weights");
  require_of_model(all_finite(layer_.biases), "has hidden biases that are not finite");
  check_origin(origin(), nodes);
}

}  // namespace ardent
