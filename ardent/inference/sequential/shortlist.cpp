#include "ardent/inference/sequential/shortlist.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ardent/inference/sequential/make_scan.h"

namespace ardent {
namespace {

constexpr Index kListedShare = 16;   // one of so many is listed,
constexpr Index kFewestListed = 64;  // but so many at least
constexpr int kMostNamed = 2;        // times that a basis is named

}  // namespace

Shortlist::Shortlist(const ActiveProblem& candidates)
    : Shortlist(candidates, std::vector<int>(static_cast<std::size_t>(candidates.active()))) {}

Shortlist::Shortlist(const ActiveProblem& candidates, std::vector<int> named)
    : candidates_(&candidates), all_(make_basis_scan(candidates)), named_(std::move(named)) {}

std::optional<Action> Shortlist::best(const SequentialModel& model, double least,
                                      const EngineOptions& options) {
  if (!listed_.empty()) {
    const std::vector<Action> actions =
        promising(model, of_listed_->scan(model.state, {}), &listed_, least, options);
    const auto found = first_new(actions, model);
    if (found && found->gain >= outside_) {
      ++named_[found->basis];
      return found;
    }
  }
  const std::vector<Action> actions = promising(model, scan_all(model), nullptr, least, options);
  list(actions);
  const auto found = first_new(actions, model);
  if (found) ++named_[found->basis];
  return found;
}

BasisStatistics Shortlist::scan_all(const SequentialModel& model) {
  ++scans_;
  return all_->scan(model.state, model.active);
}

std::vector<Action> Shortlist::promising(const SequentialModel& model,
                                         const BasisStatistics& statistics,
                                         const std::vector<Index>* bases, double least,
                                         const EngineOptions& options) const {
  constexpr double kAbsent = std::numeric_limits<double>::infinity();
  const double cost = candidates_->support.cost(std::ssize(model.active));
  std::vector<Action> actions;
  for (Index k = 0; k < statistics.s.size(); ++k) {
    const Index basis = bases ? (*bases)[k] : k;
    if (named_[basis] >= kMostNamed || std::ranges::binary_search(model.active, basis)) continue;
    const double s = statistics.s[k], q = statistics.q[k];
    const double alpha = best_precision(s, q, options.alpha_max);
    if (std::isinf(alpha)) continue;
    const double gain = precision_gain(s, q, kAbsent, alpha) - cost;
    if (gain > least) actions.push_back({ActionKind::add, basis, alpha, gain});
  }
  // To seven digits: the gains of copies of a column differ by rounding, and the first is to win.
  std::ranges::stable_sort(actions, [](const Action& a, const Action& b) {
    return static_cast<float>(a.gain) > static_cast<float>(b.gain);
  });
  return actions;
}

std::optional<Action> Shortlist::first_new(const std::vector<Action>& actions,
                                           const SequentialModel& model) {
  for (const Action& action : actions) {
    if (!repeats_active(*candidates_, model, action.basis)) return action;
    named_[action.basis] = kMostNamed;
  }
  return std::nullopt;
}

void Shortlist::list(const std::vector<Action>& actions) {
  listed_.clear();
  if (candidates_->likelihood == Likelihood::gaussian) return;
  const Index wanted = std::max(kFewestListed, candidates_->active() / kListedShare);
  const Index count = std::min<Index>(wanted, std::ssize(actions));
  outside_ = count < std::ssize(actions) ? actions[count].gain : 0;
  for (Index k = 0; k < count; ++k) listed_.push_back(actions[k].basis);
  std::ranges::sort(listed_);
  if (listed_.empty()) return;
  listed_problem_ = restricted(*candidates_, listed_);
  of_listed_ = make_basis_scan(listed_problem_);
}

}  // namespace ardent
