// Signals that several processes have coded, put together again.
#pragma once

#include "ardent/inference/coding/coded_signals.h"

namespace ardent {

/// What a process sends of the signals that it coded (packed.h).
template <class Stream, class Coded>
void transfer_coded(Stream& stream, Coded& coded) {
  stream.list("offsets", coded.codes.offsets);
  stream.list("columns", coded.codes.columns);
  stream.list("values", coded.codes.values);
  stream.list("variances", coded.variances);
  stream.list("nearest", coded.nearest);
  stream.each("reports", coded.reports, [](auto& s, auto& report) {
    s.field("lambda", report.lambda);
    s.field("nonzeros", report.nonzeros);
    s.field("gap", report.gap);
    s.field("outer", report.outer);
    s.field("loss", report.loss);
    s.field("status", report.status);
    s.list("steps", report.steps);
    s.each("by_lambda", report.by_lambda, [](auto& each, auto& one) {
      each.field("lambda", one.first);
      each.field("nonzeros", one.second);
    });
    s.field("seconds", report.seconds);
  });
}

/// The signals that follow those of `all`.
inline void append_part(CodedSignals& all, const CodedSignals& part) {
  const auto add = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  const std::int64_t before = all.codes.offsets.back();
  for (std::size_t k = 1; k < part.codes.offsets.size(); ++k) {
    all.codes.offsets.push_back(before + part.codes.offsets[k]);
  }
  add(all.codes.columns, part.codes.columns);
  add(all.codes.values, part.codes.values);
  add(all.variances, part.variances);
  add(all.nearest, part.nearest);
  add(all.reports, part.reports);
}

}  // namespace ardent
