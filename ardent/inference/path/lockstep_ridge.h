// ℓ2-penalised logistic regression on several sets of rows at once, kept by rows.
//
//   minimise  L(w, b) = −Σ_i c_i log p(t_i | f_i) + ½α‖w‖² + ½τb²,   f = Phi w + b
//
// for each of a few vectors c of row weights, the lanes: the training rows of each fold, say, the
// others having weight 0. Lanes go in lockstep, so that each product with Phi serves all of them.
//
// The solution is w = Phiᵀa, αa the residual, so a point is a, f and b: N numbers instead of M, and
// ‖w‖² = aᵀ(f − b). With K = PhiPhiᵀ (never formed), r the residual, β the curvature and the bias
// eliminated, S = Σβ + τ, g = Σr − τb, P = diag(β) − ββᵀ/S, a Newton step d solves
//
//   (P K + αI) d = r − αa − βg/S,   Δf = K d + Δb,   Δb = (g − βᵀK d)/S
//
// by conjugate gradients in the inner product of w (⟨x, y⟩ = xᵀK y): those of the M-dimensional
// system, one product with Phiᵀ and one with Phi each. A step is halved until L falls. Where what a
// step promises is less than L's rounding, L says no more: the whole step is taken (near the
// minimum of this convex L Newton's is the right one), and the gradient says whether it was of use.
#pragma once

#include "ardent/design/design.h"

namespace ardent {

/// One number per lane.
using Lanes = Eigen::Array<double, 1, Eigen::Dynamic>;

/// Where the lanes are.
struct RidgePoint {
  RowMatrix a, f;  // N × lanes
  Lanes b;
};

struct RidgePrecision {
  double tolerance = 1e-2;   // of the gradient by w, relative to that at w = 0
  double forcing = 0.1;      // of conjugate gradients, relative to the gradient they start with
  double least_forcing = 1;  // below `forcing`: it falls with the gradient, which then falls as
                             // fast as Newton's method lets it
  Index max_steps = 50;
  Index max_cg = 200;  // products per step
};

class LockstepRidge {
 public:
  /// `row_weights`: N × lanes. The design and t must outlive this. Begins at w = 0.
  LockstepRidge(const Design& phi, const Vector& t, RowMatrix row_weights, bool bias,
                double bias_precision);

  const RidgePoint& point() const { return point_; }
  /// Goes on from there: N × as many lanes, f = PhiPhiᵀa + b.
  void set_point(RidgePoint point) { point_ = std::move(point); }
  /// Moves to the minimum for this α; returns Newton steps.
  Index minimise(double alpha, const RidgePrecision& precision);
  Index products() const { return products_; }  // with Phi, so far
  /// Phiᵀa of all lanes, M × lanes.
  RowMatrix weights() const;

 private:
  using Moving = Eigen::Array<bool, 1, Eigen::Dynamic>;
  struct Step {
    RowMatrix d, fitted;  // of a, and K d
    Lanes bias;
  };
  Lanes square_norms(const RowMatrix& a);  // of Phiᵀa, which stays in by_column_
  void evaluate();
  Lanes over_rows(Lanes own) const;  // a sum over the rows that are here, over all
  Lanes bias_ascent() const;         // the slope of −L by the bias
  /// Of the lanes that are moving; 0 elsewhere. `left`, whose products with Phiᵀ are in by_column_
  /// and their square norms in `norms`: what the step is to solve.
  Step newton_step(double alpha, const RidgePrecision& precision, const Moving& moving, Lanes norms,
                   RowMatrix left);
  Lanes objective(double alpha, const Step& step, const Lanes& length) const;
  /// What the lanes were promised: L falls; or by less than its rounding, so that nobody sees it.
  struct Promise {
    Moving any, hidden;
  };
  Promise move(double alpha, const Step& step);

  Index rows() const { return point_.f.rows(); }
  Index lanes() const { return point_.f.cols(); }

  const Design& phi_;
  const Vector& t_;
  RowMatrix row_weights_;
  bool bias_;
  double bias_precision_;
  RidgePoint point_;
  RowMatrix residual_, curvature_;
  Lanes residual_sum_, curvature_sum_;
  RowMatrix by_column_;  // M × lanes
  Lanes first_gradient_;
  Index products_ = 0;
};

}  // namespace ardent
