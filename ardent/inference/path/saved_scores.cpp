// The scores of a fold's walk in a checkpoint.
#include "ardent/base/array_pieces.h"
#include "ardent/inference/path/path_choice.h"
#include "ardent/inference/path/saved_walk.h"

namespace ardent {

void PathScores::leave(const Walk& stops, Index step, const L1Solution& plain, bool ended,
                       StageCheckpoint& place) {
  ContainerWriter file;
  file.about["ended"] = ended;
  std::vector<double> scores, active, held_out;
  std::vector<Index> reweightings, rows;
  for (const std::vector<Stop>& at_step : stops) {
    reweightings.push_back(std::ssize(at_step));
    for (const Stop& stop : at_step) {
      scores.push_back(stop.score);
      active.push_back(stop.active);
      rows.push_back(stop.f.size());
      append(held_out, stop.f);
    }
  }
  file.add("stops", reweightings);
  file.add("scores", scores);
  file.add("weights", active);
  file.add("rows", rows);
  file.add("held_out", held_out);
  if (!ended) add_solution(step, plain, file);
  place.leave(step + 1, file, StateOf::rows);
}

PathScores::Walk PathScores::stops_of(const Container& file) {
  Walk stops;
  ArrayPieces pieces(file);
  for (const Index count : file.list<Index>("stops")) {
    std::vector<Stop>& at_step = stops.emplace_back();
    for (Index j = 0; j < count; ++j) {
      const double score = pieces.take<double>("scores", 1)[0];
      const double active = pieces.take<double>("weights", 1)[0];
      const Index rows = pieces.take<Index>("rows", 1)[0];
      at_step.push_back({score, active, pieces.take_vector("held_out", rows)});
    }
  }
  pieces.expect_all_taken();
  return stops;
}

}  // namespace ardent
