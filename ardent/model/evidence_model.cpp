#include "ardent/model/evidence_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "ardent/base/container.h"
#include "ardent/base/parallel.h"
#include "ardent/inference/evidence/bernoulli.h"
#include "ardent/model/augmented_variance.h"
#include "ardent/model/block_prediction.h"
#include "ardent/model/linear_means.h"
#include "ardent/model/model_parts.h"

namespace ardent {
namespace {

void dense_part(const Posterior& posterior, const Matrix& phi, Index part, Moments& moments) {
  Matrix own;
  const bool all = std::ssize(posterior.active) == phi.cols();
  if (!all) own = phi(Eigen::all, posterior.active);
  const Matrix& used = all ? phi : own;
  moments.mean.col(part) = used * posterior.mean;
  moments.mean.col(part).array() += posterior.bias;
  if (moments.variance.size() > 0) {
    moments.variance.col(part) = row_variances(posterior, used);
  }
}

/// Sparse rows of a linear model whose weights are taken as independent: no need of dense rows.
void sparse_part(const Posterior& posterior, const SparseRows& rows, Index part, Moments& moments) {
  const bool with_variance = moments.variance.size() > 0;
  Vector weight = Vector::Zero(rows.cols);
  Vector spread = Vector::Zero(rows.cols);
  for (std::size_t k = 0; k < posterior.active.size(); ++k) {
    weight[posterior.active[k]] = posterior.mean[k];
    if (with_variance) spread[posterior.active[k]] = posterior.variance[k];
  }
  const double bias_spread =
      posterior.has_bias && with_variance ? posterior.variance[posterior.mean.size()] : 0;
  for (Index i = 0; i < rows.rows; ++i) {
    double mean = posterior.bias;
    double variance = bias_spread;
    const auto end = rows.offsets[i + 1];
    for (auto e = rows.offsets[i]; e < end; ++e) {
      const double x = rows.values[e];
      mean += weight[rows.columns[e]] * x;
      variance += spread[rows.columns[e]] * x * x;
    }
    moments.mean(i, part) = mean;
    if (with_variance) moments.variance(i, part) = variance;
  }
}

/// Keeps rows × basis functions in memory. Without a part's covariance, the diagonal stands for it.
Moments part_moments(const EvidenceModel& model, const std::vector<Part>& parts,
                     const Features& scaled, bool with_variance) {
  const FeatureMap& map = *model.map;
  const auto count = std::ssize(parts);
  Moments moments;
  moments.mean.resize(rows(scaled), count);
  if (with_variance) moments.variance.resize(rows(scaled), count);
  const auto* sparse = std::get_if<SparseRows>(&scaled);
  Matrix phi;  // made when the first part needs it
  for (Index p = 0; p < count; ++p) {
    const Posterior& posterior = parts[p].posterior;
    const bool independent = !with_variance || posterior.covariance.size() == 0;
    if (map.linear() && sparse && independent) {
      sparse_part(posterior, *sparse, p, moments);
    } else {
      if (phi.rows() != rows(scaled)) phi = map.values(scaled);
      dense_part(posterior, phi, p, moments);
    }
  }
  if (with_variance && model.augmentation) {
    moments.variance.col(0) = model.augmentation->variance(scaled, moments.mean.col(0));
  }
  return moments;
}

/// Rows × parts: the probability of each part's positive class.
Matrix part_probabilities(const std::vector<Part>& parts, const Moments& moments, bool plug_in) {
  Matrix p = moments.mean;
  for (Index k = 0; k < p.cols(); ++k) {
    const bool joint = parts[k].posterior.covariance.size() > 0;
    for (Index i = 0; i < p.rows(); ++i) {
      const bool mean_only = plug_in || !joint || parts[k].posterior.plug_in;
      p(i, k) =
          mean_only ? bernoulli::sigmoid(p(i, k)) : moderated(p(i, k), moments.variance(i, k));
    }
  }
  return p;
}

/// Probabilities of 1 or 0, on the side of ½ where those of f are.
Matrix certain_classes(Matrix f) {
  constexpr double kClear = 1e-15;  // beyond it sigma(f) rounds to less than ½
  for (double& value : f.reshaped()) {
    const bool positive = value >= 0 || (value > -kClear && bernoulli::sigmoid(value) >= 0.5);
    value = positive ? 1 : 0;
  }
  return f;
}

/// The moments of rows [begin, end). Of a linear model on dense rows the mean needs no scaled copy,
/// and has the same bits with the variance and without.
class BlockMoments {
 public:
  BlockMoments(const EvidenceModel& model, const ModelFrame& frame, const ModelRows& rows)
      : model_(model), parts_(frame.parts), rows_(rows) {
    const bool apt = model.map->linear() && !model.augmentation && parts_.size() == 1 &&
                     std::holds_alternative<DenseRows>(rows.unscaled());
    if (apt) means_ = LinearMeans::of(rows.scaling(), parts_[0].posterior);
  }

  Moments operator()(Index begin, Index end, bool with_variance) const {
    Moments found;
    if (!means_ || with_variance) {
      found = part_moments(model_, parts_, rows_.scaled(begin, end), with_variance);
    }
    if (means_) found.mean = (*means_)(std::get<DenseRows>(rows_.unscaled()), begin, end);
    return found;
  }

 private:
  const EvidenceModel& model_;
  const std::vector<Part>& parts_;
  const ModelRows& rows_;
  std::optional<LinearMeans> means_;
};

}  // namespace

Vector row_variances(const Posterior& posterior, const Matrix& phi) {
  const Index m = phi.cols();
  const Matrix& covariance = posterior.covariance;
  const bool full = covariance.size() > 0;
  const double bias_variance = !posterior.has_bias ? 0
                               : full              ? covariance(m, m)
                                                   : posterior.variance[m];
  Vector v = Vector::Constant(phi.rows(), bias_variance);
  if (m == 0) return v;
  if (!full) {
    v += phi.array().square().matrix() * posterior.variance.head(m);
    return v;
  }
  // The lower triangle, as the model file keeps it: a loaded model predicts the same bits.
  const Matrix block = covariance.topLeftCorner(m, m);
  const Matrix product = phi * block.selfadjointView<Eigen::Lower>();
  v += product.cwiseProduct(phi).rowwise().sum();
  if (posterior.has_bias) v += 2 * (phi * covariance.row(m).head(m).transpose());
  return v.cwiseMax(0.0);  // rounding may leave −1e-17
}

Index EvidenceModel::values_per_row() const {
  return std::max(map->size(), augmentation ? augmentation->size() : 0);
}

Prediction EvidenceModel::predict(const ModelFrame& model, const ModelRows& rows,
                                  const PredictOptions& options) const {
  const bool plug_in = options.plug_in || (model.parts.size() > 1 && !options.moderated);
  const BlockMoments moments(*this, model, rows);
  return predict_blocks(
      model, rows, values_per_row(), options,
      [&](Index begin, Index end) {
        if (plug_in && !options.probabilities && model.classes.size() == 2) {
          return certain_classes(moments(begin, end, false).mean);
        }
        return part_probabilities(model.parts, moments(begin, end, !plug_in), plug_in);
      },
      [&](Index begin, Index end) { return moments(begin, end, options.variance); });
}

Latent EvidenceModel::latent(const ModelFrame& model, const ModelRows& rows) const {
  const auto parts = std::ssize(model.parts);
  Latent found{{Matrix(rows.size(), parts), Matrix(rows.size(), parts)}};
  const BlockMoments moments(*this, model, rows);
  parallel_blocks(rows.size(), row_block(values_per_row()), [&](Index begin, Index end) {
    const Moments block = moments(begin, end, true);
    found.moments.mean.middleRows(begin, end - begin) = block.mean;
    found.moments.variance.middleRows(begin, end - begin) = block.variance;
  });
  return found;
}

double EvidenceModel::mean_active(const ModelFrame& model) const {
  return mean_posterior_size(model);
}

std::string EvidenceModel::describe_fit(const ModelFrame& model) const {
  std::map<std::string, Index> statuses;
  std::size_t stages = 0;
  for (const Part& part : model.parts) {
    ++statuses[std::string(status_name(part.report.status))];
    stages += part.report.stages.size();
  }
  std::string status;
  for (const auto& [name, count] : statuses) {
    if (!status.empty()) status += ", ";
    status += model.parts.size() == 1 ? name : fmt::format("{} {}", count, name);
  }
  std::string text =
      fmt::format("{} after {} stages; log evidence {:.4f}; ", status, stages, log_evidence(model));
  if (model.parts.size() == 1) {
    text += fmt::format("kept {} of {}", model.parts[0].posterior.active.size(), model.total);
  } else {
    text += fmt::format("kept {:.1f} × {} models of {}", mean_active(model), model.parts.size(),
                        model.total);
  }
  if (model.task == Task::regression) {
    text += fmt::format("; noise sd {:.6g}", std::sqrt(model.parts[0].posterior.noise_variance));
  }
  return text;
}

void EvidenceModel::check(const ModelFrame& model) const {
  map->check(std::ssize(model.inputs));
}

void EvidenceModel::save(const ModelFrame& model, ContainerWriter& file) const {
  file.add("basis.origin", map->origin());
  map->save(file);
  if (augmentation) augmentation->save(file);
  add_parts(file, model.parts);
}

EvidenceModel EvidenceModel::load(const Container& file, const ModelFrame& model) {
  const MapEntry* entry = find_map(file.about().at("map").get<std::string>());
  const auto inputs = std::ssize(model.inputs);
  EvidenceModel loaded{entry->load(file, file.list<Index>("basis.origin"), inputs)};
  if (model.parts.size() == 1) {
    loaded.augmentation =
        Augmentation::load(file, *loaded.map, model.parts.front().posterior, inputs);
  }
  return loaded;
}

}  // namespace ardent
