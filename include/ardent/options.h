// What options have in common. Each is a field, empty where the library's default holds; the
// defaults, rules and formulas of all are in docs/options.md. One without a field of its own is
// given by name in `more`: {.map = Map::elm, .more = {{"hidden-weights", "published"}}}. An option
// that has no effect beside the others is refused (InputError), as on the command line.
#pragma once

#include <map>
#include <string>

#include "ardent/abi.h"

namespace ardent::ARDENT_V0 {

using OptionTexts = std::map<std::string, std::string>;

// Enumerators stand in the order of the option's words.

/// Feature maps: phi_k(x) = x_k; kernels on training rows; hidden nodes; kernels under sampled
/// masks; codes over the training rows. Another map's name goes into `more`: {"map", "…"}.
enum class Map { linear, rbf, elm, doubly_sparse, dictionary };

enum class Engine {
  automatic,
  exact,
  diagonal,
  dqn,
  probes,
  sequential,
  growing,
  path,
  shrinkage,
  thinned
};

/// Of the features, fitted on the training rows.
enum class Scale { automatic, minmax, standard, rms, tfidf, none };

enum class Task { automatic, classification, regression };

enum class CodingMethod { sbl, lasso };

enum class Background { none, constant, map, automatic };

}  // namespace ardent::ARDENT_V0
