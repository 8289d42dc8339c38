#include "ardent/estimators/dictionary_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "ardent/base/error.h"
#include "ardent/base/random.h"
#include "ardent/estimators/trainer.h"
#include "ardent/inference/coding/dictionary.h"

namespace ardent {
namespace {

/// Rows of each class that are not zero, shuffled.
std::vector<std::vector<Index>> shuffled_by_class(const Features& atoms,
                                                  const std::vector<std::uint32_t>& classes,
                                                  Index class_count, std::uint64_t seed) {
  const Vector norms = make_dictionary(atoms)->norms();
  std::vector<std::vector<Index>> by_class(static_cast<std::size_t>(class_count));
  for (Index i = 0; i < norms.size(); ++i) {
    if (norms[i] > 0) by_class[classes[static_cast<std::size_t>(i)]].push_back(i);
  }
  for (std::size_t c = 0; c < by_class.size(); ++c) Random(seed, c).shuffle(by_class[c]);
  return by_class;
}

/// One row of each class in turn until there are enough; ascending.
std::vector<Index> spread_evenly(const std::vector<std::vector<Index>>& by_class, Index wanted) {
  std::vector<Index> chosen;
  std::size_t longest = 0;
  for (const auto& rows_of_class : by_class) longest = std::max(longest, rows_of_class.size());
  for (std::size_t place = 0; place < longest; ++place) {
    for (const auto& rows_of_class : by_class) {
      const bool enough = wanted > 0 && static_cast<Index>(chosen.size()) >= wanted;
      if (!enough && place < rows_of_class.size()) chosen.push_back(rows_of_class[place]);
    }
  }
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace

Model train_dictionary(const Dataset& data, const TrainOptions& options) {
  Model model;
  model.task = resolve_task(data.labels, options.task);
  if (model.task != Task::classification) {
    throw InputError(fmt::format(
        "{}: the map dictionary classifies, and the labels are a regression target", data.source));
  }
  model.features = data.cols();
  model.label_name = data.label_name;
  TrainOptions recorded = options;
  model.options = option_table(recorded).values();
  model.classes = make_classes(data.labels);
  const std::vector<std::uint32_t> classes = encode(data.labels, model.classes);
  const ScaleKind scale = parse_scale(options.scale);
  model.scaling =
      fit_scaling(data.features, scale == ScaleKind::automatic ? ScaleKind::none : scale);
  model.inputs.resize(static_cast<std::size_t>(data.cols()));
  std::iota(model.inputs.begin(), model.inputs.end(), Index{0});
  model.feature_names = data.feature_names;
  const Features scaled = apply_scaling(data.features, model.scaling);
  const auto chosen = spread_evenly(
      shuffled_by_class(scaled, classes, model.classes.size(), options.seed), options.atoms);
  model.basis.kind = MapKind::dictionary;
  model.basis.centres = select_rows(scaled, chosen);
  model.basis.origin = chosen;
  for (const Index i : chosen) {
    model.basis.atom_classes.push_back(classes[static_cast<std::size_t>(i)]);
  }
  model.basis.coding = code_options(options.coder);
  model.total = static_cast<Index>(chosen.size());
  return model;
}

}  // namespace ardent
