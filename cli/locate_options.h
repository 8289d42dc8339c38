// What `locate` and `denoise` both take.
#pragma once

#include <string>
#include <utility>

#include "ardent/imaging/locate.h"
#include "command.h"

namespace ardent::cli {

/// "low:high" or one number for both; InputError naming the option.
std::pair<double, double> number_range(const std::string& option, const std::string& text);

struct LocateArguments {
  std::string image;
  Index extension = -1;
  LocateOptions options;
  std::string sigma = "1:3", background = "constant";
  bool any_sign = false, no_refine = false;

  void add_to(CLI::App& command);
  /// The options, once the command line has been read.
  LocateOptions resolved() const;
};

}  // namespace ardent::cli
