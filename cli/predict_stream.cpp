#include "predict_stream.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <set>

#include "ardent/data/reader.h"
#include "ardent/data/text_stream.h"
#include "prediction_text.h"
#include "terminal.h"

namespace ardent::cli {
namespace {

constexpr const char* kName = "standard input";

bool is_text_format(const std::string& format) {
  return format == "auto" || format == "libsvm" || format == "csv";
}

/// Rows become predictions on standard output; each warning once.
class Answers {
 public:
  Answers(const Model& model, const PredictOptions& options, bool with_probabilities)
      : model_(model), options_(options), with_probabilities_(with_probabilities) {
    fmt::print("{}", lines_header(model, with_probabilities));
  }

  void add(const Dataset& data) {
    const Prediction prediction = predict(model_, data, options_);
    report(data.warnings);
    report(prediction.warnings);
    agreement_.add(model_, data, prediction);
    fmt::print("{}", prediction_lines(model_, prediction, with_probabilities_));
  }

  void finish() const { fmt::print(stderr, "{}", agreement_.text()); }

 private:
  void report(const std::vector<std::string>& warnings) {
    for (const std::string& warning : warnings) {
      if (reported_.insert(warning).second) warn({warning});
    }
  }

  const Model& model_;
  const PredictOptions& options_;
  const bool with_probabilities_;
  Agreement agreement_;
  std::set<std::string> reported_;
};

bool is_blank(const std::string& record) {
  return record.find_first_not_of(" \t\r\n") == std::string::npos;
}

/// Each record as a text of its own, after the header if the format has one.
void answer_records(TextStream& stream, const ReadOptions& read, Answers& answers) {
  const bool csv = read.format == "csv";
  std::string header, record;
  while (csv && !read.no_header && is_blank(header) && stream.next(header, true)) {
  }
  const auto header_lines = std::ranges::count(header, '\n');
  for (std::size_t before = stream.lines(); stream.next(record, csv); before = stream.lines()) {
    const bool comment = !csv && record.front() == '#';
    if (!is_blank(record) && !comment) {
      Bytes bytes = bytes_of(header + record, kName);
      bytes.lines_before = static_cast<std::ptrdiff_t>(before) - header_lines;
      answers.add(dataset_of(bytes, "-", read));
    }
    // While more is there already, writing waits: a flood of rows is not slowed down by it.
    if (!stream.has_line() && std::fflush(stdout) != 0) return;
  }
}

}  // namespace

void predict_stream(const Model& model, ReadOptions read, const PredictOptions& options,
                    bool with_probabilities) {
  TextStream stream(STDIN_FILENO, kName);
  const std::string_view start = stream.first_lines();
  const bool text = is_text_format(read.format) && is_plain_text(start);
  if (text && read.format == "auto") {
    read.format = format_name(detect_format(bytes_of(start, kName), "-"));
  }
  Answers answers(model, options, with_probabilities);
  if (text) {
    answer_records(stream, read, answers);
  } else {
    answers.add(dataset_of(decoded(stream.rest(), kName), "-", read));
  }
  answers.finish();
}

}  // namespace ardent::cli
