// Small labelled data sets with a known answer.
#pragma once

#include <string>
#include <vector>

#include "ardent/base/random.h"
#include "ardent/data/dataset.h"

namespace ardent::problems {

/// Two classes "no" and "yes": yes if x_1 − 2 x_2 + noise > 0; further columns are noise.
inline Dataset two_classes(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  Buffer<double> values = Buffer<double>::allocate(rows * cols);
  std::vector<std::string_view> tokens;
  for (Index i = 0; i < rows; ++i) {
    double* x = values.mutable_data() + i * cols;
    for (Index k = 0; k < cols; ++k) x[k] = random.normal();
    tokens.push_back(x[0] - 2 * x[1] + 0.3 * random.normal() > 0 ? "yes" : "no");
  }
  Dataset data;
  data.features = DenseRows{rows, cols, values};
  data.labels = make_labels(tokens);
  data.source = "two_classes";
  return data;
}

/// Three classes "a", "b", "c" around the corners of a triangle in the first two columns.
inline Dataset three_classes(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  constexpr double kCorner[3][2] = {{0, 0}, {4, 0}, {0, 4}};
  constexpr std::string_view kName[3] = {"a", "b", "c"};
  Buffer<double> values = Buffer<double>::allocate(rows * cols);
  std::vector<std::string_view> tokens;
  for (Index i = 0; i < rows; ++i) {
    double* x = values.mutable_data() + i * cols;
    for (Index k = 0; k < cols; ++k) x[k] = random.normal();
    const Index c = i % 3;
    x[0] += kCorner[c][0];
    x[1] += kCorner[c][1];
    tokens.push_back(kName[c]);
  }
  Dataset data;
  data.features = DenseRows{rows, cols, values};
  data.labels = make_labels(tokens);
  data.source = "three_classes";
  return data;
}

/// t = 3 x_1 − x_3 + 5 + noise of standard deviation 0.1.
inline Dataset line(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  Buffer<double> values = Buffer<double>::allocate(rows * cols);
  std::vector<double> targets;
  for (Index i = 0; i < rows; ++i) {
    double* x = values.mutable_data() + i * cols;
    for (Index k = 0; k < cols; ++k) x[k] = random.normal();
    targets.push_back(3 * x[0] - x[2] + 5 + 0.1 * random.normal());
  }
  Dataset data;
  data.features = DenseRows{rows, cols, values};
  data.labels = make_labels(std::move(targets));
  data.source = "line";
  return data;
}

}  // namespace ardent::problems
