// The weighted LASSO over a few atoms, given by their Gram matrix: the inner problem of the solver.
//
//   minimise  ½ θᵀGθ − ρᵀθ + Σ_i w_i|θ_i|        over the m atoms of the set
//
// A pass of coordinate descent finds the support and its signs; Newton steps on the support,
//   Δ = G_SS⁻¹ (g_S − w_S sgn θ_S),   g = ρ − Gθ,
// then reach the optimum of that support at once. A step that would change signs is either cut at
// the first change or has the coefficients that change set to zero, whichever has the smaller
// objective. Where atoms of the support are linearly dependent, the step goes along the null vector
// instead, on which the objective is linear, until one of them is zero: supports end independent.
// Every step lowers the objective, and there are finitely many supports.
// Cost: m² a pass, k³/3 + mk a Newton step with k atoms in the support.
#pragma once

#include <span>
#include <vector>

#include "ardent/base/types.h"
#include "ardent/inference/coding/lasso_problem.h"

namespace ardent {

class WorkingSet {
 public:
  explicit WorkingSet(bool nonnegative) : nonnegative_(nonnegative) {}

  /// Appends atoms that are not yet in the set. `gram` has the inner products of all atoms, old and
  /// new (rows), with the new ones (columns); `rho` and `weights` are of the new.
  void add(std::span<const Index> atoms, const Matrix& gram, const Vector& rho,
           const Vector& weights);
  /// Coefficients to start from; atoms that are not in the code get 0. All its atoms must be here.
  void set_code(const SparseCode& code);

  /// Until |g_i| ≤ w_i(1 + tolerance) off the support and |g_i − w_i sgn θ_i| ≤ tolerance·w_i on
  /// it, or as near as rounding allows (`signal_norm` = ‖y‖ sets its scale). Returns whether it
  /// holds.
  bool solve(double tolerance, double signal_norm);

  const std::vector<Index>& atoms() const { return atoms_; }
  Index size() const { return std::ssize(atoms_); }
  SparseCode code() const;
  Index newton_steps() const { return newton_steps_; }

 private:
  enum class Step { whole, shortened, none };

  auto gram() const { return gram_.topLeftCorner(size(), size()); }
  /// ½‖signal − Φθ‖² + Σ w|θ|, but for half the square of the signal; g_ is up to date.
  double objective() const;
  bool objective_is_known(double signal_norm) const;
  double soft_threshold(double value, double threshold) const;
  void coordinate_pass();
  Step newton_step();
  Step null_step(const Matrix& support_gram);
  /// θ_S + Δ, or what is left of it when signs change.
  Step take(const Vector& delta, const Vector& gradient, const Matrix& support_gram);
  void move(const Vector& support_change);
  bool optimal(double tolerance, double signal_norm) const;
  void find_support();
  void refresh();

  bool nonnegative_;
  std::vector<Index> atoms_;
  Matrix gram_;  // capacity × capacity; the first m×m count
  Vector rho_, weights_, theta_;
  Vector g_;                    // ρ − Gθ
  std::vector<Index> support_;  // positions in the set
  Index newton_steps_ = 0;
};

}  // namespace ardent
