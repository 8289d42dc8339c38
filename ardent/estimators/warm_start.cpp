#include "ardent/estimators/warm_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "ardent/base/container.h"
#include "ardent/base/error.h"

namespace ardent {
namespace {

/// The class of that name in the earlier model; −1 stays −1, −2: it has none.
Index earlier_class(const Model& start, const Model& model, Index index) {
  if (index < 0) return index;
  const std::string& name = model.classes.names[index];
  return start.classes.find(name).value_or(-2);
}

/// The earlier model's part for a problem; sign −1 where its positive class is now the negative
/// one, as classes are counted in the order in which they appear.
struct EarlierPart {
  const Part* part = nullptr;
  double sign = 1;
};

EarlierPart earlier_part(const Model& start, const Model& model, const Problem& problem) {
  const Index positive = earlier_class(start, model, problem.positive);
  const Index negative = earlier_class(start, model, problem.negative);
  for (const Part& part : start.parts) {
    if (part.positive == positive && part.negative == negative) return {&part, 1};
    if (part.positive == negative && part.negative == positive) return {&part, -1};
  }
  return {};
}

/// Place of `value` in an ascending list, if it is there.
std::optional<Index> place_in(std::span<const Index> ascending, Index value) {
  const auto place = std::lower_bound(ascending.begin(), ascending.end(), value);
  if (place == ascending.end() || *place != value) return std::nullopt;
  return place - ascending.begin();
}

/// All that a map's basis functions depend on.
std::string saved(const FeatureMap& map) {
  ContainerWriter file;
  map.save(file);
  return file.bytes({.kind = "map", .version = 1});
}

/// For kernels and hidden nodes: what the earlier model kept must be among the candidates.
void check_basis(const Model& start, const FeatureMap& earlier_map, const TrainingSet& set) {
  const Scaling &earlier = start.scaling, &now = set.model.scaling;
  bool same = start.inputs == set.model.inputs && earlier.offset == now.offset &&
              earlier.factor == now.factor;
  std::vector<Index> places;
  for (const Index origin : earlier_map.origin()) {
    const auto place = place_in(set.map->origin(), origin);
    same = same && place;
    if (place) places.push_back(*place);
  }
  if (same && saved(*set.map->restricted(places)) == saved(earlier_map)) return;
  throw InputError(
      fmt::format("a warm start of the map {} needs the basis functions of the earlier model, but "
                  "rows, scaling, width or hidden nodes have changed: train without it",
                  earlier_map.name()));
}

Vector vector_of(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), std::ssize(values));
}

}  // namespace

std::shared_ptr<const StartingPoint> starting_point(const Model& start, const TrainingSet& set,
                                                    const Problem& problem,
                                                    std::span<const Index> columns) {
  const Model& model = set.model;
  if (map_name(start) != set.map->name() || start.task != model.task) {
    throw InputError(fmt::format(
        "a warm start needs an earlier {} with the map {}, not a {} with {}", task_name(model.task),
        set.map->name(), task_name(start.task), map_name(start)));
  }
  const bool linear = is_linear(start);
  if (!linear) check_basis(start, *std::get<EvidenceModel>(start.kind).map, set);
  const auto [part, sign] = earlier_part(start, model, problem);
  if (!part) return nullptr;
  const Posterior& posterior = part->posterior;
  auto point = std::make_shared<StartingPoint>();
  point->bias = posterior.bias;
  point->noise_variance = posterior.noise_variance;
  std::vector<double> alpha, mean;
  for (Index i = 0; i < posterior.mean.size(); ++i) {
    const Index basis = posterior.active[i];
    const auto place = place_in(set.map->origin(), origin(start)[basis]);
    const auto column = place ? place_in(columns, *place) : std::nullopt;
    if (!column) continue;
    double ratio = 1;  // of the scalings' factors, the new one over the earlier
    if (linear) {
      const double factor = start.scaling.factor[basis];
      ratio = model.scaling.factor[*column] / factor;
      // w(x − o)f over the earlier scaling is the same function of x over the new one.
      point->bias += posterior.mean[i] * factor *
                     (model.scaling.offset[*column] - start.scaling.offset[basis]);
    }
    point->active.push_back(*column);
    alpha.push_back(posterior.alpha[i] * ratio * ratio);
    mean.push_back(sign * posterior.mean[i] / ratio);
  }
  point->alpha = vector_of(alpha);
  point->mean = vector_of(mean);
  point->bias *= sign;
  return point->active.empty() ? nullptr : point;
}

}  // namespace ardent
