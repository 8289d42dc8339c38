#include "ardent/estimators/feature_widths.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "ardent/base/error.h"
#include "ardent/base/index_range.h"
#include "ardent/inference/evidence/feature_factors.h"
#include "ardent/inference/row_counts.h"
#include "ardent/maps/linear.h"

namespace ardent {
namespace {

constexpr std::size_t kNamed = 6;  // features in the note

std::string widths_note(const TrainingSet& set, const Vector& factors) {
  std::vector<Index> order = index_range(0, factors.size());
  std::ranges::stable_sort(order, std::greater<>(), [&](Index j) { return factors[j]; });
  std::string named;
  for (std::size_t k = 0; k < std::min(order.size(), kNamed); ++k) {
    const Index column = set.model.inputs[order[k]];
    const auto& names = set.data.feature_names;
    named += fmt::format("{}{} {:.3g}", k == 0 ? "" : ", ",
                         names.empty() ? fmt::format("feature {}", column + 1) : names[column],
                         factors[order[k]]);
  }
  return fmt::format("widths: per feature, learnt by the evidence of the process; factors: {}{}",
                     named, order.size() > kNamed ? ", …" : "");
}

}  // namespace

std::string scale_by_feature_widths(TrainingSet& set) {
  if (set.model.task != Task::regression) {
    throw InputError("widths per-feature is for regressions, but the labels are classes");
  }
  if (set.model.scaling.unit_rows()) {
    throw InputError("widths per-feature is not for the scale tfidf: choose another");
  }
  const Target& target = set.problems.front().target;
  const auto design = linear_design(set.scaled);
  const Matrix x = design->columns(index_range(0, cols(set.scaled)));
  const Vector factors = learn_feature_factors(x, target.t, row_counts(target));
  set.model.scaling.factor.array() *= factors.array();
  set.scaled =
      apply_scaling(select_columns(set.data.features, set.model.inputs), set.model.scaling);
  return widths_note(set, factors);
}

}  // namespace ardent
