#include "ardent/inference/path/saved_walk.h"

#include "ardent/base/array_pieces.h"
#include "ardent/inference/saved_report.h"

namespace ardent {

void add_solution(Index step, const L1Solution& solution, ContainerWriter& file) {
  file.about["next"] = step + 1;
  file.add("active", solution.active);
  file.add("w", buffer_of(solution.w));
  file.add("numbers", std::vector{solution.bias, solution.lambda});
}

Index next_step(const Container& file) {
  return file.about().at("next").get<Index>();
}

L1Solution read_solution(const L1Problem& problem, const Container& file) {
  std::vector<Index> active = file.list<Index>("active");
  for (const Index k : active) {
    if (k < 0 || k >= problem.phi.cols()) file.refuse("it is of other columns");
  }
  ArrayPieces pieces(file);
  Vector w = pieces.take_vector("w", std::ssize(active));
  const auto numbers = pieces.take<double>("numbers", 2);
  pieces.expect_all_taken();
  return solution_of(problem, std::move(active), std::move(w), numbers[0], numbers[1]);
}

}  // namespace ardent
