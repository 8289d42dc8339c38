// What include/ardent/coding.h declares.
#include <fmt/format.h>

#include "ardent/base/error.h"
#include "ardent/base/given_options.h"
#include "ardent/coding.h"
#include "ardent/data/public_dataset.h"
#include "ardent/estimators/sparse_coder.h"

namespace ardent {
namespace {

CoderOptions internal_options(const v0::coding::Options& options) {
  CoderOptions coder;
  Schema fields = schema(coder);
  GivenOptions(fields)
      .set("method", options.method)
      .set("lambda", options.lambda)
      .set("lambda-ratio", options.lambda_ratio)
      .set("nonnegative", options.nonnegative)
      .set("unit-norm", options.unit_norm)
      .finish(options.more);
  return coder;
}

}  // namespace

namespace v0::coding {

struct Coder::Held {
  SparseCoder coder;
};

Coder::Coder(const Matrix& atoms, const Options& options)
    : held_(new Held{SparseCoder(internal_rows(atoms), internal_options(options))}) {}
Coder::~Coder() = default;
Coder::Coder(Coder&&) noexcept = default;
Coder& Coder::operator=(Coder&&) noexcept = default;

std::vector<Code> Coder::code(const Matrix& signals, const ProgressCallback& progress) {
  const CodedSignals coded = held_->coder.code(internal_rows(signals), progress);
  std::vector<Code> codes;
  for (std::size_t i = 0; i < coded.reports.size(); ++i) {
    const auto begin = coded.codes.offsets[i], end = coded.codes.offsets[i + 1];
    const auto part = [&](const auto& all) {
      return std::vector(all.begin() + begin, all.begin() + end);
    };
    const std::vector<std::int64_t> atoms = part(coded.codes.columns);
    codes.push_back({.atoms = {atoms.begin(), atoms.end()},
                     .coefficients = part(coded.codes.values),
                     .variances = part(coded.variances),
                     .lambda = coded.reports[i].lambda,
                     .converged = coded.reports[i].status == Status::converged});
  }
  return codes;
}

std::vector<double> decode(const Code& code, const Matrix& atoms) {
  std::vector<double> signal(static_cast<std::size_t>(atoms.cols()), 0.0);
  for (std::size_t k = 0; k < code.atoms.size(); ++k) {
    if (code.atoms[k] < 0 || code.atoms[k] >= atoms.rows()) {
      throw InputError(
          fmt::format("the code has atom {} of a dictionary of {}", code.atoms[k], atoms.rows()));
    }
    for (Index j = 0; j < atoms.cols(); ++j) {
      signal[static_cast<std::size_t>(j)] += code.coefficients[k] * atoms(code.atoms[k], j);
    }
  }
  return signal;
}

}  // namespace v0::coding
}  // namespace ardent
