#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <numeric>

#include "ardent/base/atomic_file.h"
#include "ardent/estimators/doubly_sparse_training.h"
#include "ardent/model/model_file.h"
#include "command.h"
#include "describe.h"
#include "ranks.h"
#include "terminal.h"

namespace ardent::cli {
namespace {

using doubly_sparse::Estimate;

std::string number(double x, int digits) {
  return std::isnan(x) ? "" : fmt::format("{:.{}f}", x, digits);
}

Json estimate_json(const Estimate& estimate) {
  return {{"mean", estimate.mean},
          {"error", estimate.error},
          {"effective", estimate.effective},
          {"r_hat", estimate.r_hat}};
}

std::vector<std::string> estimate_cells(const Estimate& estimate) {
  return {number(estimate.mean, 3), number(estimate.error, 3), number(estimate.r_hat, 2),
          number(estimate.effective, 0)};
}

std::string describe_ending(const doubly_sparse::ChainsSummary& summary) {
  const bool agreed = summary.ending == doubly_sparse::Ending::agreement;
  return fmt::format(
      "{} after {} sweeps of each chain: R-hat {:.3f} and {:.0f} effective draws at worst\n",
      agreed ? "the chains agree" : "ended before the chains agree",
      summary.traces.log_likelihood.rows(), summary.agreement.r_hat, summary.agreement.effective);
}

/// The likeliest first.
std::vector<std::size_t> by_inclusion(const std::vector<Estimate>& estimates) {
  std::vector<std::size_t> order(estimates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return estimates[a].mean > estimates[b].mean;
  });
  return order;
}

struct MasksCommand {
  Common common;
  DataSource source;
  TrainOptions options;
  Schema table = schema(options);
  std::string output;
  std::string features_file, basis_file;
  CheckpointOptions checkpoint;
  Index top = 20;

  void run() const {
    const ThreadScope threads(ranks() && common.threads == 0 ? 1 : common.threads);
    const Dataset data = source.read();
    const auto start = std::chrono::steady_clock::now();
    const DoublySparseFit fit = [&] {
      ProgressBar bar(common.verbose, ProgressBar::TimeLeft::shown);
      TrainOptions asked = options;
      if (ranks()) asked.farm = &ranks()->farm();
      return fit_doubly_sparse(data, asked, checkpoint, bar.callback());
    }();
    if (!leads()) return;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (!output.empty()) save_model(fit.model, output);
    write(features_file, features_csv(data, fit));
    write(basis_file, basis_csv(fit));
    warn(fit.model);
    if (common.json) {
      print_json(as_json(data, fit, seconds.count()));
      return;
    }
    fmt::print("{}: {} rows × {} features\n{}", data.source, data.rows(), data.cols(),
               describe(data, fit));
    fmt::print("in {:.2f} s\n", seconds.count());
    for (const std::string& path : {features_file, basis_file, output}) {
      if (!path.empty()) fmt::print("written: {}\n", path);
    }
  }

  static void write(const std::string& path, const std::string& text) {
    if (path.empty()) return;
    AtomicFile file(path);
    file.write(text);
    file.commit();
  }

  static std::string title(const DoublySparseFit& fit, std::size_t p) {
    return fit.fits.size() == 1 ? "" : part_name(fit.model, fit.model.parts[p]);
  }

  std::string describe(const Dataset& data, const DoublySparseFit& fit) const {
    std::string text;
    for (std::size_t p = 0; p < fit.fits.size(); ++p) {
      const DoublySparseReport& one = fit.fits[p];
      if (fit.fits.size() > 1) text += title(fit, p) + "\n";
      text += describe_chains(one);
      std::vector<std::vector<std::string>> rows{
          {"feature", "inclusion", "error", "R-hat", "effective"}};
      const auto order = by_inclusion(one.summary.features);
      const std::size_t shown = top > 0 ? static_cast<std::size_t>(top) : order.size();
      for (const std::size_t k : order) {
        if (rows.size() > shown) break;
        rows.push_back({feature_name(data, one.columns[k])});
        for (auto& cell : estimate_cells(one.summary.features[k])) rows.back().push_back(cell);
      }
      text += text_table(rows);
      if (shown < order.size()) text += fmt::format("  … and {} more\n", order.size() - shown);
    }
    return text;
  }

  std::string describe_chains(const DoublySparseReport& one) const {
    const doubly_sparse::ChainsSummary& summary = one.summary;
    std::string text = fmt::format(
        "{} sampler: {:.1f} of {} features and {:.1f} of {} basis points on; {:.2f} and {:.2f} "
        "change per sweep\n",
        options.doubly_sparse.sampler, summary.features_on.mean, one.columns.size(),
        summary.basis_on.mean, one.candidates.size(), summary.feature_flips, summary.basis_flips);
    if (one.resumed > 0) text += fmt::format("{} sweeps came from the checkpoint\n", one.resumed);
    if (options.doubly_sparse.sampler != "collapsed") return text;
    if (options.doubly_sparse.sweeps == 0) text += describe_ending(summary);
    std::vector<std::vector<std::string>> rows{{"chains", "mean", "error", "R-hat", "effective"}};
    const auto add = [&](const char* name, const Estimate& estimate) {
      rows.push_back({name});
      for (auto& cell : estimate_cells(estimate)) rows.back().push_back(cell);
    };
    add("log likelihood", summary.log_likelihood);
    add("features on", summary.features_on);
    add("basis points on", summary.basis_on);
    add("log delta", summary.log_delta);
    return text + text_table(rows);
  }

  static std::string csv_line(const DoublySparseFit& fit, std::size_t p, Index index,
                              const std::string& name, const Estimate& estimate) {
    std::string line = fit.fits.size() > 1 ? csv_field(title(fit, p)) + "," : "";
    return line + fmt::format("{},{},{},{},{},{}\n", index + 1, csv_field(name), estimate.mean,
                              estimate.error, estimate.effective, estimate.r_hat);
  }

  static std::string csv_header(const DoublySparseFit& fit) {
    return std::string(fit.fits.size() > 1 ? "model," : "") +
           "index,name,inclusion,error,effective,r_hat\n";
  }

  static std::string features_csv(const Dataset& data, const DoublySparseFit& fit) {
    std::string text = csv_header(fit);
    for (std::size_t p = 0; p < fit.fits.size(); ++p) {
      const DoublySparseReport& one = fit.fits[p];
      for (const std::size_t k : by_inclusion(one.summary.features)) {
        text += csv_line(fit, p, one.columns[k], feature_name(data, one.columns[k]),
                         one.summary.features[k]);
      }
    }
    return text;
  }

  static std::string basis_csv(const DoublySparseFit& fit) {
    std::string text = csv_header(fit);
    for (std::size_t p = 0; p < fit.fits.size(); ++p) {
      const DoublySparseReport& one = fit.fits[p];
      for (const std::size_t c : by_inclusion(one.summary.basis)) {
        text +=
            csv_line(fit, p, one.candidates[c],
                     fmt::format("training row {}", one.candidates[c] + 1), one.summary.basis[c]);
      }
    }
    return text;
  }

  Json as_json(const Dataset& data, const DoublySparseFit& fit, double seconds) const {
    Json json{{"task", task_name(fit.model.task)},
              {"rows", data.rows()},
              {"features", data.cols()},
              {"options", fit.model.options},
              {"seconds", seconds},
              {"model", output.empty() ? Json(nullptr) : Json(output)},
              {"parts", Json::array()}};
    for (std::size_t p = 0; p < fit.fits.size(); ++p) {
      const DoublySparseReport& one = fit.fits[p];
      const doubly_sparse::ChainsSummary& summary = one.summary;
      Json part;
      if (fit.fits.size() > 1) part["name"] = title(fit, p);
      part["log_likelihood"] = estimate_json(summary.log_likelihood);
      part["features_on"] = estimate_json(summary.features_on);
      part["basis_on"] = estimate_json(summary.basis_on);
      part["log_delta"] = estimate_json(summary.log_delta);
      part["log_xi"] = estimate_json(summary.log_xi);
      if (fit.model.task == Task::regression) part["log_noise"] = estimate_json(summary.log_noise);
      part["feature_flips"] = summary.feature_flips;
      part["basis_flips"] = summary.basis_flips;
      part["delta_acceptance"] = summary.delta_acceptance;
      part["resumed"] = one.resumed;
      if (options.doubly_sparse.sampler == "collapsed") {
        part["ended_by"] = doubly_sparse::ending_name(summary.ending);
        part["sweeps"] = summary.traces.log_likelihood.rows();
      }
      part["warnings"] = summary.warnings;
      for (const std::size_t k : by_inclusion(summary.features)) {
        Json feature{{"index", one.columns[k] + 1}, {"name", feature_name(data, one.columns[k])}};
        feature.update(estimate_json(summary.features[k]));
        part["features"].push_back(std::move(feature));
      }
      for (const std::size_t c : by_inclusion(summary.basis)) {
        Json basis{{"row", one.candidates[c] + 1}};
        basis.update(estimate_json(summary.basis[c]));
        part["basis"].push_back(std::move(basis));
      }
      json["parts"].push_back(std::move(part));
    }
    return json;
  }
};

}  // namespace

void add_masks(CLI::App& app) {
  auto command = std::make_shared<MasksCommand>();
  command->table.fix("map", "doubly-sparse");
  CLI::App* sub = app.add_subcommand(
      "masks",
      "Doubly sparse kernel model: inclusion probabilities of features and of basis points, with "
      "their Monte-Carlo error");
  command->source.add_weighted_to(*sub);
  add_output(*sub, "-o,--output", command->output,
             "Model file, for predict and evaluate (written whole or not at all)");
  add_output(*sub, "--table", command->features_file, "CSV file: inclusion of every feature");
  add_output(*sub, "--basis-table", command->basis_file,
             "CSV file: inclusion of every basis point");
  add_checkpoint(*sub, command->checkpoint);
  sub->add_option("--top", command->top, "Features shown at most; 0: all")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  add_options(*sub, command->table, "Sampling");
  add_class_weights(*sub, command->table, "Sampling");
  command->common.add_to(*sub);
  run_when_parsed(*sub, command);
}

}  // namespace ardent::cli
