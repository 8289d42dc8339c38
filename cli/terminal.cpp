#include "terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <set>

#include "ranks.h"

namespace ardent::cli {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Characters on the screen: bytes that start a UTF-8 sequence.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string padding(const std::string& cell, std::size_t wanted) {
  return std::string(wanted - std::min(wanted, width(cell)), ' ');
}

}  // namespace

ProgressBar::ProgressBar(bool verbose, TimeLeft time_left)
    : verbose_(verbose && leads()),
      terminal_(isatty(STDERR_FILENO) == 1 && leads()),
      time_left_(time_left),
      started_(now()) {}

ProgressBar::~ProgressBar() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
}

ProgressCallback ProgressBar::callback() {
  if (!verbose_ && !terminal_) return {};
  return [this](const ProgressEvent& event) {
    show(event);
    return true;
  };
}

void ProgressBar::show(const ProgressEvent& event) {
  if (event.task != task_ && event.models <= 1) {  // another task has a pace of its own
    if (!task_.empty()) started_ = now();
    task_ = event.task;
  }
  if (verbose_) {
    fmt::print(stderr, "{}\n", line(event));
    return;
  }
  constexpr int kWidth = 24;
  const bool several = event.models > 1;
  const Index done = several ? event.models_done : event.done;
  const Index total = several ? event.models : event.total;
  // Ten times a second; at once what brings the first time left.
  const double time = now();
  if (time - last_drawn_ < 0.1 && (last_done_ > 0 || done == 0)) return;
  last_drawn_ = time;
  last_done_ = done;
  drawn_ = true;
  const int filled =
      total > 0 ? static_cast<int>(kWidth * static_cast<double>(done) / static_cast<double>(total))
                : 0;
  fmt::print(stderr, "\r\033[K[{:#<{}}{:<{}}] {}", "", filled, "", kWidth - filled,
             several ? models_line(event) : line(event));
  std::fflush(stderr);
}

std::string ProgressBar::line(const ProgressEvent& event) const {
  const std::string text = progress_text(event);
  const bool shown = time_left_ == TimeLeft::shown;
  return text + (shown ? left(event.done, event.total) : "");
}

std::string progress_text(const ProgressEvent& event) {
  std::string text = fmt::format("{} {}/{}", event.task, event.done, event.total);
  if (!event.objective_name.empty()) {
    text += fmt::format("  {} {:.4f}", event.objective_name, event.objective);
  }
  return text + fmt::format("  {} {}", event.active_name, event.active);
}

std::string ProgressBar::models_line(const ProgressEvent& event) const {
  return fmt::format("{} of {} models{}", event.models_done, event.models,
                     left(event.models_done, event.models));
}

std::string ProgressBar::left(Index done, Index total) const {
  const std::string left = time_left(now() - started_, done, total);
  return left.empty() ? "" : fmt::format("  {} left", left);
}

std::string time_left(double elapsed_seconds, Index done, Index total) {
  if (done <= 0 || total <= done) return "";
  const auto seconds = static_cast<long long>(
      std::ceil(elapsed_seconds / static_cast<double>(done) * static_cast<double>(total - done)));
  return seconds < 3600
             ? fmt::format("{}:{:02}", seconds / 60, seconds % 60)
             : fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

void warn(const Model& model) {
  if (!leads()) return;
  std::set<std::string> reported;
  for (const Part& part : model.parts) {
    for (const std::string& warning : part.report.warnings) {
      if (reported.insert(warning).second) fmt::print(stderr, "ardent: warning: {}\n", warning);
    }
  }
}

void warn(const std::vector<std::string>& warnings) {
  if (!leads()) return;
  for (const std::string& warning : warnings) fmt::print(stderr, "ardent: warning: {}\n", warning);
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? "\"\"" : std::string(1, c);
  return field + "\"";
}

std::string text_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width(row[c]));
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string pad = padding(row[c], widths[c]);
      text += c == 0 ? "  " + row[c] + pad : "  " + pad + row[c];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

}  // namespace ardent::cli
