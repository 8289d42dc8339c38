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
  Vector preconditioned = quotients(residual, diagonal);
  Vector p = preconditioned;
  const double start = dot(b, quotients(b, diagonal));
  double rho = dot(residual, preconditioned);
  const double goal = options.tolerance * options.tolerance * start;
  while (rho > goal && report.iterations < options.max_iterations) {
    product(p, product_of_p);
    const double curvature = dot(p, product_of_p);
    if (!(curvature > 0)) break;  // rounding has the last word: x is as good as it gets
    const double step = rho / curvature;
    parallel_blocks(b.size(), kElementBlock, [&](Index begin, Index end) {
      const auto here = Eigen::seq(begin, end - 1);
      x(here) += step * p(here);
      residual(here) -= step * product_of_p(here);
      preconditioned(here) = residual(here).cwiseQuotient(diagonal(here));
    });
    const double rho_next = dot(residual, preconditioned);
    const double share = rho_next / rho;
    parallel_blocks(b.size(), kElementBlock, [&](Index begin, Index end) {
      const auto here = Eigen::seq(begin, end - 1);
      p(here) = preconditioned(here) + share * p(here);
    });
    rho = rho_next;
    ++report.iterations;
  }
  report.residual = start > 0 ? std::sqrt(rho / start) : 0;
  return report;
}

}  // namespace ardent
