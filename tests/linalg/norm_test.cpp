#include "ardent/linalg/norm.h"

#include <gtest/gtest.h>

#include <limits>

#include "problems/random_matrix.h"

namespace ardent {
namespace {

TEST(SafeNorm, IsTheNormAtAnyScale) {
  for (const Index size : {1, 3, 20, 5000}) {
    const Vector v = problems::random_vector(size, 1);
    long double squares = 0;
    for (Index i = 0; i < size; ++i) squares += static_cast<long double>(v[i]) * v[i];
    const auto norm = static_cast<double>(std::sqrt(squares));
    for (const double scale : {1.0, 1e-250, 1e250, 1e-145, 1e149}) {
      EXPECT_NEAR(safe_norm(scale * v) / scale, norm, 1e-14 * norm) << size << ' ' << scale;
    }
  }
}

TEST(SafeNorm, ZerosAndWhatIsNotFinite) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(safe_norm(Vector::Zero(3)), 0);
  EXPECT_EQ(safe_norm(Vector(0)), 0);
  EXPECT_EQ(safe_norm(Vector{{1, -kInfinity}}), kInfinity);
  EXPECT_TRUE(std::isnan(safe_norm(Vector{{1, std::numeric_limits<double>::quiet_NaN()}})));
}

}  // namespace
}  // namespace ardent
