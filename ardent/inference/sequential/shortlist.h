// The addition that promises most, without a scan of every basis for each.
//
// A scan of all M bases (scan.h) names the 1/16 of them, 64 at least, that promise most. After an
// addition those alone are looked at again, which for the Bernoulli likelihood costs a sixteenth of
// a scan. Promises mostly fall as a model grows, since columns overlap; so the best of the list
// stands as long as it promises what the best of the others promised at the last scan. When it does
// not, or nothing on the list is worth adding, all are scanned again: a search ends only with a
// scan of all. (Now and then a promise outside has risen by a few hundredths of a nat.) The
// Gaussian likelihood updates S and Q of all bases at little cost: there every look is a scan of
// all.
//
// A basis is named twice at most: for the Bernoulli likelihood promises hold at the old curvatures,
// and one that is added, removed and added again would go on for ever.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ardent/inference/sequential/actions.h"

namespace ardent {

class Shortlist {
 public:
  /// `candidates` must outlive this.
  explicit Shortlist(const ActiveProblem& candidates);
  /// One of whose bases some were named already.
  Shortlist(const ActiveProblem& candidates, std::vector<int> named);

  /// The addition that promises most; nothing where none promises more than `least` nats beyond
  /// its cost. The model's relevances must be known.
  std::optional<Action> best(const SequentialModel& model, double least,
                             const EngineOptions& options);
  /// S and Q of all bases.
  BasisStatistics scan_all(const SequentialModel& model);
  Index scans() const { return scans_; }  // of all bases
  const std::vector<int>& named() const { return named_; }

 private:
  std::vector<Action> promising(const SequentialModel& model, const BasisStatistics& statistics,
                                const std::vector<Index>* bases, double least,
                                const EngineOptions& options) const;
  std::optional<Action> first_new(const std::vector<Action>& actions, const SequentialModel& model);
  void list(const std::vector<Action>& actions);

  const ActiveProblem* candidates_;
  std::unique_ptr<BasisScan> all_;
  std::vector<int> named_;  // how often each was
  Index scans_ = 0;

  std::vector<Index> listed_;  // ascending; empty: no list
  ActiveProblem listed_problem_;
  std::unique_ptr<BasisScan> of_listed_;
  double outside_ = 0;  // what the best basis that is not listed promised
};

}  // namespace ardent
