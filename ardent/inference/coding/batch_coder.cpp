#include "ardent/inference/coding/batch_coder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/base/stopwatch.h"
#include "ardent/inference/coding/batch_reweighting.h"
#include "ardent/inference/coding/coded_parts.h"
#include "ardent/inference/coding/lasso_group.h"
#include "ardent/inference/coding/make_dictionary.h"
#include "ardent/linalg/norm.h"

namespace ardent {
namespace {

constexpr Index kBatchNumbers = Index{1} << 21;  // of signals and products: 16 MiB each
/// A code without shared rows costs about what this many Gram rows do (measured on MNIST).
constexpr Index kRowsPerSignal = 16;
/// Signals whose first LASSOs go together: their residuals and a panel of atoms share the
/// second-level cache.
constexpr Index kGroup = 32;

void copy_row(const Features& features, Index i, Eigen::Ref<Vector> out) {
  if (const auto* dense = std::get_if<DenseRows>(&features)) {
    out = Eigen::Map<const Vector>(dense->row(i).data(), dense->cols);
    return;
  }
  const auto& sparse = std::get<SparseRows>(features);
  out.setZero();
  const auto end = sparse.offsets[i + 1];
  for (auto e = sparse.offsets[i]; e < end; ++e) {
    out[sparse.columns[e]] = sparse.values[e];
  }
}

/// −1 where no atom correlates with the signal.
Index nearest_atom(const Vector& rho, const Vector& norms) {
  Index nearest = -1;
  double best = 0;
  for (Index i = 0; i < rho.size(); ++i) {
    const double cosine = norms[i] > 0 ? std::abs(rho[i]) / norms[i] : 0;
    if (cosine > best) {
      best = cosine;
      nearest = i;
    }
  }
  return nearest;
}

SignalReport report_of(const std::vector<SparseBayesCode>& codes, double seconds) {
  const SparseBayesCode& last = codes.back();
  SignalReport report;
  report.lambda = last.lambda;
  report.nonzeros = std::ssize(last.code.active);
  report.gap = last.report.steps.back().relative_gap;
  report.outer = std::ssize(last.report.steps);
  report.loss = last.report.steps.back().loss;
  report.status = last.report.status;
  report.steps = last.report.steps;
  report.seconds = seconds;
  for (const SparseBayesCode& code : codes) {
    if (codes.size() == 1) break;
    report.by_lambda.emplace_back(code.lambda, std::ssize(code.code.active));
  }
  return report;
}

/// Codes, variances and losses hold squares of quotients of these: InputError beyond 1e±60.
void check_length(double length, std::string_view what, Index which) {
  constexpr double kLongest = 1e60;
  if (length == 0 || (length <= kLongest && length >= 1 / kLongest)) return;
  throw InputError(
      fmt::format("{} {} has the length {:g}: it must be 0, or from {:g} to {:g}; scale it, or "
                  "scale all to length 1 (unit-norm)",
                  what, which + 1, length, 1 / kLongest, kLongest));
}

void append_code(const std::vector<SparseBayesCode>& of_signal, Index nearest, double seconds,
            CodedSignals& coded) {
  const SparseBayesCode& last = of_signal.back();
  SparseTable& codes = coded.codes;
  codes.columns.insert(codes.columns.end(), last.code.active.begin(), last.code.active.end());
  codes.values.insert(codes.values.end(), last.code.theta.begin(), last.code.theta.end());
  coded.variances.insert(coded.variances.end(), last.variance.begin(), last.variance.end());
  codes.offsets.push_back(static_cast<std::int64_t>(codes.values.size()));
  coded.nearest.push_back(nearest);
  coded.reports.push_back(report_of(of_signal, seconds));
}

/// What a problem of a group refers to.
struct GroupMember {
  Vector signal, rho, weights;
};

}  // namespace

std::vector<Index> atoms_of(const CodedSignals& coded, Index signal) {
  const SparseTable& codes = coded.codes;
  const auto begin = codes.offsets[signal], end = codes.offsets[signal + 1];
  if (begin < end) return {codes.columns.begin() + begin, codes.columns.begin() + end};
  if (coded.nearest[signal] < 0) return {};
  return {coded.nearest[signal]};
}

BatchCoder::BatchCoder(const Features& atoms, const BatchOptions& options)
    : BatchCoder(make_dictionary(atoms, options.unit_norm), options) {}

BatchCoder::BatchCoder(std::shared_ptr<const Dictionary> dictionary, const BatchOptions& options)
    : options_(options), dictionary_(std::move(dictionary)) {
  validate(options.code);
  const Vector& lengths = dictionary_->norms();
  for (Index i = 0; i < lengths.size(); ++i) check_length(lengths[i], "atom", i);
  rows_ = std::make_unique<GramRows>(*dictionary_, options.gram_bytes);
  if (options.accelerator) take_to_device(*options.accelerator);
}

void BatchCoder::take_to_device(Accelerator& accelerator) {
  std::string refusal;
  if (options_.code.static_screening) {
    refusal = "it looks at all atoms at once, none is screened before: take screening gap or none";
  } else {
    device_ = accelerator.take_dictionary(*dictionary_, refusal);
  }
  if (!device_ && !options_.processor_will_do) {
    throw InputError(fmt::format("device cuda: {}, or device cpu", refusal));
  }
}

void BatchCoder::check(const Features& signals) const {
  if (rows(signals) == 0) throw InputError("there are no signals to code");
  if (cols(signals) != dictionary_->rows()) {
    throw InputError(
        fmt::format("the signals are {} × {}, but the dictionary is {} × {} (one atom per row): "
                    "signals and atoms "
                    "must be of one length (LIBSVM files whose last columns are empty: --features)",
                    rows(signals), cols(signals), dictionary_->cols(), dictionary_->rows()));
  }
}

Matrix BatchCoder::batch(const Features& signals, Index begin, Index end) const {
  Matrix columns(dictionary_->rows(), end - begin);
  for (Index i = begin; i < end; ++i) {
    auto column = columns.col(i - begin);
    copy_row(signals, i, column);
    // Of a copy: in place, the sum would begin where the column's address is aligned, and the bits
    // depend on the signals before it.
    const double norm = safe_norm(column);
    if (!std::isfinite(norm)) {
      throw InputError(
          fmt::format("signal {} has a number that is not finite: leave it out or fix it", i + 1));
    }
    if (options_.unit_norm && norm > 0) {
      column /= norm;
    } else {
      check_length(norm, "signal", i);
    }
  }
  return columns;
}

/// Rows serve from the first solve on where all of them fit, and signals are enough to pay for
/// them: a rule of sizes alone, so that codes do not depend on what other signals left behind.
bool BatchCoder::rows_pay(Index signals) const {
  const Index n = dictionary_->cols();
  const double bytes = static_cast<double>(n) * static_cast<double>(n) * sizeof(double);
  return signals * kRowsPerSignal >= n && bytes <= static_cast<double>(options_.gram_bytes);
}

/// Solved in groups, where each would read the dictionary for itself; else nothing.
std::vector<FirstCode> BatchCoder::first_codes(const Matrix& signals, const Matrix& products,
                                               bool share, std::vector<double>& seconds) {
  if (share || dictionary_->rows_are_cheap() || options_.code.static_screening) return {};
  const LassoOptions lasso = lasso_options(options_.code);
  std::vector<FirstCode> firsts(signals.cols());
  for (Index begin = 0; begin < signals.cols(); begin += kGroup) {
    const Stopwatch watch;
    const Index count = std::min(kGroup, signals.cols() - begin);
    std::vector<GroupMember> group(count);
    std::vector<LassoProblem> problems;
    for (Index k = 0; k < count; ++k) {
      GroupMember& member = group[k];
      member.signal = signals.col(begin + k);
      member.rho = products.col(begin + k);
      const double lambda = first_lambda({*rows_, member.signal, member.rho}, options_.code);
      member.weights = first_weights(*dictionary_, lambda, options_.code.code_start);
      firsts[begin + k].lambda = lambda;
      problems.push_back(
          {*dictionary_, member.signal, member.rho, member.weights, lasso.nonnegative});
    }
    std::vector<LassoResult> solved = solve_group(*dictionary_, problems, lasso);
    const double each = watch.seconds() / static_cast<double>(count);
    for (Index k = 0; k < count; ++k) {
      firsts[begin + k].solved = std::move(solved[k]);
      seconds[begin + k] = each;
    }
  }
  return firsts;
}

void BatchCoder::code_batch(const Matrix& signals, bool share, CodedSignals& coded) {
  Matrix products;
  dictionary_->correlate(signals, products);
  std::vector<std::vector<SparseBayesCode>> codes_of(signals.cols());
  std::vector<double> seconds(codes_of.size());
  const std::vector<FirstCode> firsts = first_codes(signals, products, share, seconds);
  parallel_for(signals.cols(), [&](Index k) {
    const Vector signal = signals.col(k);
    const Vector rho = products.col(k);
    const Stopwatch watch;
    const FirstCode* first = firsts.empty() ? nullptr : &firsts[k];
    codes_of[k] = codes_by_lambda({*rows_, signal, rho, share, first}, options_.code);
    seconds[k] += watch.seconds();
  });
  for (std::size_t k = 0; k < codes_of.size(); ++k) {
    append_code(codes_of[k], nearest_atom(products.col(k), dictionary_->norms()), seconds[k], coded);
  }
}

void BatchCoder::code_on_device(const Matrix& signals, CodedSignals& coded) {
  const Index most = device_->most_signals();
  if (signals.cols() > most) {
    for (Index begin = 0; begin < signals.cols(); begin += most) {
      const Index count = std::min(most, signals.cols() - begin);
      code_on_device(signals.middleCols(begin, count), coded);
    }
    return;
  }
  const Stopwatch watch;
  const CodeOptions& code = options_.code;
  const auto batch =
      device_->batch(signals, {.tolerance = code.tolerance, .nonnegative = code.nonnegative});
  const std::vector<SignalBatch::Signal> described = batch->signals();
  const auto codes_of = codes_of_batch(*batch, dictionary_->rows(), dictionary_->cols(), code);
  const double each = watch.seconds() / static_cast<double>(codes_of.size());
  for (std::size_t k = 0; k < codes_of.size(); ++k) {
    append_code(codes_of[k], described[k].nearest, each, coded);
  }
}

/// Batches that several processes deal out are of one size, whatever memory their devices have.
Index BatchCoder::signals_per_batch(bool dealt_out) const {
  if (device_ && !dealt_out) return device_->most_signals();
  return std::clamp<Index>(kBatchNumbers / std::max(dictionary_->cols(), dictionary_->rows()), 1,
                           1024);
}

CodedSignals BatchCoder::code(const Features& signals, const ProgressCallback& progress,
                              TaskFarm* farm) {
  check(signals);
  const Index count = rows(signals);
  const bool share = rows_pay(count);
  const Index per_batch = signals_per_batch(farm != nullptr);
  CodedSignals coded;
  coded.codes.rows = count;
  coded.codes.cols = dictionary_->cols();
  const auto code_into = [&](Index begin, CodedSignals& into) {
    const Index end = std::min(count, begin + per_batch);
    const Matrix columns = batch(signals, begin, end);
    if (device_) {
      code_on_device(columns, into);
    } else {
      code_batch(columns, share, into);
    }
    ProgressEvent event;
    event.task = "code";
    event.done = end;
    event.total = count;
    event.objective = into.reports.back().loss;
    event.active = into.reports.back().nonzeros;
    event.objective_name = "loss";
    if (progress && !progress(event)) throw Error("stopped on request");
  };
  if (!farm) {
    for (Index begin = 0; begin < count; begin += per_batch) code_into(begin, coded);
    return coded;
  }
  const auto code_alone = [&](Index k) {
    CodedSignals own;
    code_into(k * per_batch, own);
    return own;
  };
  const Index batches = (count + per_batch - 1) / per_batch;
  const auto parts = dealt_out<CodedSignals>(
      farm, batches, code_alone, [](auto& stream, auto& part) { transfer_coded(stream, part); });
  for (const CodedSignals& part : parts) append_part(coded, part);
  return coded;
}

}  // namespace ardent
