// What `locate` and `denoise` both take.
#pragma once

#include <string>
#include <utility>

#include "ardent/base/progress.h"
#include "ardent/imaging/locate.h"
#include "command.h"

namespace ardent::cli {

/// "low:high" or one number for both; InputError naming the option.
std::pair<double, double> number_range(const std::string& option, const std::string& text);

struct LocateArguments {
  std::string image;
  Index extension = -1;
  LocateOptions options;
  std::string sigma = "1:3", background = "constant", psf, dictionary = "grid", lambda = "auto";
  std::string table, truth;
  Index sweep_count = 20;
  double saturation = 0;
  bool any_sign = false, no_refine = false;

  void add_to(CLI::App& command);
  /// The options, once the command line has been read.
  LocateOptions resolved() const;
  bool sweeps() const;
  /// As the options say; a sweep gives the step that was chosen, and writes its table, with the
  /// PSNR against `reference` (an empty path: none).
  LocateResult search(const Image& image, const std::string& reference,
                      const ProgressCallback& progress) const;
};

}  // namespace ardent::cli
