#include "grid_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "terminal.h"

namespace ardent::cli {
namespace {

bool without_folds(const GridResult& result) {
  return result.pick == "evidence";
}

Json point_json(const Grid& grid, const GridResult& result, const GridPoint& point) {
  Json json{{"options", Json::object()}};
  for (std::size_t a = 0; a < grid.axes().size(); ++a) {
    json["options"][grid.axes()[a].name] = point.values[a];
  }
  for (const auto& [name, values] : point.scores) {
    const Summary summary = summarise(values);
    if (without_folds(result)) {
      json[name] = summary.mean;
    } else {
      json[name] = {{"mean", summary.mean}, {"sd", summary.sd}};
    }
  }
  return json;
}

/// The scores that a person reads first; the CSV table has all.
std::vector<std::string> shown_scores(const GridResult& result) {
  if (without_folds(result)) return {"evidence", "active", "seconds"};
  if (result.task == Task::regression) return {"rmse", "r2", "nlpd", "active", "seconds"};
  return {"accuracy", "log_loss", "auc", "active", "seconds"};
}

const std::vector<double>& values_of(const GridPoint& point, const std::string& name) {
  return std::find_if(point.scores.begin(), point.scores.end(),
                      [&](const auto& score) { return score.first == name; })
      ->second;
}

}  // namespace

std::string describe_grid(const Grid& grid, const GridResult& result) {
  std::vector<std::vector<std::string>> rows{{""}};
  for (const GridAxis& axis : grid.axes()) rows[0].push_back(axis.name);
  for (const std::string& name : shown_scores(result)) {
    rows[0].push_back(name);
    if (name == result.pick && !without_folds(result)) rows[0].push_back("sd");
  }
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    const GridPoint& point = result.points[p];
    std::vector<std::string> row{static_cast<Index>(p) == result.best ? "best" : ""};
    row.insert(row.end(), point.values.begin(), point.values.end());
    for (const std::string& name : shown_scores(result)) {
      const Summary summary = summarise(values_of(point, name));
      row.push_back(fmt::format("{:.6g}", summary.mean));
      if (name == result.pick && !without_folds(result)) {
        row.push_back(fmt::format("{:.3g}", summary.sd));
      }
    }
    rows.push_back(std::move(row));
  }
  const GridPoint& best = result.points[result.best];
  return text_table(rows) + fmt::format("best by {}: {} ({:.6g})\n", result.pick,
                                        grid.name(result.best), mean_score(best, result.pick));
}

Json grid_json(const Grid& grid, const GridResult& result) {
  Json json{{"pick", result.pick}, {"resumed", result.resumed}, {"grid", Json::array()}};
  for (const GridPoint& point : result.points) {
    json["grid"].push_back(point_json(grid, result, point));
  }
  json["best"] = json["grid"][result.best];
  json["best"]["point"] = result.best;
  return json;
}

std::string grid_csv(const Grid& grid, const GridResult& result) {
  std::vector<std::string> header;
  for (const GridAxis& axis : grid.axes()) header.push_back(axis.name);
  for (const auto& [name, values] : result.points.front().scores) {
    if (without_folds(result)) {
      header.push_back(name);
    } else {
      header.insert(header.end(), {name + "_mean", name + "_sd"});
    }
  }
  std::string text = fmt::format("{}\n", fmt::join(header, ","));
  for (const GridPoint& point : result.points) {
    std::vector<std::string> row = point.values;
    for (const auto& [name, values] : point.scores) {
      const Summary summary = summarise(values);
      row.push_back(fmt::format("{}", summary.mean));
      if (!without_folds(result)) row.push_back(fmt::format("{}", summary.sd));
    }
    text += fmt::format("{}\n", fmt::join(row, ","));
  }
  return text;
}

}  // namespace ardent::cli
