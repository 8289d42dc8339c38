// Files that a command reads and writes. An option says by its type whether its file is read (FILE)
// or written (OUTPUT); an output never replaces an input.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <string_view>

namespace ardent::cli {

/// The types of options that name files, in the help and in schemas.
inline constexpr std::string_view kRead = "FILE";
inline constexpr std::string_view kWritten = "OUTPUT";

/// An argument or option whose file is read.
CLI::Option* add_input(CLI::App& command, const std::string& name, std::string& path,
                       const std::string& help);
/// An option whose file is written.
CLI::Option* add_output(CLI::App& command, const std::string& name, std::string& path,
                        const std::string& help);

/// InputError where a file that the command's arguments say to write is one that they say to read,
/// under whatever name (symbolic and hard links count), or is to be written twice.
void refuse_overwriting(const CLI::App& command);

/// Runs the command once its arguments are read, unless it would overwrite an input.
template <class Command>
void run_when_parsed(CLI::App& app, const std::shared_ptr<Command>& command) {
  app.callback([&app, command] {
    refuse_overwriting(app);
    command->run();
  });
}

}  // namespace ardent::cli
