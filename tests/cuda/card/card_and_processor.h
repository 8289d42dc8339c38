// What tests of the card compare it with.
#pragma once

#include <gtest/gtest.h>

#include "ardent/cuda/accelerator_for.h"
#include "problems/regression.h"

namespace ardent::on_card {

/// One card for all tests.
inline std::shared_ptr<Accelerator> card() {
  static const std::shared_ptr<Accelerator> found = accelerator_for(Device::cuda);
  return found;
}

inline void expect_close(const Matrix& found, const Matrix& wanted, double tolerance) {
  ASSERT_EQ(found.rows(), wanted.rows());
  ASSERT_EQ(found.cols(), wanted.cols());
  const double scale = std::max(1e-300, wanted.cwiseAbs().maxCoeff());
  EXPECT_LE((found - wanted).cwiseAbs().maxCoeff() / scale, tolerance);
}

inline Matrix some_matrix(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  return problems::normal_matrix(rows, cols, random);
}

inline Vector positive(Index size, std::uint64_t seed) {
  Random random(seed);
  Vector v(size);
  for (double& value : v) value = random.uniform(0.1, 2);
  return v;
}

}  // namespace ardent::on_card
