// What to say of a command line that cannot be read: which word is wrong, and what was meant.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ardent::cli {

/// The candidate that the word is a slip of the fingers away from: with letters left out, put in,
/// exchanged or swapped with their neighbour, one in a word of less than six letters, two of less
/// than nine, else three; or the only candidate that the word begins. None for less than three.
std::optional<std::string> nearest(const std::string& word,
                                   const std::vector<std::string>& candidates);

/// `ardent help COMMAND …` and `ardent --help COMMAND …` as `ardent COMMAND --help …`.
std::vector<std::string> with_help_first(std::vector<std::string> words);

/// What to say of the first word (`words` are those after the program's name); empty where it is a
/// command or an option of ardent itself.
std::string unknown_command(const std::vector<std::string>& words);

/// What to say of words that the command does not take, in the order in which they were typed. All
/// commands have to be added to `app`: an option may be one of theirs.
std::string unknown_words(const CLI::App& app, const std::vector<std::string>& words);

/// What to say of anything else that CLI11 cannot read.
std::string unreadable(const CLI::App& app, const CLI::ParseError& error);

}  // namespace ardent::cli
