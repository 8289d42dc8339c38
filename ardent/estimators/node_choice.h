// Hidden nodes of classes: a precision for each of them, or one for all?
//
// Hidden nodes are drawn at random: none of them is the true one, and each says a little. Where
// rows are many against what is to be learnt the evidence prunes to a few nodes and predicts as
// well as all of them; of many classes it prunes too far (digits: five nodes a pair, log loss .13
// where all 200 have .07). So the held-out rows of five folds compare the evidence and `shrinkage`
// (path/shrinkage.h), which wins where its log loss is lower by a twentieth. Of many classes five
// pairs choose for the others, which shrink as strongly as their own folds say.
#pragma once

#include <optional>
#include <string>

#include "ardent/estimators/support_choice.h"

namespace ardent {

/// Classes by the map elm, with nothing that names an engine or an objective.
bool may_share_precision(const TrainingSet& set, const TrainOptions& options);

struct NodeChoice {
  std::optional<Fit> shrunk = std::nullopt;        // where one precision for all has won
  std::optional<SupportRule> rule = std::nullopt;  // where folds compared
  std::string note = "";
};

/// `engine`: that of the evidence. Where folds would compare, the `rule` decides instead, if there
/// is one.
NodeChoice choose_node_precisions(const TrainingSet& set, const Problem& problem,
                                  const TrainOptions& options, const std::string& engine,
                                  const std::optional<SupportRule>& rule,
                                  const ProgressCallback& progress);

}  // namespace ardent
