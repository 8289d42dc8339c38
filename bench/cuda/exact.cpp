// exact ROWS [INPUTS] [cpu|cuda|both] [classes|regression] [REPEATS]: a relevance vector machine
// with a kernel on every one of ROWS planted points, fitted by the engine exact; time, evidence and
// what the flops of its stages take at a card's measured rate. The upload of the points counts.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "ardent/base/error.h"
#include "ardent/base/stopwatch.h"
#include "ardent/cuda/accelerator_for.h"
#include "ardent/inference/engines/exact.h"
#include "problems/kernel_points.h"

namespace {

using namespace ardent;

constexpr double kFlopsPerSecond = 53e12;  // dgemm of float64, measured on an H200

/// Flops of the stages: products, factors and the inverse's diagonal of the space that each is in
/// (inference/engines/exact.h). The matrices of stage k are those of the columns that stage k − 1
/// left.
double flops(const Report& report, double rows, Likelihood likelihood) {
  double sum = 0, m = rows;
  for (const Stage& stage : report.stages) {
    const double steps = static_cast<double>(stage.newton_steps);
    if (likelihood == Likelihood::gaussian) {
      sum += steps * m * m * m / 3 + m * m * m / 3;
    } else if (4 * m > 3 * rows) {
      sum += rows * rows * m + steps * rows * rows * rows / 3 + rows * rows * m;
    } else {
      sum += steps * (rows * m * m + m * m * m / 3) + m * m * m / 3;
    }
    m = static_cast<double>(stage.active);
  }
  return sum;
}

/// Points brought to the card, their distances and kernel formed there: what pairs of classes that
/// shared their distances would save.
void time_forming(Accelerator& card, const Features& x, double sigma) {
  const Index first[] = {0};
  double least = 1e9;
  for (int k = 0; k < 3; ++k) {
    const auto lazy = problems::lazy_kernel(x, sigma);
    const Stopwatch watch;
    const Matrix column = card.dense_design(*lazy)->columns(first);  // waits for it
    least = std::min(least, watch.seconds());
  }
  fmt::print("kernel formed in {:.4f} s\n", least);
}

}  // namespace

int main(int argc, char** argv) try {
  const Index rows = argc > 1 ? std::atol(argv[1]) : 500;
  const Index inputs = argc > 2 ? std::atol(argv[2]) : 8;
  const std::string where = argc > 3 ? argv[3] : "both", what = argc > 4 ? argv[4] : "classes";
  const int repeats = argc > 5 ? std::atoi(argv[5]) : 3;
  const Likelihood likelihood = what == "classes" ? Likelihood::bernoulli : Likelihood::gaussian;
  const double sigma = 1.5;
  const auto points = problems::planted_kernels(rows, inputs, sigma, 12, likelihood, 1);
  EngineOptions options;
  fmt::print("{} rows, {} inputs, {}\n", rows, inputs, what);
  for (const std::string device : {"cpu", "cuda"}) {
    if (where != device && where != "both") continue;
    if (device == "cuda") {
      const Stopwatch watch;
      options.accelerator = accelerator_for(Device::cuda);
      fmt::print("{}: ready after {:.3f} s\n", options.accelerator->name(), watch.seconds());
      time_forming(*options.accelerator, points.x, sigma);
    }
    std::vector<double> seconds;
    for (int k = 0; k < repeats; ++k) {
      const Stopwatch watch;
      // In memory here where there is no device to form it.
      const auto design = options.accelerator ? problems::lazy_kernel(points.x, sigma)
                                              : gaussian_kernel_design(points.x, points.x, sigma);
      const Fit fit = fit_exact(*design, points.target, options);
      seconds.push_back(watch.seconds());
      Index steps = 0, first = 0;
      for (const Stage& stage : fit.report.stages) {
        steps += stage.newton_steps;
        first += stage.active > rows / 2;
      }
      fmt::print(
          "{}: {:.3f} s, evidence {:.9g}, {} kept, {}, {} stages ({} of more than half the rows), "
          "{} Newton steps, floor {:.3f} s\n",
          device, seconds.back(), fit.posterior.log_evidence, fit.posterior.active.size(),
          status_name(fit.report.status), fit.report.stages.size(), first, steps,
          flops(fit.report, static_cast<double>(rows), likelihood) / kFlopsPerSecond);
      std::fflush(stdout);
    }
    std::ranges::sort(seconds);
    fmt::print("{}: median {:.3f} s\n", device, seconds[seconds.size() / 2]);
  }
} catch (const ardent::Error& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
