// What a person sees: a progress bar on a terminal, warnings, and a text table.
#pragma once

#include <string>
#include <vector>

#include "ardent/base/progress.h"
#include "ardent/model/model.h"

namespace ardent::cli {

/// A line on standard error that is redrawn at most ten times a second and erased at the end; only
/// on a terminal. With `verbose`, a line of its own for each event, terminal or not.
class ProgressBar {
 public:
  explicit ProgressBar(bool verbose);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  ProgressCallback callback();

 private:
  void show(const ProgressEvent& event);

  bool verbose_;
  bool terminal_;
  bool drawn_ = false;
  double last_drawn_ = -1;
};

/// The warnings of all parts of a model, each once, on standard error.
void warn(const Model& model);

/// Columns padded to their widest cell; the first is flush left, the others flush right.
std::string text_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace ardent::cli
