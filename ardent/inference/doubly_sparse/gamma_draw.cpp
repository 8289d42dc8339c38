#include "ardent/inference/doubly_sparse/gamma_draw.h"

#include <cmath>

#include "ardent/base/elementary.h"

namespace ardent::doubly_sparse {

double draw_gamma(double shape, double rate, Random& random) {
  if (shape < 1) {
    const double boost = elementary::power(1 - random.uniform(), 1 / shape);
    return draw_gamma(shape + 1, rate, random) * boost;
  }
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = random.normal();
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    const double u = 1 - random.uniform();
    if (elementary::log(u) < 0.5 * x * x + d - d * v + d * elementary::log(v)) return d * v / rate;
  }
}

}  // namespace ardent::doubly_sparse
