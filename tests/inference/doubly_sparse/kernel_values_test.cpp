#include "ardent/inference/doubly_sparse/kernel_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ardent::doubly_sparse {
namespace {

TEST(KernelValues, AgreeWithTheStandardExponential) {
  for (const double delta : {1e-9, 0.3, 1.0, 40.0}) {
    const Vector d = Vector::LinSpaced(4001, 0, 17.6);
    Vector values(d.size());
    kernel_values(delta, d, values);
    for (Index i = 0; i < d.size(); ++i) {
      const double exact = std::exp(-delta * d[i]);
      if (exact < 1e-300) continue;
      EXPECT_NEAR(values[i] / exact, 1, 2e-14) << delta << " * " << d[i];
    }
    EXPECT_EQ(values[0], 1);
  }
}

TEST(KernelValues, SinglePrecisionToo) {
  const Eigen::VectorXf d = Eigen::VectorXf::LinSpaced(4001, 0, 86);
  Eigen::VectorXf values(d.size());
  kernel_values(1.0f, d, values);
  for (Index i = 0; i < d.size(); ++i) {
    EXPECT_NEAR(values[i] / std::exp(-static_cast<double>(d[i])), 1, 3e-7) << d[i];
  }
  EXPECT_EQ(values[0], 1);
  kernel_values(1e30f, d, values);
  EXPECT_LT(values[4000], 1e-37f);
}

TEST(KernelValues, HugeDistancesGiveNextToNothing) {
  Vector d(3), values(3);
  d << 709, 1e300, std::numeric_limits<double>::infinity();
  kernel_values(1.0, d, values);
  EXPECT_GT(values.minCoeff(), 0);
  EXPECT_LT(values.maxCoeff(), 1e-307);
}

}  // namespace
}  // namespace ardent::doubly_sparse
