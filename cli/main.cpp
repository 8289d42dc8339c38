// The command line. Exit status: 0 done, 1 failed while running, 2 the request or input is wrong.
#include <fmt/format.h>

#include <cstdio>
#include <new>

#include "ardent/base/error.h"
#include "command.h"
#include "help.h"

namespace {

int tell(const char* message, int status) {
  fmt::print(stderr, "ardent: {}\n", message);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "ardent: sparse Bayesian learning. Every weight has its own prior precision and the evidence "
      "prunes: the model that remains is tiny, probabilistic, and needs no regularisation search.",
      "ardent");
  app.set_version_flag("--version", "ardent " ARDENT_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Results go to standard output, progress and warnings to standard error.\n"
      "Exit status: 0 done, 1 failed while running, 2 the request or the input is wrong.");
  using namespace ardent::cli;
  add_train(app);
  add_predict(app);
  add_evaluate(app);
  add_cv(app);
  add_select(app);
  add_masks(app);
  add_code(app);
  add_convert(app);
  add_inspect(app);
  add_synth(app);
  add_locate(app);
  add_denoise(app);
  add_scene(app);
  add_score_sources(app);
  add_demo(app);
  try {
    try {
      app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      show_help(app, help_topic(argc, argv));
    }
    if (std::fflush(stdout) != 0) return tell("cannot write to standard output", 1);
    return 0;
  } catch (const CLI::ExtrasError& error) {
    return tell(unknown_option(app, error.what()).c_str(), 2);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const ardent::InputError& error) {
    return tell(error.what(), 2);
  } catch (const std::bad_alloc&) {
    return tell("out of memory", 1);
  } catch (const std::exception& error) {
    return tell(error.what(), 1);
  }
}
