#include "ardent/model/model_check.h"

#include <algorithm>
#include <limits>

#include "ardent/maps/feature_arrays.h"

namespace ardent {
namespace {

/// Strictly ascending within [0, limit).
bool ascending_below(const std::vector<Index>& indices, Index limit) {
  Index previous = -1;
  for (const Index i : indices) {
    if (i <= previous || i >= limit) return false;
    previous = i;
  }
  return true;
}

/// A row's length needs the factor of every training column, and those of the inputs are among
/// them.
void check_every_factor(const Model& model) {
  const Scaling& scaling = model.scaling;
  const auto count = std::ssize(scaling.every_factor);
  const Index expected = scaling.unit_rows() ? model.features : 0;
  require_of_model(count == expected,
                   "has {} features and {} scaling, with {} factors for row lengths",
                   model.features, scale_name(scaling.kind), count);
  require_of_model(
      std::ranges::all_of(scaling.every_factor, [](float f) { return std::isfinite(f) && f > 0; }),
      "has factors for row lengths that are not above zero and finite");
  for (std::size_t k = 0; scaling.unit_rows() && k < model.inputs.size(); ++k) {
    const auto column = static_cast<std::size_t>(model.inputs[k]);
    const auto s = static_cast<Index>(k);
    require_of_model(scaling.offset[s] == 0 && scaling.factor[s] == scaling.every_factor[column],
                     "scales column {} otherwise than its rows' lengths count it", column + 1);
  }
}

void check_inputs(const Model& model) {
  // Columns are counted in 32 bits.
  constexpr Index kMostFeatures = std::numeric_limits<std::uint32_t>::max();
  const auto count = std::ssize(model.inputs);
  require_of_model(model.features >= 0 && model.features <= kMostFeatures, "has {} features",
                   model.features);
  require_of_model(model.total >= 0, "has {} candidates", model.total);
  require_of_model(ascending_below(model.inputs, model.features),
                   "uses inputs that are not ascending and below {}", model.features);
  require_of_model(model.feature_names.empty() || model.feature_names.size() == model.inputs.size(),
                   "has {} inputs but {} feature names", count, model.feature_names.size());
  const Scaling& scaling = model.scaling;
  require_of_model(scaling.kind != ScaleKind::automatic, "has an undecided scaling");
  require_of_model(scaling.offset.size() == count && scaling.factor.size() == count,
                   "has {} inputs but {} offsets and {} factors", count, scaling.offset.size(),
                   scaling.factor.size());
  require_of_model(all_finite(scaling.offset) && all_finite(scaling.factor),
                   "has a scaling that is not finite");
  require_of_model(
      scaling.fill.size() == 0 || (scaling.fill.size() == count && all_finite(scaling.fill)),
      "has {} inputs and {} numbers for missing values, all of them finite", count,
      scaling.fill.size());
  check_every_factor(model);
}

void check_classes(const ClassTable& classes) {
  const Index count = classes.size();
  require_of_model(count >= 2 && count <= 65536, "has {} classes", count);
  require_of_model(classes.values.empty() || classes.values.size() == classes.names.size(),
                   "has {} classes but {} class values", count, classes.values.size());
  require_of_model(all_finite(classes.values), "has class values that are not finite");
  require_of_model(classes.positive >= 0 && classes.positive < count,
                   "has {} classes, and number {} is the positive one", count,
                   classes.positive + 1);
}

/// One part for two classes; for more, one per class against the rest or one per pair.
void check_part_classes(const Model& model) {
  const auto parts = std::ssize(model.parts);
  if (model.task == Task::regression) {
    require_of_model(parts == 1, "is for regression and has {} parts instead of 1", parts);
    require_of_model(model.parts[0].positive == -1 && model.parts[0].negative == -1,
                     "is for regression, but its part names classes");
    return;
  }
  if (std::holds_alternative<DictionaryModel>(model.kind)) {
    require_of_model(parts == 0, "codes over a dictionary and has {} parts instead of none", parts);
    return;
  }
  const Index count = model.classes.size();
  const bool pairs = parts > 0 && model.parts[0].negative >= 0 && count > 2;
  const Index expected = count == 2 ? 1 : pairs ? count * (count - 1) / 2 : count;
  require_of_model(parts == expected, "has {} classes and {} parts instead of {}", count, parts,
                   expected);
  std::vector<bool> seen(pairs ? count * count : count, false);
  for (const Part& part : model.parts) {
    const bool in_range = part.positive >= 0 && part.positive < count && part.negative >= -1 &&
                          part.negative < count && part.positive != part.negative;
    const bool fits = in_range && (count == 2 || (part.negative >= 0) == pairs);
    require_of_model(fits, "has a part for class {} against {}", part.positive, part.negative);
    const Index low = std::min(part.positive, part.negative);
    const Index high = std::max(part.positive, part.negative);
    const auto place = static_cast<std::size_t>(pairs ? low * count + high : part.positive);
    require_of_model(!seen[place], "has two parts for class {} against {}", part.positive,
                     part.negative);
    seen[place] = true;
  }
}

void check_posterior(const Posterior& posterior, Index basis, std::size_t part) {
  const auto active = std::ssize(posterior.active);
  const Index weights = active + (posterior.has_bias ? 1 : 0);
  require_of_model(ascending_below(posterior.active, basis),
                   "keeps in part {} weights that are not ascending and below {}", part, basis);
  require_of_model(
      posterior.mean.size() == active && posterior.alpha.size() == active &&
          posterior.gamma.size() == active && posterior.variance.size() == weights,
      "has in part {} {} weights, {} means, {} precisions, {} relevances and {} variances", part,
      active, posterior.mean.size(), posterior.alpha.size(), posterior.gamma.size(),
      posterior.variance.size());
  const Matrix& covariance = posterior.covariance;
  require_of_model(
      covariance.size() == 0 || (covariance.rows() == weights && covariance.cols() == weights),
      "has in part {} {} weights, bias included, and a covariance of {} × {}", part, weights,
      covariance.rows(), covariance.cols());
  require_of_model(all_finite(posterior.mean) && all_finite(posterior.alpha) &&
                       all_finite(posterior.gamma) && all_finite(posterior.variance) &&
                       covariance.allFinite() && std::isfinite(posterior.bias) &&
                       std::isfinite(posterior.noise_variance),
                   "has in part {} numbers that are not finite", part);
  require_of_model((posterior.variance.array() >= 0).all() && posterior.noise_variance >= 0,
                   "has in part {} a negative variance", part);
}

void check_path(const std::vector<PathPoint>& path, Index basis, std::size_t part) {
  for (const PathPoint& point : path) {
    require_of_model(
        ascending_below(point.active, basis) && point.mean.size() == std::ssize(point.active) &&
            all_finite(point.mean) && std::isfinite(point.bias),
        "has in part {} a path whose weights are not ascending, below {} and finite", part, basis);
  }
}

}  // namespace

void check_model(const Model& model) {
  require_of_model(std::isfinite(model.temperature) && model.temperature > 0,
                   "has the temperature {}", model.temperature);
  check_inputs(model);
  std::visit([&](const auto& kind) { kind.check(model); }, model.kind);
  if (model.task == Task::classification) check_classes(model.classes);
  check_part_classes(model);
  const auto basis = std::ssize(origin(model));
  for (std::size_t p = 0; p < model.parts.size(); ++p) {
    check_posterior(model.parts[p].posterior, basis, p + 1);
    check_path(model.parts[p].report.path, basis, p + 1);
  }
}

}  // namespace ardent
