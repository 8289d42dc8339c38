#include "ardent/model/row_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "ardent/base/error.h"
#include "ardent/base/index_range.h"
#include "ardent/maps/elm.h"
#include "ardent/maps/rbf.h"
#include "ardent/model/augmented_variance.h"

namespace ardent {
namespace {

const EvidenceModel& evidence_of(const Model& model) {
  const auto* evidence = std::get_if<EvidenceModel>(&model.kind);
  if (!evidence) {
    throw InputError(fmt::format(
        "a model of the map {} cannot be exported or served row by row: linear, rbf and elm can",
        map_name(model)));
  }
  return *evidence;
}

/// Basis functions that some part keeps, ascending; a model with every stage has others.
std::vector<Index> used_basis(const Model& model) {
  std::vector<Index> used;
  for (const Part& part : model.parts) {
    used.insert(used.end(), part.posterior.active.begin(), part.posterior.active.end());
  }
  std::ranges::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return used;
}

std::vector<double> numbers_in(const Vector& v) {
  return {v.begin(), v.end()};
}

void take_inputs(const ModelFrame& model, std::span<const Index> which, RowModel& row) {
  row.features = model.features;
  for (const Index k : which) row.inputs.push_back(model.inputs[k]);
  const Scaling scaling = select_columns(model.scaling, which);
  row.offset = numbers_in(scaling.offset);
  row.factor = numbers_in(scaling.factor);
  row.fill = numbers_in(scaling.fill);
  if (scaling.unit_rows()) {
    row.every_factor.assign(scaling.every_factor.begin(), scaling.every_factor.end());
  }
}

/// Rows as they are, divided by the width.
std::vector<double> in_widths(const Features& rows, double sigma) {
  const DenseRows dense = to_dense(rows);
  std::vector<double> values(dense.values.begin(), dense.values.end());
  for (double& value : values) value /= sigma;
  return values;
}

void take_map(const FeatureMap& map, RowModel& row) {
  row.basis = map.size();
  if (const auto* rbf = dynamic_cast<const RbfMap*>(&map)) {
    row.map = RowMap::rbf;
    row.points = in_widths(rbf->centres(), rbf->sigma());
    for (double& factor : row.factor) factor /= rbf->sigma();
  } else if (const auto* elm = dynamic_cast<const ElmMap*>(&map)) {
    row.map = RowMap::elm;
    const auto& weights = elm->layer().weights;
    row.points.assign(weights.values.begin(), weights.values.end());
    row.point_biases = elm->layer().biases;
  } else if (!map.linear()) {
    throw InputError(fmt::format("the map {} cannot be exported or served row by row", map.name()));
  }
}

std::vector<double> packed_covariance(const Posterior& posterior) {
  const Matrix& covariance = posterior.covariance;
  std::vector<double> packed;
  for (Index i = 0; i < covariance.rows(); ++i) {
    for (Index j = 0; j <= i; ++j) packed.push_back(covariance(i, j));
  }
  return packed;
}

RowPart row_part(const Part& part, std::span<const Index> used, bool plug_in, bool with_variance) {
  const Posterior& posterior = part.posterior;
  RowPart result;
  result.positive = part.positive;
  result.negative = part.negative;
  for (const Index k : posterior.active) {
    result.active.push_back(std::ranges::lower_bound(used, k) - used.begin());
  }
  result.weights = numbers_in(posterior.mean);
  result.bias = posterior.bias;
  result.has_bias = posterior.has_bias;
  const bool joint = posterior.covariance.size() > 0;
  result.moderated = part.positive >= 0 && joint && !plug_in && !posterior.plug_in;
  result.diagonal = !joint;
  if (!result.moderated && !with_variance) return result;
  result.covariance = joint ? packed_covariance(posterior) : numbers_in(posterior.variance);
  return result;
}

std::vector<double> lower_triangle(const Matrix& matrix) {
  std::vector<double> packed;
  packed.reserve(matrix.rows() * (matrix.rows() + 1) / 2);
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j <= i; ++j) packed.push_back(matrix(i, j));
  }
  return packed;
}

RowProcess row_process(const Augmentation& augmentation, double sigma) {
  RowProcess result;
  result.size = augmentation.size();
  result.rows = in_widths(augmentation.training_rows(), sigma);
  const double amplitude = augmentation.prior().amplitude;
  const Cholesky& factor = augmentation.process().factor();
  result.half =
      lower_triangle(amplitude * factor.half_solve(Matrix::Identity(result.size, result.size)));
  result.ones = numbers_in(augmentation.process().half_ones());
  result.weights = numbers_in(augmentation.mean().weights);
  result.bias = augmentation.mean().bias;
  result.amplitude = amplitude;
  return result;
}

void require_all_pairs(const ModelFrame& model) {
  const Index classes = model.classes.size();
  if (std::ssize(model.parts) == classes * (classes - 1) / 2) return;
  throw InputError(fmt::format("the model has {} classes and {} pairs of them, and needs {}",
                               classes, model.parts.size(), classes * (classes - 1) / 2));
}

}  // namespace

RowModel row_model(const Model& model, const RowModelOptions& options) {
  const EvidenceModel& evidence = evidence_of(model);
  RowModel row;
  row.task = model.task;
  row.classes = model.classes.names;
  row.temperature = model.temperature;
  row.pairs = row.classes.size() > 2 && model.parts[0].negative >= 0;
  if (row.pairs) require_all_pairs(model);
  const std::vector<Index> used = used_basis(model);
  const bool linear = evidence.map->linear();
  take_inputs(model, linear ? used : index_range(0, std::ssize(model.inputs)), row);
  take_map(*evidence.map->restricted(used), row);
  const bool regression = model.task == Task::regression;
  const bool plug_in = options.plug_in || (model.parts.size() > 1 && !options.moderated);
  const bool by_process =
      regression && options.variance && options.process && evidence.augmentation;
  const bool with_variance = regression ? options.variance && !by_process : options.latent;
  for (const Part& part : model.parts) {
    row.parts.push_back(row_part(part, used, plug_in, with_variance));
  }
  if (regression) {
    row.noise_variance = model.parts[0].posterior.noise_variance;
    row.has_variance = options.variance;
    if (by_process) {
      row.process =
          row_process(*evidence.augmentation, dynamic_cast<const RbfMap&>(*evidence.map).sigma());
    }
  }
  return row;
}

}  // namespace ardent
