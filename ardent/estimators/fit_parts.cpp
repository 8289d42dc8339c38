#include "ardent/estimators/fit_parts.h"

#include <algorithm>
#include <optional>
#include <type_traits>

#include "ardent/base/in_turn.h"
#include "ardent/estimators/class_choice.h"
#include "ardent/estimators/sparse_choice.h"

namespace ardent {
namespace {

constexpr Index kAskedProblems = 5;  // of many, whose folds choose for all

/// Evenly spaced problems whose own folds choose the prior on the support, or how to shrink, where
/// others follow.
std::vector<Index> asked_problems(const TrainingSet& set, const TrainOptions& options) {
  const Index count = std::ssize(set.problems);
  std::vector<Index> asked;
  if (prefers_shrinkage(set.data, options)) {
    return problems_for_folds(set.problems, count < 2 * kAskedProblems ? count : kAskedProblems,
                              set.data.share.get());
  }
  if (count < 2 * kAskedProblems || options.support_prior != "auto" || !set.map->linear())
    return asked;
  for (Index k = 0; k < kAskedProblems; ++k)
    asked.push_back((2 * k + 1) * count / (2 * kAskedProblems));
  return asked;
}

/// What a process sends, or a checkpoint keeps, of the problem that it fitted (packed.h).
template <class Stream, class Problem>
void transfer_fitted(Stream& stream, Problem& fitted) {
  if constexpr (std::is_same_v<Stream, Packer>) {
    stream.field("fit", bytes_of(fitted.fit));
  } else {
    std::string bytes;
    stream.field("fit", bytes);
    fitted.fit = fit_of(bytes, "a fit of another process or run");
  }
  stream.field("rule", fitted.rule);
  stream.list("held_out", fitted.held_out);
}

/// A problem's fit, or what a checkpoint has of it.
FittedProblem fit_or_take_up(const TrainingSet& set, Index p, const TrainOptions& options,
                             const std::optional<SupportRule>& rule,
                             const ProgressCallback& progress, TrainingCheckpoint* checkpoint) {
  if (!checkpoint) return fit_problem(set, set.problems[p], options, rule, progress);
  FittedProblem fitted;
  if (const auto bytes = checkpoint->finished(p)) {
    Unpacker stream(*bytes);
    transfer_fitted(stream, fitted);
    return fitted;
  }
  fitted = fit_problem(set, set.problems[p], options, rule, progress, checkpoint->stages_of(p));
  if (set.problems.size() > 1 && fitted.fit.report.status != Status::stopped) {
    Packer stream;
    transfer_fitted(stream, fitted);
    checkpoint->finish(p, stream.bytes());
  }
  return fitted;
}

}  // namespace

FittedParts fit_all(const TrainingSet& set, const TrainOptions& options,
                    const ProgressCallback& progress, TrainingCheckpoint* checkpoint) {
  PartProgress shared(progress, set.problems.size(), false);
  FittedParts parts{std::vector<Fit>(set.problems.size()),
                    std::vector<Vector>(set.problems.size())};
  std::vector<SupportRule> rules;
  std::optional<SupportRule> rule;
  const auto fit_one = [&](Index p) {
    FittedProblem fitted = fit_or_take_up(set, p, options, rule, shared.of(p), checkpoint);
    shared.finish_part();
    return fitted;
  };
  const auto fit_these = [&](const std::vector<Index>& problems) {
    const Index count = std::ssize(problems);
    std::vector<FittedProblem> fitted(count);
    if (options.farm) {
      fitted = dealt_out<FittedProblem>(
          options.farm, count, [&](Index k) { return fit_one(problems[k]); },
          [](auto& stream, auto& problem) { transfer_fitted(stream, problem); });
    } else {
      // One device fits one problem at a time, in all of its memory.
      const bool in_order = set.data.share != nullptr || options.engine_options.accelerator;
      parallel_for_unless(in_order, count, [&](Index k) { fitted[k] = fit_one(problems[k]); });
    }
    for (Index k = 0; k < count; ++k) {
      parts.fits[problems[k]] = std::move(fitted[k].fit);
      parts.held_out[problems[k]] = std::move(fitted[k].held_out);
      if (fitted[k].rule) rules.push_back(*fitted[k].rule);
    }
  };
  const std::vector<Index> asked = asked_problems(set, options);
  std::vector<Index> others;
  for (Index p = 0; p < std::ssize(set.problems); ++p) {
    if (!std::ranges::binary_search(asked, p)) others.push_back(p);
  }
  fit_these(asked);
  if (!rules.empty()) rule = common_rule(rules);
  fit_these(others);
  return parts;
}

}  // namespace ardent
