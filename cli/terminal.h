// What a person sees: a progress bar on a terminal, warnings, and a text table.
#pragma once

#include <string>
#include <vector>

#include "ardent/base/progress.h"
#include "ardent/model/model.h"

namespace ardent::cli {

/// A line on standard error that is redrawn at most ten times per second and erased at the end;
/// only on a terminal. With `verbose`, a line of its own for each event, terminal or not.
class ProgressBar {
 public:
  /// The time left is reported where steps are alike and all are taken: not where a total is a
  /// limit.
  enum class TimeLeft { hidden, shown };

  explicit ProgressBar(bool verbose, TimeLeft time_left = TimeLeft::hidden);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  ProgressCallback callback();

 private:
  void show(const ProgressEvent& event);
  /// One model's step.
  std::string line(const ProgressEvent& event) const;
  /// Of several models fitted at once: those that are done, and the time left.
  std::string models_line(const ProgressEvent& event) const;
  std::string left(Index done, Index total) const;

  bool verbose_;
  bool terminal_;
  TimeLeft time_left_;
  double started_;
  std::string task_;
  bool drawn_ = false;
  double last_drawn_ = -1;
  Index last_done_ = 0;
};

/// One line: the task, how far it is, its objective (if it has one) and what it counts.
std::string progress_text(const ProgressEvent& event);

/// The time that the steps left take if they take as long as those done: "1:05" (minutes, seconds)
/// or "2:01:05"; empty where nothing is done or left.
std::string time_left(double elapsed_seconds, Index done, Index total);

/// The warnings of all parts of a model, each once, on standard error.
void warn(const Model& model);
void warn(const std::vector<std::string>& warnings);

/// A field of a CSV line, quoted where it must be.
std::string csv_field(const std::string& text);

/// Columns padded to their widest cell; the first is flush left, the others flush right.
std::string text_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace ardent::cli
