// How often the rows of a class count in training: none, balanced, or a number for each class.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ardent/data/dataset.h"

namespace ardent {

/// Labels and how often their rows count, as the option class-weight lists them: "1=5,-1=0.5".
using ClassWeights = std::vector<std::pair<std::string, double>>;

/// Empty for none and balanced; InputError for a text that is neither nor a list.
ClassWeights parse_class_weights(std::string_view text);

/// Does the text name one of the three?
bool is_class_weight(std::string_view text);

/// The rows' weights times those of their classes. InputError for a label that is no class.
void apply_class_weights(const ClassWeights& weights, const ClassTable& classes, Dataset& data);

}  // namespace ardent
