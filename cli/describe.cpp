#include "describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ardent/inference/evidence/support_odds.h"
#include "terminal.h"

namespace ardent::cli {
namespace {

/// Positions of the posterior's weights, the best determined (|mean|/sd) first.
std::vector<Index> by_relevance(const Posterior& posterior) {
  const Index m = posterior.mean.size();
  std::vector<Index> order(m);
  std::iota(order.begin(), order.end(), Index{0});
  const Vector ratio = posterior.mean.array().abs() / posterior.variance.head(m).array().sqrt();
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return ratio[a] > ratio[b]; });
  return order;
}

std::string input_name(const Model& model, std::size_t k) {
  if (!model.feature_names.empty()) return model.feature_names[k];
  return fmt::format("feature {}", model.inputs[k] + 1);
}

/// Positions of the inputs of a doubly sparse model, the likeliest first.
std::vector<std::size_t> by_inclusion(const std::vector<double>& inclusion) {
  std::vector<std::size_t> order(inclusion.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return inclusion[a] > inclusion[b]; });
  return order;
}

std::string describe_inclusion(const Model& model, const Part& part,
                               const std::vector<double>& inclusion, Index top) {
  std::vector<std::vector<std::string>> rows{{"feature", "inclusion"}};
  const std::vector<std::size_t> order = by_inclusion(inclusion);
  const std::size_t shown = top > 0 ? std::min<std::size_t>(top, order.size()) : order.size();
  for (std::size_t i = 0; i < shown; ++i) {
    rows.push_back({input_name(model, order[i]), fmt::format("{:.3f}", inclusion[order[i]])});
  }
  std::string text = model.parts.size() > 1 ? part_name(model, part) + "\n" : "";
  text += text_table(rows);
  if (shown < order.size()) text += fmt::format("  … and {} more\n", order.size() - shown);
  return text;
}

Json inclusion_json(const Model& model, const std::vector<double>& inclusion) {
  Json inputs = Json::array();
  for (const std::size_t k : by_inclusion(inclusion)) {
    inputs.push_back({{"name", input_name(model, k)},
                      {"index", model.inputs[k] + 1},
                      {"inclusion", inclusion[k]}});
  }
  return inputs;
}

/// The engines that fitted the parts, each once.
std::vector<std::string> engines_of(const Model& model) {
  std::vector<std::string> engines;
  for (const Part& part : model.parts) {
    const std::string& engine = part.report.engine;
    const bool known = std::find(engines.begin(), engines.end(), engine) != engines.end();
    if (!engine.empty() && !known) engines.push_back(engine);
  }
  return engines;
}

/// The option's value; of `auto`, right after training, also what it came to.
std::string method_of(const Model& model, const std::string& how) {
  const std::string& asked = model.options.at(how);
  const std::vector<std::string> engines = engines_of(model);
  if (asked != "auto" || engines.empty()) return asked;
  return fmt::format("auto ({})", fmt::join(engines, ", "));
}

}  // namespace

std::string part_name(const Model& model, const Part& part) {
  if (part.positive < 0) return "";
  const auto& names = model.classes.names;
  const std::string positive = names[part.positive];
  return part.negative < 0 ? positive + " against the rest"
                           : fmt::format("{} against {}", positive, names[part.negative]);
}

void print_json(const Json& json) {
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

std::string describe_model(const Model& model) {
  std::string text = fmt::format("{}, map {}", task_name(model.task), map_name(model));
  for (const auto& [name, value] : map_parameters(model)) {
    text += fmt::format(" ({} {:.6g})", name, value);
  }
  const std::string how(
      std::visit([](const auto& kind) { return kind.method_option(); }, model.kind));
  text += fmt::format(", {} {}, scale {}, {} features", how, method_of(model, how),
                      scale_name(model.scaling.kind), model.features);
  if (model.task == Task::classification) {
    text += fmt::format("\nclasses {}", fmt::join(model.classes.names, ", "));
    if (model.parts.empty()) return text;
    if (model.classes.size() == 2) {
      text +=
          fmt::format(" (weights are log odds of {})", model.classes.names[model.classes.positive]);
    } else {
      text += fmt::format(
          " ({} binary models, {})", model.parts.size(),
          model.parts.front().negative < 0 ? "one against the rest" : "one against one");
    }
  }
  return text;
}

std::string describe_kept(const Model& model, Index p, Index top) {
  const Part& part = model.parts[p];
  if (const auto* doubly_sparse = std::get_if<DoublySparseModel>(&model.kind)) {
    return describe_inclusion(model, part, doubly_sparse->samples[p].inclusion, top);
  }
  const Posterior& posterior = part.posterior;
  std::vector<std::vector<std::string>> rows{
      {is_linear(model) ? "feature" : "basis", "weight", "sd", "relevance"}};
  const std::vector<Index> order = by_relevance(posterior);
  const Index shown = top > 0 ? std::min<Index>(top, std::ssize(order)) : std::ssize(order);
  for (Index i = 0; i < shown; ++i) {
    const Index k = order[i];
    rows.push_back({basis_name(model, posterior.active[k]),
                    fmt::format("{:.4g}", posterior.mean[k]),
                    fmt::format("{:.4g}", std::sqrt(posterior.variance[k])),
                    fmt::format("{:.3f}", posterior.gamma[k])});
  }
  if (posterior.has_bias) {
    const double variance = posterior.variance[posterior.variance.size() - 1];
    rows.push_back({"(bias)", fmt::format("{:.4g}", posterior.bias),
                    fmt::format("{:.4g}", std::sqrt(variance)), ""});
  }
  std::string text;
  if (model.parts.size() > 1) text += part_name(model, part) + "\n";
  text += text_table(rows);
  if (shown < std::ssize(order)) {
    text += fmt::format("  … and {} more\n", std::ssize(order) - shown);
  }
  return text;
}

Json kept_json(const Model& model, Index part_index) {
  const Part& part = model.parts[part_index];
  const Posterior& posterior = part.posterior;
  const Vector odds = support_odds(posterior, part.report.candidates).log_odds;
  std::vector<Index> order(posterior.active.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, [&](Index a, Index b) { return odds[a] > odds[b]; });
  Json kept = Json::array();
  for (const Index k : order) {
    const Index basis = posterior.active[k];
    kept.push_back({{"name", basis_name(model, basis)},
                    {"index", origin(model)[basis] + 1},
                    {"weight", posterior.mean[k]},
                    {"sd", std::sqrt(posterior.variance[k])},
                    {"relevance", posterior.gamma[k]},
                    {"alpha", posterior.alpha[k]},
                    {"log_odds", odds[k]}});
  }
  return kept;
}

double expected_false(const Model& model) {
  double sum = 0;
  for (const Part& part : model.parts) {
    sum += support_odds(part.posterior, part.report.candidates).expected_false;
  }
  return sum;
}

Json model_json(const Model& model) {
  Json json{{"task", task_name(model.task)},
            {"map", map_name(model)},
            {"features", model.features},
            {"scale", scale_name(model.scaling.kind)}};
  for (const auto& [name, value] : map_parameters(model)) json[name] = value;
  if (model.task == Task::classification) {
    json["classes"] = model.classes.names;
    if (model.classes.size() == 2) {
      json["positive"] = model.classes.names[model.classes.positive];
    }
  } else {
    json["noise_variance"] = model.parts[0].posterior.noise_variance;
  }
  json["active"] = mean_active(model);
  json["total"] = model.total;
  json["evidence"] = log_evidence(model);
  json["options"] = model.options;
  json["parts"] = Json::array();
  for (std::size_t p = 0; p < model.parts.size(); ++p) {
    const Part& part = model.parts[p];
    Json reported;
    if (part.positive >= 0) {
      reported["positive"] = model.classes.names[part.positive];
      if (part.negative >= 0) {
        reported["negative"] = model.classes.names[part.negative];
      }
    }
    reported["status"] = status_name(part.report.status);
    if (!part.report.engine.empty()) reported["engine"] = part.report.engine;
    reported["active"] = part.posterior.active.size();
    reported["evidence"] = part.posterior.log_evidence;
    reported["bias"] = part.posterior.has_bias ? Json(part.posterior.bias) : Json(nullptr);
    reported["warnings"] = part.report.warnings;
    reported["notes"] = part.report.notes;
    if (part.report.candidates > 0) reported["candidates"] = part.report.candidates;
    reported["stages"] = Json::array();
    for (const Stage& stage : part.report.stages) {
      reported["stages"].push_back({{"evidence", stage.log_evidence}, {"active", stage.active}});
    }
    reported["kept"] = kept_json(model, p);
    if (const auto* doubly_sparse = std::get_if<DoublySparseModel>(&model.kind)) {
      reported["draws"] = doubly_sparse->samples[p].draws.size();
      reported["inclusion"] = inclusion_json(model, doubly_sparse->samples[p].inclusion);
    }
    json["parts"].push_back(std::move(reported));
  }
  return json;
}

std::string describe_confusion(const Eigen::MatrixXi& confusion, const ClassTable& classes) {
  std::vector<std::vector<std::string>> rows{{"true \\ predicted"}};
  for (const auto& name : classes.names) rows[0].push_back(name);
  for (Index i = 0; i < confusion.rows(); ++i) {
    rows.push_back({classes.names[i]});
    for (Index j = 0; j < confusion.cols(); ++j) {
      rows.back().push_back(fmt::format("{}", confusion(i, j)));
    }
  }
  return text_table(rows);
}

Json confusion_json(const Eigen::MatrixXi& confusion) {
  Json json = Json::array();
  for (Index i = 0; i < confusion.rows(); ++i) {
    const Eigen::VectorXi row = confusion.row(i);
    json.push_back(std::vector<int>(row.begin(), row.end()));
  }
  return json;
}

std::string describe_evaluation(const Evaluation& evaluation, const ClassTable& classes) {
  std::vector<std::vector<std::string>> rows{{"rows", fmt::format("{}", evaluation.rows)}};
  for (const auto& [name, value] : scalars(evaluation)) {
    rows.push_back({name, fmt::format("{:.6g}", value)});
  }
  std::string text = text_table(rows);
  if (evaluation.task == Task::classification) {
    text += describe_confusion(evaluation.classification.confusion, classes);
  }
  return text;
}

Json evaluation_json(const Evaluation& evaluation, const ClassTable& classes) {
  Json json{{"task", task_name(evaluation.task)}, {"rows", evaluation.rows}};
  for (const auto& [name, value] : scalars(evaluation)) json[name] = value;
  if (evaluation.task == Task::classification) {
    json["labels"] = classes.names;
    json["confusion"] = confusion_json(evaluation.classification.confusion);
  }
  return json;
}

}  // namespace ardent::cli
