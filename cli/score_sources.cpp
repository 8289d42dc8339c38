#include <fmt/format.h>

#include <memory>

#include "ardent/imaging/catalogue.h"
#include "ardent/imaging/source_metrics.h"
#include "command.h"
#include "describe.h"

namespace ardent::cli {
namespace {

struct ScoreSourcesCommand {
  Common common;
  std::string found_path, truth_path;
  double radius = 1.5, box = 5;

  void run() const {
    const std::vector<Source> found = read_catalogue(found_path);
    const std::vector<Source> truth = read_catalogue(truth_path);
    const Matches matches = match_sources(found, truth, radius);
    const double iou = group_iou(found, truth, box);
    if (common.json) {
      print_json({{"found", found.size()},
                  {"true", truth.size()},
                  {"pairs", matches.pairs},
                  {"recall", matches.recall},
                  {"precision", matches.precision},
                  {"f1", matches.f1},
                  {"distance", matches.distance},
                  {"group_iou", iou}});
      return;
    }
    fmt::print(
        "{} found, {} true, {} pairs within {:g} pixels\n"
        "recall {:.4f}, precision {:.4f}, F1 {:.4f}, mean distance {:.4f}, group IoU {:.4f}\n",
        found.size(), truth.size(), matches.pairs, radius, matches.recall, matches.precision,
        matches.f1, matches.distance, iou);
  }
};

}  // namespace

void add_score_sources(CLI::App& app) {
  auto command = std::make_shared<ScoreSourcesCommand>();
  CLI::App* sub = app.add_subcommand("score-sources",
                                     "Compare a list of sources with the truth (CSV with x and y)");
  add_input(*sub, "FOUND", command->found_path, "CSV file of sources found")->required();
  add_input(*sub, "TRUTH", command->truth_path, "CSV file of true sources")->required();
  sub->add_option("--radius", command->radius,
                  "A found and a true source are a pair if they are so many pixels apart at most, "
                  "nearest pairs first")
      ->capture_default_str();
  sub->add_option("--box", command->box, "Side of the boxes of group IoU, in pixels")
      ->capture_default_str();
  command->common.add_to(*sub);
  run_when_parsed(*sub, command);
}

}  // namespace ardent::cli
