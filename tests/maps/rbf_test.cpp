#include "ardent/maps/rbf.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "ardent/design/dense.h"
#include "ardent/maps/shared_distances.h"
#include "tests/design/brute_force.h"
#include "tests/maps/map_checks.h"

namespace ardent {
namespace {

using brute_force::expect_design;
using brute_force::expect_near;
using brute_force::expect_same_bits;
using problems::dense_rows;
using problems::random_matrix;
using problems::sparse_rows;

constexpr std::size_t kAlwaysLazy = 0;

/// From the differences, entry by entry, in long double.
Matrix kernel_of(const Matrix& x, const Matrix& z, double sigma) {
  Matrix phi(x.rows(), z.rows());
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index k = 0; k < z.rows(); ++k) {
      long double distance = 0;
      for (Index j = 0; j < x.cols(); ++j) {
        const long double difference = static_cast<long double>(x(i, j)) - z(k, j);
        distance += difference * difference;
      }
      phi(i, k) = static_cast<double>(std::exp(-distance / sigma / sigma));
    }
  }
  return phi;
}

std::vector<std::pair<Features, Features>> all_forms(const Matrix& x, const Matrix& z) {
  return {{dense_rows(x), dense_rows(z)},
          {dense_rows(x), sparse_rows(z)},
          {sparse_rows(x), dense_rows(z)},
          {sparse_rows(x), sparse_rows(z)}};
}

Matrix all_columns(const Design& design) {
  std::vector<Index> which(design.cols());
  for (std::size_t k = 0; k < which.size(); ++k) which[k] = static_cast<Index>(k);
  return design.columns(which);
}

TEST(GaussianKernel, EveryOperationMatchesTheFormulaInEveryForm) {
  const Matrix x = random_matrix(90, 7, 1, 0.5);
  const Matrix z = random_matrix(37, 7, 2, 0.5);
  const Matrix phi = kernel_of(x, z, 1.7);
  for (const auto& [rows, centres] : all_forms(x, z)) {
    SCOPED_TRACE(testing::Message() << is_sparse(rows) << is_sparse(centres));
    expect_design(*gaussian_kernel_design(rows, centres, 1.7), phi);
    expect_design(*gaussian_kernel_design(rows, centres, 1.7, kAlwaysLazy), phi);
  }
}

TEST(GaussianKernel, LazyAndMaterialisedAgree) {
  const Matrix x = random_matrix(700, 12, 3);
  const Matrix z = random_matrix(300, 12, 4);
  const auto held = gaussian_kernel_design(dense_rows(x), dense_rows(z), 4);
  const auto lazy = gaussian_kernel_design(dense_rows(x), dense_rows(z), 4, kAlwaysLazy);
  EXPECT_NE(dynamic_cast<const DenseDesign*>(held.get()), nullptr);
  EXPECT_NE(dynamic_cast<const LazyDesign*>(lazy.get()), nullptr);
  const auto a = brute_force::all_results(*held);
  const auto b = brute_force::all_results(*lazy);
  ASSERT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]) / std::max(1.0, std::abs(a[i])));
  }
  EXPECT_LE(largest, 1e-13);
}

TEST(GaussianKernel, TheLimitDecidesAtExactlyTheBytesOfTheMatrix) {
  const Features x = dense_rows(random_matrix(10, 2, 5));
  const auto fits = gaussian_kernel_design(x, x, 1, 10 * 10 * 8);
  const auto exceeds = gaussian_kernel_design(x, x, 1, 10 * 10 * 8 - 1);
  EXPECT_NE(dynamic_cast<const DenseDesign*>(fits.get()), nullptr);
  EXPECT_NE(dynamic_cast<const LazyDesign*>(exceeds.get()), nullptr);
}

// ‖x‖² + ‖z‖² − 2xᵀz alone gives 1 − 1e-9 here.
TEST(GaussianKernel, ARowAgainstItselfGivesExactlyOneFarFromTheOriginAndAtNarrowWidths) {
  Matrix x = random_matrix(50, 30, 6, 0.6);
  x.array() += 1000;
  x = x.cast<float>().cast<double>();
  for (const double sigma : {1.0 / 32, 1.0, 32.0}) {
    for (const auto& [rows, centres] : all_forms(x, x)) {
      const Matrix phi = all_columns(*gaussian_kernel_design(rows, centres, sigma));
      EXPECT_EQ(phi.diagonal(), Vector::Ones(50));
    }
  }
}

TEST(GaussianKernel, CancellationNearByDoesNotCostDigits) {
  // Pairs at every distance from 1e-8 to 1, on data far from the origin.
  Matrix x = random_matrix(40, 3, 7);
  x.array() += 50;
  Matrix z = x;
  for (Index i = 0; i < 40; ++i) z(i, 0) += std::pow(10.0, -8.0 * static_cast<double>(i) / 39);
  for (const double sigma : {1e-6, 1e-3, 0.1, 3.0}) {
    const Matrix phi = all_columns(*gaussian_kernel_design(dense_rows(x), dense_rows(z), sigma));
    // 50 has roundings of 7e-15 from centring: against widths of 1e-6 they are 1e-8 of a step.
    const double rounding = 1e-13 + 20 * 7e-15 / sigma;
    EXPECT_LE((phi - kernel_of(x, z, sigma)).cwiseAbs().maxCoeff(), rounding) << sigma;
  }
}

TEST(GaussianKernel, ExtremeWidthsAndValuesGiveZeroOrOneAndNeverNaN) {
  const Matrix x = 0x1p20 * random_matrix(20, 4, 8);  // still exact in float32
  for (const double sigma : {1e-300, 1e-160, 1e-3, 1e200}) {
    for (const auto& [rows, centres] : all_forms(x, x)) {
      const Matrix phi = all_columns(*gaussian_kernel_design(rows, centres, sigma));
      Matrix wanted = Matrix::Identity(20, 20);
      if (sigma > 1) wanted.setOnes();
      EXPECT_TRUE(phi == wanted) << sigma;
    }
  }
  const Features huge = dense_rows(Matrix{{1e200, 0}, {-1e200, 1e180}});
  EXPECT_EQ(all_columns(*gaussian_kernel_design(huge, huge, 1)), Matrix(Matrix::Identity(2, 2)));
}

TEST(GaussianKernel, OneRowOneCentreNoFeaturesNoCentres) {
  for (const auto& [n, m, p] : {std::tuple<Index, Index, Index>{1, 1, 1},
                                {1, 9, 3},
                                {9, 1, 3},
                                {5, 4, 0},
                                {6, 0, 3},
                                {0, 3, 2}}) {
    const Matrix x = random_matrix(n, p, 9);
    const Matrix z = random_matrix(m, p, 10);
    for (const auto& [rows, centres] : all_forms(x, z)) {
      for (const std::size_t limit : {kAlwaysLazy, kMaterialiseLimitBytes}) {
        expect_design(*gaussian_kernel_design(rows, centres, 2, limit), kernel_of(x, z, 2));
      }
    }
  }
}

TEST(GaussianKernel, SameBitsForAnyNumberOfThreads) {
  const Matrix x = random_matrix(700, 9, 11, 0.4);
  const Matrix z = random_matrix(300, 9, 12, 0.4);
  for (const auto& [rows, centres] : all_forms(x, z)) {
    for (const std::size_t limit : {kAlwaysLazy, kMaterialiseLimitBytes}) {
      expect_same_bits([&] { return gaussian_kernel_design(rows, centres, 2, limit); });
    }
  }
}

// The exponential's last bit depends on where in a block a number lies, a product's on the block's
// size: odd sizes, and rows enough for several blocks.
TEST(GaussianKernel, HeldDistancesGiveTheSameBitsAsAKernelOfItsOwn) {
  const Matrix x = random_matrix(731, 9, 16, 0.5);
  const Matrix z = random_matrix(303, 9, 17, 0.5);
  for (const auto& [rows, centres] : all_forms(x, z)) {
    const auto held = held_in_memory(squared_distances(rows, centres));
    for (const double sigma : {0.1, 1.7, 30.0}) {
      const auto own = gaussian_kernel_design(rows, centres, sigma);
      const auto shared = gaussian_kernel_design(held, sigma);
      EXPECT_EQ(brute_force::all_results(*own), brute_force::all_results(*shared)) << sigma;
    }
  }
}

TEST(GaussianKernel, HeldDistancesDoNotDependOnTheNumberOfThreads) {
  const Features x = dense_rows(random_matrix(700, 9, 18));
  expect_same_bits(
      [&] { return gaussian_kernel_design(held_in_memory(squared_distances(x, x)), 2.0); });
}

TEST(GaussianKernel, WidthsThatAreNotPositiveAndFiniteAreRefused) {
  const Features x = dense_rows(random_matrix(3, 2, 13));
  for (const double sigma : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_THROW(gaussian_kernel_design(x, x, sigma), InputError) << sigma;
  }
}

TEST(GaussianKernel, DifferentColumnsAreRefusedWithBothShapes) {
  const Features x = dense_rows(random_matrix(3, 2, 14));
  const Features z = sparse_rows(random_matrix(4, 5, 15));
  try {
    gaussian_kernel_design(x, z, 1);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("the rows are 3 × 2 but the centres are 4 × 5"));
  }
}

TEST(RbfMap, AutomaticSigmaIsTwiceTheMedianDistance) {
  // Points 0, 1, 3: distances 1, 2, 3.
  Buffer<double> values = Buffer<double>::copy_of(std::vector<double>{0, 1, 3});
  EXPECT_NEAR(automatic_sigma(DenseRows{3, 1, values}), 4, 1e-12);
  EXPECT_EQ(automatic_sigma(DenseRows{1, 1, Buffer<double>::copy_of(std::vector<double>{7})}), 1);
}

TEST(RbfMap, IsBuiltRestrictedSavedAndLoaded) {
  const Matrix x = random_matrix(12, 5, 1, 0.5);
  for (const Features& rows : {Features(dense_rows(x)), Features(sparse_rows(x))}) {
    const std::vector<Index> origin = index_range(30, 42);
    const auto map = find_map("rbf")->build({rows, origin, index_range(0, 5)}, {.sigma = 1.5});
    expect_map(*map, rows);
    expect_restricted(*map, rows);
    EXPECT_EQ(map->origin(), origin);
    EXPECT_EQ(map->parameters().at(0), (std::pair<std::string, double>{"sigma", 1.5}));
  }
}

TEST(RbfMap, ARowGivenTwiceIsOneCandidate) {
  Matrix x = random_matrix(6, 3, 2);
  x.row(4) = x.row(1);
  const Features rows = dense_rows(x);
  const auto map = find_map("rbf")->build({rows, index_range(0, 6), index_range(0, 3)}, {});
  EXPECT_EQ(map->size(), 6);
  EXPECT_EQ(map->candidates(index_range(0, 6)), (std::vector<Index>{0, 1, 2, 3, 5}));
  EXPECT_EQ(map->candidates(std::vector<Index>{2, 4, 5}), (std::vector<Index>{2, 4, 5}));
  SharedDistances distances(1 << 20);
  const auto shared =
      find_map("rbf")->build({rows, index_range(0, 6), index_range(0, 3), &distances}, {});
  const std::vector<Index> all = index_range(0, 6);
  const auto design = map->training_design(rows, all), other = shared->training_design(rows, all);
  ASSERT_EQ(design->cols(), 5);
  ASSERT_EQ(other->cols(), 5);
  const auto columns = index_range(0, 5);
  EXPECT_LT((design->columns(columns) - other->columns(columns)).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(RbfMap, OfManyRowsSoManyAreCandidatesWhateverTheirOrder) {
  Matrix x = random_matrix(40, 3, 3);
  x.row(7) = x.row(31);
  const auto build = [](const Matrix& rows) {
    return find_map("rbf")->build({dense_rows(rows), index_range(0, 40), index_range(0, 3)},
                                  {.sigma = 1, .centres = 10});
  };
  const auto map = build(x);
  const std::vector<Index> all = index_range(0, 40), chosen = map->candidates(all);
  ASSERT_EQ(chosen.size(), 10u);
  EXPECT_TRUE(std::ranges::is_sorted(chosen));
  EXPECT_EQ(map->candidates(index_range(3, 13)), index_range(3, 13)) << "few enough";
  const auto design = map->training_design(dense_rows(x), all);
  ASSERT_EQ(design->cols(), 10);
  EXPECT_LT((all_columns(*design) - kernel_of(x, x(chosen, Eigen::all), 1)).norm(), 1e-12);
  const Matrix reversed = x.colwise().reverse();
  std::vector<Index> mirrored;
  for (const Index k : build(reversed)->candidates(all)) {
    mirrored.push_back(39 - k == 31 ? 7 : 39 - k);  // of copies the first one given is taken
  }
  std::ranges::sort(mirrored);
  EXPECT_EQ(mirrored, chosen);
}

}  // namespace
}  // namespace ardent
