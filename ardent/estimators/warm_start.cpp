#include "ardent/estimators/warm_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "ardent/base/error.h"

namespace ardent {
namespace {

/// The class of that name in the earlier model; −1 stays −1, −2: it has none.
Index earlier_class(const WarmStart& warm, Index index) {
  if (index < 0) return index;
  const std::string& name = warm.model.classes.names[static_cast<std::size_t>(index)];
  return warm.start.classes.find(name).value_or(-2);
}

/// The earlier model's part for a problem; sign −1 where its positive class is now the negative
/// one, as classes are counted in the order in which they appear.
struct EarlierPart {
  const Part* part = nullptr;
  double sign = 1;
};

EarlierPart earlier_part(const WarmStart& warm, const Problem& problem) {
  const Index positive = earlier_class(warm, problem.positive);
  const Index negative = earlier_class(warm, problem.negative);
  for (const Part& part : warm.start.parts) {
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

bool same_numbers(const Buffer<double>& a, const Buffer<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

bool same_basis(const Basis& a, const Basis& b) {
  if (a.kind == MapKind::elm) {
    return same_numbers(a.hidden_weights.values, b.hidden_weights.values) &&
           a.hidden_biases == b.hidden_biases;
  }
  return a.sigma == b.sigma && cols(a.centres) == cols(b.centres) &&
         same_numbers(to_dense(a.centres).values, to_dense(b.centres).values);
}

/// For kernels and hidden nodes: what the earlier model kept must be what is offered now.
void check_basis(const WarmStart& warm) {
  const std::vector<Index>& origin = warm.start.basis.origin;
  const Scaling &earlier = warm.start.scaling, &now = warm.model.scaling;
  const bool same_inputs = warm.start.inputs == warm.model.inputs && earlier.offset == now.offset &&
                           earlier.factor == now.factor;
  const bool offered =
      std::ranges::all_of(origin, [&](Index k) { return k < warm.candidates.size(); });
  if (same_inputs && offered && same_basis(warm.candidates.basis(origin), warm.start.basis)) return;
  throw InputError(
      fmt::format("a warm start of the map {} needs the basis functions of the earlier model, but "
                  "rows, scaling, width or hidden nodes have changed: train without it",
                  map_name(warm.start.basis.kind)));
}

void append(StartingPoint& point, Index column, double alpha, double mean) {
  const Index count = point.alpha.size();
  point.active.push_back(column);
  point.alpha.conservativeResize(count + 1);
  point.mean.conservativeResize(count + 1);
  point.alpha[count] = alpha;
  point.mean[count] = mean;
}

}  // namespace

std::shared_ptr<const StartingPoint> starting_point(const WarmStart& warm, const Problem& problem) {
  const Model& start = warm.start;
  if (start.basis.kind != warm.candidates.kind() || start.task != warm.model.task) {
    throw InputError(
        fmt::format("a warm start needs an earlier {} with the map {}, not a {} with {}",
                    task_name(warm.model.task), map_name(warm.candidates.kind()),
                    task_name(start.task), map_name(start.basis.kind)));
  }
  const bool linear = start.basis.kind == MapKind::linear;
  if (!linear) check_basis(warm);
  const auto [part, sign] = earlier_part(warm, problem);
  if (!part) return nullptr;
  const Posterior& posterior = part->posterior;
  const auto centres = start.basis.kind == MapKind::rbf ? warm.candidates.centres(problem.rows)
                                                        : std::vector<Index>{};
  auto point = std::make_shared<StartingPoint>();
  point->bias = posterior.bias;
  point->noise_variance = posterior.noise_variance;
  for (std::size_t k = 0; k < posterior.active.size(); ++k) {
    const auto i = static_cast<Index>(k);
    const Index basis = posterior.active[k];
    const Index origin = start.basis.origin[static_cast<std::size_t>(basis)];
    const auto column = linear                             ? place_in(warm.model.inputs, origin)
                        : start.basis.kind == MapKind::rbf ? place_in(centres, origin)
                                                           : std::optional(origin);
    if (!column) continue;
    double ratio = 1;  // of the scalings' factors, the new one over the earlier
    if (linear) {
      const double factor = start.scaling.factor[basis];
      ratio = warm.model.scaling.factor[*column] / factor;
      // w(x − o)f over the earlier scaling is the same function of x over the new one.
      point->bias += posterior.mean[i] * factor *
                     (warm.model.scaling.offset[*column] - start.scaling.offset[basis]);
    }
    append(*point, *column, posterior.alpha[i] * ratio * ratio, sign * posterior.mean[i] / ratio);
  }
  point->bias *= sign;
  return point->active.empty() ? nullptr : point;
}

}  // namespace ardent
