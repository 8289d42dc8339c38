#include "ardent/cuda/card/coding/card_batch.h"

#include <algorithm>
#include <numeric>

namespace ardent {
namespace {

constexpr double kInnerShare = 0.1;  // of the tolerance, for working sets (working_set_solver.cpp)
constexpr double kShareOfScratch = 0.5;  // of the memory that is free then

std::size_t entries(Index rows, Index cols) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
}

Status status_of(coding::State state) {
  switch (state) {
    case coding::State::converged:
      return Status::converged;
    case coding::State::stalled:
      return Status::stalled;
    default:
      return Status::iteration_limit;
  }
}

}  // namespace

std::size_t CardBatch::bytes_per_signal(Index rows, Index cols) {
  constexpr std::size_t kPerAtom = 6 * sizeof(double) + sizeof(int) + 1;
  return entries(cols, 1) * kPerAtom + entries(rows, 2) * sizeof(double) + 256;
}

CardBatch::CardBatch(const CardAtoms& dictionary, const Matrix& signals,
                     const BatchLasso& lasso)
    : dictionary_(dictionary), card_(dictionary.card()), lasso_(lasso), count_(signals.cols()) {
  const std::lock_guard turn(card_.turn());
  const Index n = dictionary.cols(), length = dictionary.rows();
  const auto per_atom = entries(n, count_);
  const auto count = static_cast<std::size_t>(count_);
  y_ = CardArray<double>(card_, {signals.data(), static_cast<std::size_t>(signals.size())});
  for (auto* array : {&rho_, &weights_, &theta_, &variance_, &products_, &scores_}) {
    *array = CardArray<double>(card_, per_atom);
  }
  residuals_ = CardArray<double>(card_, entries(length, count_));
  lambda_ = CardArray<double>(card_, count);
  in_set_ = CardArray<unsigned char>(card_, per_atom);
  set_ = CardArray<int>(card_, per_atom);
  for (auto* array : {&set_size_, &which_}) *array = CardArray<int>(card_, count);
  next_ = CardArray<int>(card_, 1);
  signal_ = CardArray<coding::Signal>(card_, count);
  solve_ = CardArray<coding::Solve>(card_, count);
  evidence_ = CardArray<coding::Evidence>(card_, count);
  in_set_.set_zero();
  set_size_.set_zero();
  coding::multiply(card_, dictionary.atoms(), static_cast<int>(n), y_.data(),
                   static_cast<int>(count_), static_cast<int>(length), rho_.data());
  coding::describe_signals(card_, view());
}

coding::Batch CardBatch::view() {
  return {.length = static_cast<int>(dictionary_.rows()),
          .atoms = static_cast<int>(dictionary_.cols()),
          .signals = static_cast<int>(count_),
          .nonnegative = lasso_.nonnegative,
          .dictionary = dictionary_.atoms(),
          .gram = dictionary_.gram(),
          .norms = dictionary_.norms(),
          .y = y_.data(),
          .rho = rho_.data(),
          .weights = weights_.data(),
          .lambda = lambda_.data(),
          .in_set = in_set_.data(),
          .set = set_.data(),
          .theta = theta_.data(),
          .variance = variance_.data(),
          .set_size = set_size_.data(),
          .signal = signal_.data(),
          .solve = solve_.data(),
          .evidence = evidence_.data()};
}

coding::Signals CardBatch::listed(List which) {
  const std::vector<int> places(which.begin(), which.end());
  which_.upload(places);
  return {which_.data(), static_cast<int>(places.size())};
}

coding::Scratch CardBatch::scratch(std::size_t per_block, int most_blocks) {
  const std::size_t wanted = per_block * static_cast<std::size_t>(most_blocks);
  if (wanted > scratch_.size()) {
    scratch_ = CardArray<double>();
    card_.wait();
    const auto there = static_cast<std::size_t>(
        kShareOfScratch * static_cast<double>(card_.free_bytes()) / sizeof(double));
    scratch_ = CardArray<double>(card_, std::clamp(there, per_block, wanted));
  }
  const int blocks = static_cast<int>(
      std::min(static_cast<std::size_t>(most_blocks), scratch_.size() / std::max<std::size_t>(per_block, 1)));
  return {scratch_.data(), per_block, blocks, next_.data()};
}

std::vector<SignalBatch::Signal> CardBatch::signals() const {
  const std::lock_guard turn(card_.turn());
  std::vector<Signal> found;
  for (const coding::Signal& s : signal_.on_host()) {
    found.push_back({s.norm, s.largest, s.largest_cosine, s.nearest});
  }
  return found;
}

void CardBatch::clear_codes(List which) {
  const std::lock_guard turn(card_.turn());
  coding::clear_codes(card_, view(), listed(which));
}

void CardBatch::set_weights(List which, std::span<const double> lambdas, bool ones) {
  const std::lock_guard turn(card_.turn());
  std::vector<double> all = lambda_.on_host();
  for (std::size_t k = 0; k < which.size(); ++k) {
    all[static_cast<std::size_t>(which[k])] = lambdas[k];
  }
  lambda_.upload(all);
  coding::set_first_weights(card_, view(), listed(which), ones);
}

std::size_t CardBatch::largest_set(List which) const {
  const std::vector<int> sizes = set_size_.on_host();
  int most = 0;
  for (const Index s : which) most = std::max(most, sizes[static_cast<std::size_t>(s)]);
  return static_cast<std::size_t>(most);
}

void CardBatch::certify(List which) {
  const coding::Signals signals = listed(which);
  coding::find_residuals(card_, view(), signals, residuals_.data());
  coding::multiply(card_, dictionary_.atoms(), static_cast<int>(dictionary_.cols()),
                   residuals_.data(), signals.count, static_cast<int>(dictionary_.rows()),
                   products_.data());
  coding::certify_and_grow(card_, view(), signals, residuals_.data(), products_.data(),
                           scores_.data(),
                           {lasso_.tolerance, static_cast<int>(lasso_.max_rounds)});
}

std::vector<SolvedLasso> CardBatch::solve(List which) {
  const std::lock_guard turn(card_.turn());
  coding::begin_lasso(card_, view(), listed(which), kInnerShare * lasso_.tolerance);
  std::vector<Index> open(which.begin(), which.end());
  std::vector<coding::Solve> solves;
  while (!open.empty()) {
    if (const std::size_t most = largest_set(open); most > 0) {
      const coding::Signals signals = listed(open);
      coding::solve_sets(card_, view(), signals,
                         scratch(coding::numbers_to_solve(most),
                                 std::min(signals.count, coding::blocks_that_solve(card_))));
    }
    certify(open);
    solves = solve_.on_host();
    std::erase_if(open, [&](Index s) {
      return solves[static_cast<std::size_t>(s)].state != coding::State::running;
    });
  }
  coding::keep_support(card_, view(), listed(which));
  const std::vector<int> sizes = set_size_.on_host();
  std::vector<SolvedLasso> solved;
  for (const Index s : which) {
    const coding::Solve& one = solves[static_cast<std::size_t>(s)];
    solved.push_back({one.primal > 0 ? one.gap / one.primal : 0, sizes[static_cast<std::size_t>(s)],
                      one.rounds, status_of(one.state)});
  }
  return solved;
}

std::vector<double> CardBatch::find_posteriors(List which, bool reweight) {
  const std::lock_guard turn(card_.turn());
  const std::size_t numbers = coding::numbers_for_posterior(
      largest_set(which), static_cast<std::size_t>(dictionary_.rows()));
  const coding::Signals signals = listed(which);
  coding::find_posteriors(
      card_, view(), signals,
      scratch(numbers, std::min(signals.count, coding::blocks_for_posterior(card_))), reweight);
  const std::vector<coding::Evidence> all = evidence_.on_host();
  std::vector<double> scales;
  for (const Index s : which) scales.push_back(all[static_cast<std::size_t>(s)].scale);
  return scales;
}

std::vector<LeastSquaresFit> CardBatch::fit_least_squares(List which) {
  const std::lock_guard turn(card_.turn());
  const std::size_t numbers = coding::numbers_for_posterior(
      largest_set(which), static_cast<std::size_t>(dictionary_.rows()));
  const coding::Signals signals = listed(which);
  CardArray<coding::LeastSquares> found(card_, which.size());
  coding::fit_least_squares(
      card_, view(), signals,
      scratch(numbers, std::min(signals.count, coding::blocks_for_posterior(card_))),
      found.data());
  std::vector<LeastSquaresFit> fits;
  for (const coding::LeastSquares& one : found.on_host()) fits.push_back({one.square, one.rank});
  return fits;
}

std::vector<SignalBatch::Code> CardBatch::codes(List which) const {
  const std::lock_guard turn(card_.turn());
  const std::vector<int> sizes = set_size_.on_host();
  const std::size_t most = largest_set(which), n = static_cast<std::size_t>(dictionary_.cols());
  std::vector<Code> codes;
  if (which.empty()) return codes;
  // The first `most` entries of each column, where they begin at the first of all signals.
  std::vector<int> atoms(most * static_cast<std::size_t>(count_));
  std::vector<double> theta(atoms.size()), variance(atoms.size());
  const auto fetch = [&](auto& to, const auto& from) {
    constexpr std::size_t kBytes = sizeof(to[0]);
    if (most == 0) return;
    check(cudaMemcpy2DAsync(to.data(), most * kBytes, from.data(), n * kBytes, most * kBytes,
                            static_cast<std::size_t>(count_), cudaMemcpyDeviceToHost,
                            card_.stream()));
  };
  fetch(atoms, set_);
  fetch(theta, theta_);
  fetch(variance, variance_);
  card_.wait();
  std::vector<std::size_t> order;
  for (const Index s : which) {
    const std::size_t begin = most * static_cast<std::size_t>(s);
    order.resize(static_cast<std::size_t>(sizes[static_cast<std::size_t>(s)]));
    std::iota(order.begin(), order.end(), begin);
    std::ranges::sort(order, {}, [&](std::size_t e) { return atoms[e]; });
    Code& code = codes.emplace_back();
    code.code.theta.resize(std::ssize(order));
    code.variance.resize(std::ssize(order));
    for (Index k = 0; k < std::ssize(order); ++k) {
      const std::size_t entry = order[static_cast<std::size_t>(k)];
      code.code.active.push_back(atoms[entry]);
      code.code.theta[k] = theta[entry];
      code.variance[k] = variance[entry];
    }
  }
  return codes;
}

}  // namespace ardent
