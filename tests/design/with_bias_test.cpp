#include "ardent/design/with_bias.h"

#include <gtest/gtest.h>

#include "ardent/design/dense.h"
#include "design/brute_force.h"

namespace ardent {
namespace {

TEST(WithBias, IsTheDesignWithAColumnOfOnes) {
  const Matrix phi = problems::random_matrix(30, 7, 1);
  Matrix bordered(30, 8);
  bordered << phi, Vector::Ones(30);
  WithBias design(std::make_unique<DenseDesign>(phi));
  brute_force::expect_operations(design, bordered);
  const auto copy = design.clone();
  design.keep(std::vector<Index>{1, 4, 7});
  Matrix kept(30, 3);
  kept << phi.col(1), phi.col(4), Vector::Ones(30);
  brute_force::expect_operations(design, kept);
  brute_force::expect_operations(*copy, bordered);
}

TEST(WithBias, TheBiasCannotBeDropped) {
  WithBias design(std::make_unique<DenseDesign>(problems::random_matrix(5, 3, 2)));
  EXPECT_THROW(design.keep(std::vector<Index>{0, 1}), Error);
}

}  // namespace
}  // namespace ardent
