// What `locate` and `denoise` both take.
#pragma once

#include <string>

#include "ardent/base/progress.h"
#include "ardent/imaging/locate.h"
#include "command.h"

namespace ardent::cli {

struct LocateArguments {
  std::string image;
  std::string extension;  // a number or a name; empty: the first with an image
  LocateOptions options;
  Schema schema = ardent::schema(options);
  std::string table, truth;  // of a sweep
  bool stack = false;

  void add_to(CLI::App& command);
  /// The image, or a stack where it is asked for.
  Image read(const std::string& path, const std::string& part = "") const;
  /// InputError for what belongs to a sweep where there is none.
  void check() const;
  /// As the options say; a sweep gives the step that was chosen, and writes its table, with the
  /// PSNR against `reference` (an empty path: none). Without images of model and background where
  /// they are not wanted.
  LocateResult search(Image image, const std::string& reference, bool images_wanted,
                      const ProgressCallback& progress) const;
};

}  // namespace ardent::cli
