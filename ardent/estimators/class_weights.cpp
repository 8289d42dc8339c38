#include "ardent/estimators/class_weights.h"

#include <fmt/format.h>

#include <algorithm>

#include "ardent/base/error.h"
#include "ardent/data/number.h"

namespace ardent {
namespace {

/// "LABEL=WEIGHT"; a label may hold "=", a weight cannot.
bool parse_one(std::string_view item, ClassWeights& weights) {
  const std::size_t equals = item.rfind('=');
  double weight = 0;
  if (equals == item.npos || equals == 0 || !whole_number(item.substr(equals + 1), weight) ||
      weight <= 0 || weight > kLargestWeight) {
    return false;
  }
  weights.emplace_back(item.substr(0, equals), weight);
  return true;
}

bool parse(std::string_view text, ClassWeights& weights) {
  if (text == "none" || text == "balanced") return true;
  while (true) {
    const std::size_t comma = text.find(',');
    if (!parse_one(text.substr(0, comma), weights)) return false;
    if (comma == text.npos) return true;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace

bool is_class_weight(std::string_view text) {
  ClassWeights ignored;
  return parse(text, ignored);
}

ClassWeights parse_class_weights(std::string_view text) {
  ClassWeights weights;
  if (!parse(text, weights)) {
    throw InputError(
        fmt::format("class_weight must be none, balanced or LABEL=WEIGHT,… with weights > 0, not "
                    "{}",
                    in_quotes(text)));
  }
  return weights;
}

void apply_class_weights(const ClassWeights& weights, const ClassTable& classes, Dataset& data) {
  if (weights.empty()) return;
  std::vector<double> of_class(classes.names.size(), 1.0);
  std::vector<bool> named(classes.names.size(), false);
  for (const auto& [label, weight] : weights) {
    const auto found = classes.find(label);
    if (!found) {
      throw InputError(fmt::format("{}: a class weight names {}, and no row has that label",
                                   data.source, in_quotes(label)));
    }
    const auto c = static_cast<std::size_t>(*found);
    if (named[c]) {
      throw InputError(fmt::format("two class weights name the class {}", in_quotes(label)));
    }
    named[c] = true;
    of_class[c] = weight;
  }
  if (data.weights.empty()) data.weights.assign(data.rows(), 1.0);
  const std::vector<std::uint32_t> class_of = encode(data.labels, classes);
  for (std::size_t i = 0; i < class_of.size(); ++i) data.weights[i] *= of_class[class_of[i]];
}

}  // namespace ardent
