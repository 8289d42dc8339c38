// The MAP objective of problems too large for a Hessian matrix: products with Phi only.
//
//   L(w) = −Σ_i c_i log p(t_i | f_i) + ½ Σ_k alpha_k w_k²,   f = Phi w
//   ∇L   = −Phiᵀ residual + alpha ∘ w
//   H v  =  Phiᵀ (curvature ∘ Phi v) + alpha ∘ v
//
// The bias, where there is one, is Phi's last column with its own small alpha (design/with_bias.h).
// f is carried along with w, so a step along a direction p with Phi p known costs O(N).
#pragma once

#include "ardent/design/design.h"
#include "ardent/inference/engine.h"
#include "ardent/inference/evidence/bernoulli.h"

namespace ardent {

/// Weights, and what is known there.
struct MapPoint {
  Vector w;
  Vector f;          // Phi w
  Vector residual;   // d log-likelihood / df, row by row
  Vector curvature;  // −d² log-likelihood / df²
  double log_likelihood = 0;
};

class MapObjective {
 public:
  /// The references must outlive the objective. `noise_variance`: Gaussian likelihood only.
  MapObjective(const Design& phi, Likelihood likelihood, const Vector& t, const Vector& row_weights,
               double noise_variance)
      : phi_(phi),
        likelihood_(likelihood),
        t_(t),
        row_weights_(row_weights),
        noise_variance_(noise_variance) {}

  /// All of a point that follows from its w and f.
  void evaluate(MapPoint& point) const;
  /// ∇L at an evaluated point.
  void gradient(const MapPoint& point, const Vector& alpha, Vector& out) const;
  /// H v at an evaluated point; `fitted` is scratch for Phi v.
  void hessian_product(const MapPoint& point, const Vector& alpha, const Vector& v, Vector& fitted,
                       Vector& out) const;

  /// The log-likelihood along f + s·df, O(N).
  LikelihoodAlong along(const Vector& f, const Vector& df, double s) const;

  const Design& phi() const { return phi_; }

 private:
  const Design& phi_;
  Likelihood likelihood_;
  const Vector& t_;
  const Vector& row_weights_;
  double noise_variance_;
};

}  // namespace ardent
