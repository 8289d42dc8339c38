// Preconditioned conjugate gradients for a symmetric positive definite H given by its products.
#pragma once

#include <functional>

#include "ardent/base/types.h"

namespace ardent {

struct CgOptions {
  double tolerance = 0.1;  // > 0: stop when ‖b − Hx‖ in the preconditioner's norm has fallen by it
  Index max_iterations = 50;  // >= 1
};

struct CgReport {
  Index iterations = 0;
  double residual = 0;  // relative, in the preconditioner's norm
};

/// product(p, Hp) computes H p. `diagonal` is the preconditioner's: positive, about diag(H).
/// x holds the start and becomes the solution. From x = 0, every iterate is a descent direction of
/// ½xᵀHx − bᵀx, so it may be stopped early.
CgReport conjugate_gradient(const std::function<void(const Vector&, Vector&)>& product,
                            const Vector& diagonal, const Vector& b, Vector& x,
                            const CgOptions& options = {});

}  // namespace ardent
