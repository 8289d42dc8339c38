#include "ardent/data/synth.h"

#include <fmt/format.h>

#include <chrono>
#include <iterator>
#include <memory>

#include "ardent/base/atomic_file.h"
#include "ardent/data/cache.h"
#include "ardent/data/write_libsvm.h"
#include "command.h"
#include "describe.h"

namespace ardent::cli {
namespace {

struct SynthCommand {
  Common common;
  SynthOptions options;
  Schema table = schema(options);
  std::string output;
  std::string format = "auto";
  std::string truth;

  bool as_cache() const {
    return format == "cache" || (format == "auto" && output.ends_with(".cache"));
  }

  void write_truth(const PlantedTruth& planted) const {
    std::string text = "feature,weight\n";
    for (std::size_t j = 0; j < planted.columns.size(); ++j) {
      fmt::format_to(std::back_inserter(text), "{},{}\n", planted.columns[j] + 1,
                     planted.weights[j]);
    }
    AtomicFile file(truth);
    file.write(text);
    file.commit();
  }

  void run() const {
    const ThreadScope threads(common.threads);
    const auto start = std::chrono::steady_clock::now();
    const Synth synth = make_synth(options);
    if (as_cache()) {
      write_cache(synth.data, output);
    } else {
      write_libsvm(synth.data, output);
    }
    if (!truth.empty()) write_truth(synth.truth);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    report(synth, seconds.count());
  }

  void report(const Synth& synth, double seconds) const {
    if (common.json) {
      print_json({{"rows", synth.data.rows()},
                  {"columns", synth.data.cols()},
                  {"nonzeros", stored(synth.data.features)},
                  {"relevant", synth.truth.columns.size()},
                  {"intercept", synth.truth.intercept},
                  {"bayes_accuracy", synth.bayes_accuracy},
                  {"bayes_log_loss", synth.bayes_log_loss},
                  {"seed", options.seed},
                  {"sample", options.sample},
                  {"output", output},
                  {"truth", truth.empty() ? Json(nullptr) : Json(truth)},
                  {"seconds", seconds}});
      return;
    }
    fmt::print(
        "{} rows × {} columns, {} nonzeros, {} relevant columns, written to {} in {:.2f} s\n"
        "Bayes accuracy {:.4f}, Bayes log loss {:.4f}\n",
        synth.data.rows(), synth.data.cols(), stored(synth.data.features),
        synth.truth.columns.size(), output, seconds, synth.bayes_accuracy, synth.bayes_log_loss);
    if (!truth.empty()) fmt::print("planted weights written to {}\n", truth);
  }
};

}  // namespace

void add_synth(CLI::App& app) {
  auto command = std::make_shared<SynthCommand>();
  CLI::App* sub = app.add_subcommand(
      "synth",
      "Write sparse data like text with a planted truth: words by a Zipf law in rows of unit "
      "length, labels +1 and -1 by the logistic probability of a few relevant columns");
  add_output(*sub, "-o,--output", command->output, "Data file (written whole or not at all)")
      ->required();
  add_options(*sub, command->table, "Data");
  sub->add_option("--format", command->format,
                  "auto|libsvm|cache; auto: cache if the file's name ends in .cache, else LIBSVM "
                  "text")
      ->check(CLI::IsMember({"auto", "libsvm", "cache"}))
      ->capture_default_str();
  add_output(*sub, "--truth", command->truth,
             "CSV file for the relevant columns (counted from 1) and their weights");
  command->common.add_to(*sub);
  run_when_parsed(*sub, command);
}

}  // namespace ardent::cli
