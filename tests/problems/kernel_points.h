// Points whose Gaussian kernels a relevance vector machine chooses from, and targets of a few of
// them.
#pragma once

#include <cmath>
#include <memory>

#include "ardent/base/random.h"
#include "ardent/data/matrix.h"
#include "ardent/inference/engine.h"
#include "ardent/maps/rbf.h"

namespace ardent::problems {

struct KernelPoints {
  Features x;
  Target target;
};

/// Uniform points in [-1, 1]^inputs; f is a sum of kernels of width `sigma` on the first `planted`.
inline KernelPoints planted_kernels(Index rows, Index inputs, double sigma, Index planted,
                                    Likelihood likelihood, std::uint64_t seed,
                                    double strength = 6) {
  Random random(seed);
  std::vector<double> values(static_cast<std::size_t>(rows * inputs));
  for (double& value : values) value = random.uniform(-1, 1);
  const DenseRows x{rows, inputs, Buffer<double>::copy_of(values)};
  Vector f = Vector::Zero(rows);
  for (Index i = 0; i < rows; ++i) {
    for (Index k = 0; k < planted; ++k) {
      double distance = 0;
      for (Index j = 0; j < inputs; ++j) {
        const double difference = values[i * inputs + j] - values[k * inputs + j];
        distance += difference * difference;
      }
      f[i] += (k % 2 == 0 ? strength : -strength) * std::exp(-distance / (sigma * sigma));
    }
  }
  Target target{likelihood, Vector(rows)};
  for (Index i = 0; i < rows; ++i) {
    const bool gaussian = likelihood == Likelihood::gaussian;
    target.t[i] = gaussian ? f[i] + 0.3 * random.normal()
                           : double(random.uniform() < 1 / (1 + std::exp(-f[i])));
  }
  return {x, target};
}

/// Not in memory: each use computes it, or a device does.
inline std::unique_ptr<Design> lazy_kernel(const Features& x, double sigma) {
  return gaussian_kernel_design(x, x, sigma, 0);
}

}  // namespace ardent::problems
