#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "ardent/base/atomic_file.h"
#include "ardent/estimators/trainer.h"
#include "command.h"
#include "describe.h"
#include "terminal.h"

namespace ardent::cli {
namespace {

struct SelectCommand {
  Common common;
  DataSource source;
  TrainOptions options;
  Schema table = schema(options);
  std::string output;

  void run() const {
    const ThreadScope threads(common.threads);
    const Dataset data = source.read();
    const Model model = [&] {
      ProgressBar bar(common.verbose);
      return train(data, options, bar.callback());
    }();
    warn(model);
    if (!output.empty()) {
      AtomicFile file(output);
      file.write(as_csv(model));
      file.commit();
    }
    if (common.json) {
      Json json = model_json(model);
      json["expected_false"] = expected_false(model);
      print_json(json);
    } else if (output.empty()) {
      fmt::print("{}", as_csv(model));
    } else {
      fmt::print("{}\n{}\nexpected number of false discoveries {:.2f}\nranking written to {}\n",
                 describe_model(model), describe_fit(model), expected_false(model), output);
    }
  }

  /// A line a weight kept, that of the highest odds of belonging there first; for more than two
  /// classes the binary models one after the other.
  static std::string as_csv(const Model& model) {
    const bool several = model.parts.size() > 1;
    std::string text = several ? "model," : "";
    text += "rank,index,name,weight,sd,relevance,alpha,log_odds\n";
    for (std::size_t p = 0; p < model.parts.size(); ++p) {
      Index rank = 0;
      for (const Json& kept : kept_json(model, p)) {
        if (several) text += csv_field(part_name(model, model.parts[p])) + ",";
        text +=
            fmt::format("{},{},{},{},{},{},{},{}\n", ++rank, kept["index"].get<Index>(),
                        csv_field(kept["name"].get<std::string>()), kept["weight"].get<double>(),
                        kept["sd"].get<double>(), kept["relevance"].get<double>(),
                        kept["alpha"].get<double>(), kept["log_odds"].get<double>());
      }
    }
    return text;
  }
};

}  // namespace

void add_select(CLI::App& app) {
  auto command = std::make_shared<SelectCommand>();
  CLI::App* sub = app.add_subcommand(
      "select",
      "Rank what the evidence keeps by its odds: weight, standard deviation, relevance, precision, "
      "log odds, name; and the expected number of false discoveries");
  command->source.add_weighted_to(*sub);
  add_output(*sub, "-o,--output", command->output, "CSV file; default: standard output");
  add_options(*sub, command->table, "Training");
  add_class_weights(*sub, command->table);
  command->common.add_to(*sub);
  run_when_parsed(*sub, command);
}

}  // namespace ardent::cli
