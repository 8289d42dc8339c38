// A page about a model. Its pictures are drawn by the Python package (matplotlib), which runs in
// the place of this process: a second set of pictures in C++ would have to be kept like the first.
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "ardent/base/error.h"
#include "command.h"

namespace ardent::cli {
namespace {

constexpr const char* kProgram = R"(
import sys
try:
    from ardent._report._command import main
except ImportError as error:
    sys.exit(
        "ardent: reports are made by ardent's Python package, which "
        f"{sys.executable} does not have ({error}): pip install 'ardent-sbl[plot]', or set "
        "ARDENT_PYTHON to a Python that has it"
    )
sys.exit(main(sys.argv[1:]))
)";

struct ReportCommand {
  DataSource source;
  std::string model_path, output, title;

  void run() {
    const char* chosen = std::getenv("ARDENT_PYTHON");
    const std::string python = chosen && *chosen ? chosen : "python3";
    // -P: a module in this folder is not the one that is meant.
    std::vector<std::string> words{python, "-P", "-c", kProgram, "report", model_path};
    if (!source.path.empty()) words.push_back(source.path);
    words.insert(words.end(), {"--output=" + output});
    if (!title.empty()) words.push_back("--title=" + title);
    for (const std::string& name : source.table.given()) {
      words.push_back("--" + name + "=" + source.table.option(name).get());
    }
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp(python.c_str(), arguments.data());
    throw InputError(python +
                     " cannot be run, and reports need it: install Python, or set "
                     "ARDENT_PYTHON to one that has the package ardent");
  }
};

}  // namespace

void add_report(CLI::App& app) {
  auto command = std::make_shared<ReportCommand>();
  CLI::App* sub = app.add_subcommand(
      "report",
      "A page (HTML) that shows a model, and how good it is on DATA; needs the Python "
      "package (python3, or $ARDENT_PYTHON)");
  add_input(*sub, "MODEL", command->model_path, "Model file written by train")->required();
  command->source.add_to(*sub);
  sub->get_option("DATA")->required(false);
  add_output(*sub, "-o,--output", command->output, "The page: one file, for any browser")
      ->required();
  sub->add_option("--title", command->title, "Heading of the page; default: the kind of model");
  run_when_parsed(*sub, command);
}

}  // namespace ardent::cli
