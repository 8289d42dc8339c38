// Codes signals over a dictionary on a device: codes DEVICE ATOMS SIGNALS RATIO TIMES [METHOD].
//
// Both files hold one atom or signal per row and are scaled to unit length. Prints as one JSON
// object the seconds of preparing the dictionary (for a card: its upload and Gram matrix) and of
// coding all signals from the first number on the host to the last code on the host, TIMES times;
// the non-zeros and rounds of a signal on average, and the largest relative gap.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "ardent/base/stopwatch.h"
#include "ardent/data/reader.h"
#include "ardent/estimators/sparse_coder.h"

namespace {

using namespace ardent;

Features rows_of(const char* path) {
  ReadOptions read;
  read.labels = "";
  read.labels_optional = true;
  return read_dataset(path, read).features;
}

CoderOptions options_of(char** arguments, int count) {
  CoderOptions options;
  options.device = arguments[1];
  options.lambda_ratio = std::atof(arguments[4]);
  options.method = count > 6 ? arguments[6] : "lasso";
  options.unit_norm = true;
  return options;
}

void run(int count, char** arguments) {
  const Features atoms = rows_of(arguments[2]), signals = rows_of(arguments[3]);
  SparseCoder(atoms, options_of(arguments, count));  // the device's start is not counted
  const Stopwatch preparation;
  SparseCoder coder(atoms, options_of(arguments, count));
  const double prepared = preparation.seconds();
  std::vector<double> seconds;
  CodedSignals coded;
  for (int time = 0; time < std::atoi(arguments[5]); ++time) {
    const Stopwatch watch;
    coded = coder.code(signals);
    seconds.push_back(watch.seconds());
  }
  double rounds = 0, worst = 0, outer = 0;
  for (const SignalReport& report : coded.reports) {
    for (const OuterStep& step : report.steps) rounds += static_cast<double>(step.rounds);
    outer += static_cast<double>(report.outer);
    worst = std::max(worst, report.gap);
  }
  const auto signal_count = static_cast<double>(coded.reports.size());
  fmt::print(
      "{{\"device\": \"{}\", \"atoms\": {}, \"signals\": {}, \"dictionary_seconds\": {:.4f}, "
      "\"seconds\": [{:.4f}], \"nonzeros\": {:.2f}, \"rounds\": {:.2f}, \"outer\": {:.2f}, "
      "\"worst_gap\": {:.2e}}}\n",
      arguments[1], coded.codes.cols, coded.codes.rows, prepared, fmt::join(seconds, ", "),
      static_cast<double>(coded.codes.values.size()) / signal_count, rounds / signal_count,
      outer / signal_count, worst);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 6) {
    fmt::print(stderr, "usage: codes DEVICE ATOMS SIGNALS RATIO TIMES [METHOD]\n");
    return 2;
  }
  try {
    run(count, arguments);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
