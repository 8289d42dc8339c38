#include "ardent/inference/coding/lasso_group.h"

#include "ardent/base/parallel.h"

namespace ardent {
namespace {

/// One of the solves.
struct Member {
  Member(const LassoProblem& problem, const LassoOptions& options)
      : correlations(problem), solver(problem, correlations, options, {}) {}

  ResidualCorrelations correlations;
  WorkingSetSolver solver;
  std::span<const Index> unsure;
  Vector products;  // of those with the residual

  /// To the next question about the dictionary; false: there is none.
  bool advance() {
    if (!solver.advance()) return false;
    unsure = correlations.find_unsure(solver.residual(), solver.c());
    return true;
  }

  void answer() {
    correlations.accept(products, solver.residual(), solver.c());
    solver.certify();
  }
};

}  // namespace

std::vector<LassoResult> solve_group(const Dictionary& dictionary,
                                     std::span<const LassoProblem> problems,
                                     const LassoOptions& options) {
  const auto count = std::ssize(problems);
  std::vector<std::unique_ptr<Member>> members(problems.size());
  std::vector<char> waits(problems.size());
  std::vector<LassoResult> results(problems.size());
  std::vector<ListedProducts> questions;
  do {
    parallel_for(count, [&](Index k) {
      std::unique_ptr<Member>& member = members[k];
      if (questions.empty()) {
        member = std::make_unique<Member>(problems[k], options);
      } else if (waits[k]) {
        member->answer();
      } else {
        return;
      }
      waits[k] = member->advance();
      if (waits[k]) return;
      results[k] = member->solver.take_result();
      member.reset();
    });
    questions.clear();
    for (const auto& member : members) {
      if (member) {
        questions.push_back({member->unsure, member->solver.residual(), member->products});
      }
    }
    dictionary.correlate_lists(questions);
  } while (!questions.empty());
  return results;
}

}  // namespace ardent
