#include "ardent/linalg/conjugate_gradient.h"

#include <cmath>

#include "ardent/linalg/dot.h"

namespace ardent {

CgReport conjugate_gradient(const std::function<void(const Vector&, Vector&)>& product,
                            const Vector& diagonal, const Vector& b, Vector& x,
                            const CgOptions& options) {
  CgReport report;
  Vector residual = b, product_of_p;
  if (!x.isZero(0)) {
    product(x, product_of_p);
    residual -= product_of_p;
  }
  Vector preconditioned = residual.cwiseQuotient(diagonal);
  Vector p = preconditioned;
  const double start = dot(b, b.cwiseQuotient(diagonal));
  double rho = dot(residual, preconditioned);
  const double goal = options.tolerance * options.tolerance * start;
  while (rho > goal && report.iterations < options.max_iterations) {
    product(p, product_of_p);
    const double curvature = dot(p, product_of_p);
    if (!(curvature > 0)) break;  // rounding has the last word: x is as good as it gets
    const double step = rho / curvature;
    x += step * p;
    residual -= step * product_of_p;
    preconditioned = residual.cwiseQuotient(diagonal);
    const double rho_next = dot(residual, preconditioned);
    p = preconditioned + (rho_next / rho) * p;
    rho = rho_next;
    ++report.iterations;
  }
  report.residual = start > 0 ? std::sqrt(rho / start) : 0;
  return report;
}

}  // namespace ardent
