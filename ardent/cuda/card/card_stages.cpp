#include "ardent/cuda/card/card_stages.h"

#include <algorithm>
#include <cmath>

#include "ardent/cuda/card/design_kernels.h"
#include "ardent/cuda/card/design_on_card.h"
#include "ardent/cuda/card/matrix.h"
#include "ardent/cuda/card/stage_kernels.h"
#include "ardent/cuda/card/vector_kernels.h"
#include "ardent/inference/engines/strides.h"
#include "ardent/inference/evidence/newton_cg.h"

namespace ardent {
namespace {

void to_host(const CardArray<double>& from, Vector& to) {
  to.resize(static_cast<Index>(from.size()));
  from.download({to.data(), from.size()});
}

std::vector<std::uint32_t> numbers_of(const std::vector<Index>& columns) {
  return {columns.begin(), columns.end()};
}

class CardStages : public ArdStages {
 public:
  CardStages(std::shared_ptr<Card> card, ArdState& state, const EngineOptions& options)
      : shared_(std::move(card)),
        card_(*shared_),
        turn_(card_.turn()),
        state_(state),
        options_(options),
        phi_(design_on_card(card_, *state.phi)),
        columns_(card_, std::span<const std::uint32_t>(numbers_of(state.columns))),
        t_(on_card(card_, state.t)),
        counts_(on_card(card_, state.row_weights)),
        row_count_(state.row_weights.sum()),
        alpha_(on_card(card_, state.alpha)),
        w_(on_card(card_, state.point.w)),
        f_(card_, state.t.size()),
        residual_(card_, f_.size()),
        curvature_(card_, f_.size()),
        fitted_(card_, f_.size()),
        half_explained_(half_explained(state)) {
    make_scratch();
    const Vector& strides = state.strides.lengths;
    strides_ = on_card(card_, strides.size() > 0 ? strides : Vector(Vector::Zero(state.active())));
    find_fit();  // its own f, so that a run that takes up a checkpoint goes on with the same bits
  }

  Index active() const override { return static_cast<Index>(columns_.size()); }

  Index find_mode() override {
    const NewtonCgOptions limits{state_.tolerance_of_stage()};
    const double scale = scale_of_gradient();
    const double goal = limits.tolerance * limits.tolerance * scale;
    Index steps = 0;
    while (steps < limits.max_steps) {
      find_gradient(residual_);
      phi_->weighted_square_norms(curvature_.data(), alpha_.data(), diagonal_.data());
      const double size = gradient_size();
      if (!(size > goal) && (steps > 0 || size == 0)) break;
      find_step(newton_forcing(size, scale), limits.max_cg);
      phi_->multiply(step_.data(), nullptr, fitted_.data());
      const double s = length_of_step();
      ++steps;
      if (!(s > 0)) break;
      add_scaled_on_card(card_, w_.size(), s, step_.data(), w_.data());
      add_scaled_on_card(card_, f_.size(), s, fitted_.data(), f_.data());
      evaluate();
    }
    return steps;
  }

  double measure() override {
    phi_->weighted_square_norms(curvature_.data(), alpha_.data(), diagonal_.data());
    measured_ = true;
    state_.evidence = log_likelihood_ - 0.5 * complexity(card_, w_.size(), alpha_.data(), w_.data(),
                                                         diagonal_.data());
    return state_.evidence;
  }

  PrecisionProposal propose(bool settled) override {
    const std::size_t m = columns_.size();
    const double promise = update();
    if (is_suspicious()) return {.suspicious = true};
    if (settled && state_.support.candidates() > 0) {
      drop_costly(card_, m, state_.support.cost(active()),
                  static_cast<std::size_t>(most_dropped(active())), alpha_.data(), w_.data(),
                  diagonal_.data(), updated_.data());
    }
    const KeptAlpha kept = kept_alpha(card_, m, options_.alpha_max, alpha_.data(), updated_.data());
    kept_ = kept.count;
    return {.kept = static_cast<Index>(kept.count), .change = kept.change, .promise = promise};
  }

  void refine_mode() override { state_.mode_tolerance *= kFinerMode; }

  void accept() override {
    if (state_.likelihood == Likelihood::gaussian && !is_crowded(state_, active())) {
      const double spent = spent_on_weights(card_, w_.size(), alpha_.data(), diagonal_.data());
      state_.noise_variance =
          updated_noise(square_sum_on_card(card_, target(), f_.data()), row_count_, spent);
    }
    check(cudaMemcpyAsync(alpha_.data(), updated_.data(), columns_.size() * sizeof(double),
                          cudaMemcpyDeviceToDevice, card_.stream()));
    std::swap(strides_, new_strides_);
    state_.strides = next_;
    if (kept_ < columns_.size()) keep();
    evaluate();
  }

  void refit() override { find_fit(); }

  Passes passes() const override { return phi_->passes(); }

  ArdState& state_here() override {
    const std::vector<std::uint32_t> columns = columns_.on_host();
    state_.columns.assign(columns.begin(), columns.end());
    to_host(alpha_, state_.alpha);
    to_host(w_, state_.point.w);
    to_host(f_, state_.point.f);
    to_host(residual_, state_.point.residual);
    to_host(curvature_, state_.point.curvature);
    state_.point.log_likelihood = log_likelihood_;
    if (measured_) to_host(diagonal_, state_.hessian_diagonal);
    to_host(strides_, state_.strides.lengths);
    return state_;
  }

  ArdState& state_and_design_here() override {
    state_here();
    std::vector<Index> positions;
    for (const Index column : state_.columns) {
      positions.push_back(std::ranges::lower_bound(design_columns_, column) -
                          design_columns_.begin());
    }
    if (state_.bias) positions.push_back(std::ssize(design_columns_));
    state_.phi->keep(positions);
    design_columns_ = state_.columns;
    return state_;
  }

 private:
  TargetOnCard target() const {
    return {state_.likelihood == Likelihood::bernoulli,
            f_.size(),
            t_.data(),
            counts_.data(),
            row_count_,
            state_.noise_variance};
  }

  /// Proposes precisions and strides; the promise.
  double update() {
    const std::size_t m = columns_.size();
    // Lengths are here, not in the state: those there are of no size, or of an earlier stage.
    state_.strides.lengths.resize(0);
    next_ = next_strides(state_);
    check(cudaMemcpyAsync(new_strides_.data(), strides_.data(), m * sizeof(double),
                          cudaMemcpyDeviceToDevice, card_.stream()));
    const bool fell = next_.longest < state_.strides.longest;
    if (fell) keep_signs(card_, m, new_strides_.data());
    const bool guarded_only = state_.strides.stages < kFirstLongStage || fell;
    return update_alpha(card_, m, kStrideGrowth, guarded_only ? 1 : next_.longest, alpha_.data(),
                        w_.data(), diagonal_.data(), updated_.data(), new_strides_.data());
  }

  /// Vectors of one number per weight that no stage leaves to the next.
  void make_scratch() {
    const std::size_t size = w_.size();
    const auto renew = [&](CardArray<double>& vector, std::size_t length) {
      vector = {};  // first given back, all of it
      vector = CardArray<double>(card_, length);
    };
    for (auto* v : {&diagonal_, &gradient_, &step_, &direction_, &left_, &product_})
      renew(*v, size);
    for (auto* v : {&updated_, &new_strides_}) renew(*v, columns_.size());
  }

  void find_fit() {
    phi_->multiply(w_.data(), nullptr, f_.data());
    evaluate();
  }

  void evaluate() {
    log_likelihood_ =
        evaluate_on_card(card_, target(), f_.data(), residual_.data(), curvature_.data());
    measured_ = false;
  }

  /// ∇L where the likelihood's derivatives in f are `residual`.
  void find_gradient(const CardArray<double>& residual) {
    phi_->multiply_transposed(residual.data(), -1, alpha_.data(), w_.data(), gradient_.data());
  }

  /// ‖∇L‖² in the preconditioner's norm.
  double gradient_size() {
    return square_sum_over(card_, w_.size(), gradient_.data(), diagonal_.data());
  }

  /// That of ∇L at w = 0.
  double scale_of_gradient() {
    CardArray<double> zero(card_, f_.size()), no_weights(card_, w_.size());
    CardArray<double> residual(card_, f_.size()), curvature(card_, f_.size());
    zero.set_zero();
    no_weights.set_zero();
    evaluate_on_card(card_, target(), zero.data(), residual.data(), curvature.data());
    phi_->multiply_transposed(residual.data(), -1, alpha_.data(), no_weights.data(),
                              gradient_.data());
    phi_->weighted_square_norms(curvature.data(), alpha_.data(), diagonal_.data());
    return gradient_size();
  }

  /// Conjugate gradients for H step = −gradient.
  void find_step(double tolerance, Index most) {
    const std::size_t size = w_.size();
    begin_cg(card_, size, gradient_.data(), diagonal_.data(), step_.data(), left_.data(),
             direction_.data());
    double rho = gradient_size();
    const double goal = tolerance * tolerance * rho;
    for (Index i = 0; rho > goal && i < most; ++i) {
      phi_->multiply(direction_.data(), curvature_.data(), fitted_.data());
      phi_->multiply_transposed(fitted_.data(), 1, alpha_.data(), direction_.data(),
                                product_.data());
      const CgSums sums = step_cg(card_, size, rho, direction_.data(), product_.data(),
                                  diagonal_.data(), step_.data(), left_.data());
      if (!(sums.curvature > 0)) break;
      turn_cg(card_, size, sums.rho / rho, left_.data(), diagonal_.data(), direction_.data());
      rho = sums.rho;
    }
  }

  double length_of_step() {
    const PenaltyAlong penalty =
        penalty_along(card_, w_.size(), alpha_.data(), w_.data(), step_.data());
    const auto along = [&](double s) {
      return along_on_card(card_, target(), f_.data(), fitted_.data(), s);
    };
    return line_minimum(along, penalty.slope, penalty.curvature);
  }

  bool is_suspicious() {
    const std::size_t m = columns_.size();
    return state_.likelihood == Likelihood::bernoulli && state_.mode_tolerance > kFinestMode &&
           m > 1 && log_likelihood_ < half_explained_ &&
           count_leaps(card_, m, kSuspiciousLeap, alpha_.data(), updated_.data()) == m;
  }

  /// Compacts all to the columns that were proposed.
  void keep() {
    CardArray<std::uint32_t> positions(card_, kept_ + 1), new_number(card_, columns_.size());
    number_kept(card_, columns_.size(), options_.alpha_max, updated_.data(), kept_,
                positions.data(), new_number.data());
    phi_->keep({positions.data(), kept_, new_number.data()});
    columns_ = gathered(card_, columns_.data(), positions.data(), kept_);
    strides_ = gathered(card_, strides_.data(), positions.data(), kept_);
    const std::size_t weights = kept_ + (state_.bias ? 1 : 0);
    if (state_.bias) {
      const auto bias = static_cast<std::uint32_t>(w_.size() - 1);
      check(cudaMemcpyAsync(positions.data() + kept_, &bias, sizeof bias, cudaMemcpyHostToDevice,
                            card_.stream()));
      card_.wait();
    }
    alpha_ = gathered(card_, alpha_.data(), positions.data(), weights);
    w_ = gathered(card_, w_.data(), positions.data(), weights);
    make_scratch();
    phi_->multiply(w_.data(), nullptr, f_.data());
  }

  std::shared_ptr<Card> shared_;
  Card& card_;
  std::unique_lock<std::recursive_mutex> turn_;
  ArdState& state_;
  const EngineOptions& options_;
  std::vector<Index> design_columns_ = state_.columns;  // those of state_.phi
  std::unique_ptr<DesignOnCard> phi_;
  CardArray<std::uint32_t> columns_;
  CardArray<double> t_, counts_;
  double row_count_, log_likelihood_ = 0;
  CardArray<double> alpha_, w_, f_, residual_, curvature_;
  CardArray<double> fitted_;  // of one number per row, as those before; of one per weight:
  CardArray<double> diagonal_, gradient_, step_, direction_, left_, product_;
  CardArray<double> updated_;                // proposed precisions, of the columns
  CardArray<double> strides_, new_strides_;  // of the columns (engines/strides.h)
  Strides next_;                             // what else is proposed of them
  double half_explained_;
  std::size_t kept_ = 0;   // columns by them
  bool measured_ = false;  // diagonal_ is that of the state
};

}  // namespace

std::unique_ptr<ArdStages> card_stages(std::shared_ptr<Card> card, ArdState& state,
                                       const EngineOptions& options) {
  return std::make_unique<CardStages>(std::move(card), state, options);
}

}  // namespace ardent
