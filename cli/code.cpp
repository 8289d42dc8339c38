#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>

#include "ardent/base/atomic_file.h"
#include "ardent/estimators/sparse_coder.h"
#include "command.h"
#include "describe.h"
#include "ranks.h"
#include "terminal.h"

namespace ardent::cli {
namespace {

struct CodeCommand {
  Common common;
  std::string dictionary;
  std::string signals;
  ReadOptions read;
  Schema read_table = schema(read);
  CoderOptions options;
  Schema table = schema(options);
  std::string output;

  void run() const {
    const ThreadScope threads(ranks() && common.threads == 0 ? 1 : common.threads);
    const auto start = std::chrono::steady_clock::now();
    const Dataset atoms = read_dataset(dictionary, read);
    SparseCoder coder(atoms.features, options);
    const Dataset to_code = read_dataset(signals, read);
    warn(atoms.warnings);
    warn(to_code.warnings);
    const CodedSignals coded = [&] {
      ProgressBar bar(common.verbose, ProgressBar::TimeLeft::shown);
      return coder.code(to_code.features, bar.callback(), ranks() ? &ranks()->farm() : nullptr);
    }();
    if (!leads()) return;
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!output.empty()) save(coded);
    if (common.json) {
      print_json(as_json(coder, coded, seconds));
    } else if (output.empty()) {
      fmt::print("{}", as_csv(coded));
    } else {
      fmt::print("{}\ncodes written to {}\n", summary(coded, seconds), output);
    }
  }

  void save(const CodedSignals& coded) const {
    if (output.ends_with(".npz")) {
      write_sparse_npz(coded.codes, output);
      return;
    }
    AtomicFile file(output);
    file.write(as_csv(coded));
    file.commit();
  }

  /// A line a coefficient; signals and atoms are counted from 0, as NumPy does.
  static std::string as_csv(const CodedSignals& coded) {
    fmt::memory_buffer text;
    const auto out = std::back_inserter(text);
    fmt::format_to(out, "signal,atom,coefficient,sd\n");
    for (std::size_t s = 0; s < coded.reports.size(); ++s) {
      for (auto e = coded.codes.offsets[s]; e < coded.codes.offsets[s + 1]; ++e) {
        fmt::format_to(out, "{},{},{},{}\n", s, coded.codes.columns[e], coded.codes.values[e],
                       std::sqrt(coded.variances[e]));
      }
    }
    return fmt::to_string(text);
  }

  static std::string summary(const CodedSignals& coded, double seconds) {
    double nonzeros = 0;
    double outer = 0;
    double worst = 0;
    Index unconverged = 0;
    for (const SignalReport& report : coded.reports) {
      nonzeros += static_cast<double>(report.nonzeros);
      outer += static_cast<double>(report.outer);
      worst = std::max(worst, report.gap);
      unconverged += report.status != Status::converged;
    }
    const auto count = static_cast<double>(coded.reports.size());
    std::string text = fmt::format(
        "{} signals over {} atoms: {:.1f} non-zeros, {:.1f} outer iterations on average, largest "
        "relative gap {:.1e}, {:.2f} s",
        coded.codes.rows, coded.codes.cols, nonzeros / count, outer / count, worst, seconds);
    if (unconverged > 0) {
      text += fmt::format("\n{} signals reached their limit of outer iterations", unconverged);
    }
    return text;
  }

  static Json report_json(const SignalReport& report, Index atoms) {
    Json json;
    json["nonzeros"] = report.nonzeros;
    json["gap"] = report.gap;
    json["outer_iterations"] = report.outer;
    json["lambda"] = report.lambda;
    json["loss"] = report.loss;
    json["status"] = status_name(report.status);
    json["seconds"] = report.seconds;
    for (const OuterStep& step : report.steps) {
      const double share = static_cast<double>(step.rejected) / static_cast<double>(atoms);
      json["steps"].push_back({{"loss", step.loss},
                               {"nonzeros", step.active},
                               {"gap", step.relative_gap},
                               {"rejected", share},
                               {"screening_seconds", step.screening_seconds},
                               {"seconds", step.seconds}});
    }
    for (const auto& [lambda, nonzeros] : report.by_lambda) {
      json["by_lambda"].push_back({{"lambda", lambda}, {"nonzeros", nonzeros}});
    }
    return json;
  }

  Json as_json(const SparseCoder& coder, const CodedSignals& coded, double seconds) const {
    Json json;
    json["signals"] = coded.codes.rows;
    json["atoms"] = coded.codes.cols;
    json["length"] = coder.dictionary().rows();
    json["nonzeros"] = coded.codes.values.size();
    json["gram_rows"] = coder.gram_rows();
    json["seconds"] = seconds;
    if (!output.empty()) json["output"] = output;
    json["reports"] = Json::array();
    for (const SignalReport& report : coded.reports) {
      json["reports"].push_back(report_json(report, coded.codes.cols));
    }
    return json;
  }
};

}  // namespace

void add_code(CLI::App& app) {
  auto command = std::make_shared<CodeCommand>();
  command->read.labels_optional = true;
  command->read.spelling = Spelling::flag;
  CLI::App* sub = app.add_subcommand(
      "code",
      "Write each signal as a combination of few atoms of a dictionary, given one atom a row");
  add_input(*sub, "DICTIONARY", command->dictionary,
            "Atoms, one a row: NPY, IDX, LIBSVM, CSV or ardent cache; compressed as they are")
      ->required();
  add_input(*sub, "SIGNALS", command->signals, "Signals, one a row, of the same length")
      ->required();
  add_output(*sub, "-o,--output", command->output,
             "Codes: NAME.npz, for scipy.sparse.load_npz (signals x atoms); otherwise CSV "
             "(signal,atom,coefficient,sd; counted from 0). Default: CSV on standard output");
  // Of both files; labels, weights and gaps mean nothing here.
  for (const auto& [name, value] :
       {std::pair{"labels", ""}, {"weights", ""}, {"missing", "error"}}) {
    command->read_table.fix(name, value);
  }
  add_options(*sub, command->read_table, "Data");
  add_options(*sub, command->table, "Coding");
  command->common.add_to(*sub);
  run_when_parsed(*sub, command);
}

}  // namespace ardent::cli
