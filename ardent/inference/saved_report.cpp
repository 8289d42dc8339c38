#include "ardent/inference/saved_report.h"

#include "ardent/base/array_pieces.h"

namespace ardent {

void add_report(const Report& report, ContainerWriter& file) {
  std::vector<double> numbers, mean, bias;
  std::vector<Index> counts, sizes, basis;
  for (const Stage& stage : report.stages) {
    append(numbers, std::vector{stage.log_evidence, stage.change, stage.objective});
    append(counts, std::vector{stage.active, stage.newton_steps});
  }
  for (const PathPoint& point : report.path) {
    sizes.push_back(std::ssize(point.active));
    append(basis, point.active);
    append(mean, point.mean);
    bias.push_back(point.bias);
  }
  file.about["status"] = status_name(report.status);
  file.about["stages"] = report.stages.size();
  file.add("stages.numbers", numbers);
  file.add("stages.counts", counts);
  file.add("path.sizes", sizes);
  file.add("path.basis", basis);
  file.add("path.mean", mean);
  file.add("path.bias", bias);
  file.add_strings("warnings", report.warnings);
}

void read_report(const Container& file, Report& report) {
  report.status = parse_status(file.about().at("status").get<std::string>());
  report.warnings = file.strings("warnings");
  report.stages.clear();
  report.path.clear();
  ArrayPieces pieces(file);
  const auto stages = file.about().at("stages").get<Index>();
  for (Index s = 0; s < stages; ++s) {
    const auto numbers = pieces.take<double>("stages.numbers", 3);
    const auto counts = pieces.take<Index>("stages.counts", 2);
    report.stages.push_back({numbers[0], counts[0], counts[1], numbers[1], numbers[2]});
  }
  for (const Index size : file.list<Index>("path.sizes")) {
    report.path.push_back({pieces.take_list<Index>("path.basis", size),
                           pieces.take_vector("path.mean", size),
                           pieces.take<double>("path.bias", 1)[0]});
  }
  pieces.expect_all_taken();
}

}  // namespace ardent
