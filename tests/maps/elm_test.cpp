#include "ardent/maps/elm.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/design/brute_force.h"
#include "tests/maps/map_checks.h"

namespace ardent {
namespace {

using brute_force::expect_design;
using brute_force::expect_same_bits;
using problems::dense_rows;
using problems::random_matrix;
using problems::sparse_rows;

constexpr std::size_t kNeverDense = 0;

Matrix layer_of(const Matrix& x, const HiddenLayer& layer) {
  Matrix phi(x.rows(), layer.weights.rows);
  for (Index i = 0; i < phi.rows(); ++i) {
    for (Index k = 0; k < phi.cols(); ++k) {
      double z = layer.biases[k];
      for (Index j = 0; j < x.cols(); ++j) {
        z += x(i, j) * layer.weights.row(k)[j];
      }
      phi(i, k) = z >= 0 ? 1 / (1 + std::exp(-z)) : std::exp(z) / (1 + std::exp(z));
    }
  }
  return phi;
}

TEST(HiddenLayer, EveryOperationMatchesTheFormulaInEveryForm) {
  const Matrix x = random_matrix(80, 11, 1, 0.4);
  const HiddenLayer layer = draw_hidden_layer(25, 11, 3);
  const Matrix phi = layer_of(x, layer);
  for (const Features& rows : {Features(dense_rows(x)), Features(sparse_rows(x))}) {
    for (const std::size_t limit : {kNeverDense, kMaterialiseLimitBytes}) {
      expect_design(*hidden_layer_design(rows, layer.weights, layer.biases, limit), phi);
    }
  }
}

TEST(HiddenLayer, TheFirstNodesAreTheSameWhateverTheirNumber) {
  const HiddenLayer few = draw_hidden_layer(5, 4, 42);
  const HiddenLayer many = draw_hidden_layer(50, 4, 42);
  for (Index k = 0; k < 5; ++k) {
    EXPECT_THAT(few.weights.row(k), testing::ElementsAreArray(many.weights.row(k)));
    EXPECT_EQ(few.biases[k], many.biases[k]);
  }
  const HiddenLayer other = draw_hidden_layer(5, 4, 43);
  EXPECT_NE(few.weights.values[0], other.weights.values[0]);
}

TEST(HiddenLayer, WeightsAreThePublishedOnesOverTheRootOfTheFeatures) {
  const HiddenLayer layer = draw_hidden_layer(20, 400, 7);
  const HiddenLayer published = draw_hidden_layer(20, 400, 7, HiddenWeights::published);
  for (std::size_t k = 0; k < 8000; ++k) {
    EXPECT_NEAR(layer.weights.values[k], published.weights.values[k] / 20, 1e-15);
  }
  EXPECT_EQ(layer.biases, published.biases);
}

TEST(HiddenLayer, PublishedWeightsAndBiasesAreUniformBetweenMinusOneAndOne) {
  const HiddenLayer layer = draw_hidden_layer(2000, 9, 7, HiddenWeights::published);
  double sum = 0, squares = 0, largest = 0;
  const auto add = [&](double v) {
    sum += v;
    squares += v * v;
    largest = std::max(largest, std::abs(v));
  };
  for (const double v : layer.weights.values.span()) add(v);
  for (const double v : layer.biases) add(v);
  const double count = 20000;
  EXPECT_LE(largest, 1);
  EXPECT_GT(largest, 0.999);
  // Five standard errors: sd(v) = 1/√3, sd(v²) = √(4/45).
  EXPECT_NEAR(sum / count, 0, 5 * std::sqrt(1 / 3.0 / count));
  EXPECT_NEAR(squares / count, 1 / 3.0, 5 * std::sqrt(4 / 45.0 / count));
}

TEST(HiddenLayer, HugeActivationsSaturateWithoutNaN) {
  const DenseRows weights = dense_rows(Matrix{{1}, {-1}, {1e300}});
  const Features x = dense_rows(Matrix{{1e300}, {-1e300}, {0}});
  const auto design = hidden_layer_design(x, weights, {0, 0, 0});
  const Matrix phi = design->columns(std::vector<Index>{0, 1, 2});
  const Matrix wanted{{1, 0, 1}, {0, 1, 0}, {0.5, 0.5, 0.5}};
  EXPECT_LE((phi - wanted).cwiseAbs().maxCoeff(), 1e-300);
}

TEST(HiddenLayer, OneRowOneNodeNoNodesNoFeatures) {
  for (const auto& [n, m, p] : {std::tuple<Index, Index, Index>{1, 1, 1},
                                {1, 9, 3},
                                {9, 1, 3},
                                {5, 4, 0},
                                {6, 0, 3},
                                {0, 3, 2}}) {
    const Matrix x = random_matrix(n, p, 9);
    const HiddenLayer layer = draw_hidden_layer(m, p, 10);
    for (const Features& rows : {Features(dense_rows(x)), Features(sparse_rows(x))}) {
      for (const std::size_t limit : {kNeverDense, kMaterialiseLimitBytes}) {
        const auto design = hidden_layer_design(rows, layer.weights, layer.biases, limit);
        expect_design(*design, layer_of(x, layer));
      }
    }
  }
}

TEST(HiddenLayer, SameBitsForAnyNumberOfThreads) {
  const Matrix x = random_matrix(700, 10, 11, 0.5);
  const HiddenLayer layer = draw_hidden_layer(400, 10, 12);
  for (const Features& rows : {Features(dense_rows(x)), Features(sparse_rows(x))}) {
    for (const std::size_t limit : {kNeverDense, kMaterialiseLimitBytes}) {
      expect_same_bits(
          [&] { return hidden_layer_design(rows, layer.weights, layer.biases, limit); });
    }
  }
}

TEST(HiddenLayer, MismatchedShapesAreRefusedWithAllShapes) {
  const Features x = dense_rows(random_matrix(3, 2, 14));
  const HiddenLayer layer = draw_hidden_layer(4, 5, 1);
  try {
    hidden_layer_design(x, layer.weights, layer.biases);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("the rows are 3 × 2"));
    EXPECT_THAT(error.what(), testing::HasSubstr("4 × 5 and its biases 4"));
  }
  const HiddenLayer right = draw_hidden_layer(4, 2, 1);
  EXPECT_THROW(hidden_layer_design(x, right.weights, {1, 2, 3}), InputError);
  EXPECT_THROW(draw_hidden_layer(-1, 2, 1), InputError);
}

TEST(ElmMap, IsBuiltRestrictedSavedAndLoaded) {
  const Features rows = dense_rows(random_matrix(12, 5, 1));
  const auto map = find_map("elm")->build({rows, index_range(0, 12), index_range(0, 5)},
                                          {.hidden = 7, .seed = 3});
  expect_map(*map, rows);
  expect_restricted(*map, rows);
  EXPECT_EQ(map->origin(), index_range(0, 7));
  const HiddenLayer layer = draw_hidden_layer(7, 5, 3);
  EXPECT_EQ(dynamic_cast<const ElmMap&>(*map).layer().biases, layer.biases);
}
}  // namespace
}  // namespace ardent
