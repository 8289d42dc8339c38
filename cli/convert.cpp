#include <fmt/format.h>

#include <memory>

#include "ardent/data/cache.h"
#include "command.h"
#include "describe.h"
#include "terminal.h"

namespace ardent::cli {
namespace {

struct ConvertCommand {
  Common common;
  DataSource source;
  std::string output;
  bool unlabelled = false;
  MemoryOption memory;

  void run() const {
    const ThreadScope threads(common.threads);
    const MemoryLimit limit = memory.limit_for(source.path);
    ReadOptions read = source.options;
    read.labels_optional = unlabelled;
    CacheOutput cache(output);
    const MakeEntryRoom room = [&](std::uint64_t entries) { return cache.room_for(entries); };
    read.room = &room;
    const Dataset data = read_dataset(source.path, read);
    warn(data.warnings);
    cache.write(data);
    if (common.json) {
      print_json({{"rows", data.rows()},
                  {"features", data.cols()},
                  {"stored", stored(data.features)},
                  {"sparse", is_sparse(data.features)},
                  {"output", output}});
    } else {
      fmt::print("{}: {} rows × {} features, {} values ({}) written to {}\n", data.source,
                 data.rows(), data.cols(), stored(data.features),
                 is_sparse(data.features) ? "sparse" : "dense", output);
    }
  }
};

}  // namespace

void add_convert(CLI::App& app) {
  auto command = std::make_shared<ConvertCommand>();
  CLI::App* sub = app.add_subcommand(
      "convert", "Write data as a binary cache that every command maps into memory at once");
  command->source.table.fix("missing", "error");  // a cache holds no gaps
  command->source.add_to(*sub);
  add_output(*sub, "-o,--output", command->output, "Cache file (written whole or not at all)")
      ->required();
  sub->add_flag("--unlabelled", command->unlabelled,
                "The data may lack labels: every CSV column is a feature unless --label or a usual "
                "name says otherwise, and NPY and IDX need no --labels");
  command->memory.add_to(*sub);
  command->common.add_to(*sub);
  run_when_parsed(*sub, command);
}

}  // namespace ardent::cli
