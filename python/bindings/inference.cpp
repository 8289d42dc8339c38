// Sparse coding: a dictionary and its codes, one weighted LASSO, safe screening.
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "ardent/estimators/sparse_coder.h"
#include "ardent/inference/coding/make_dictionary.h"
#include "ardent/inference/coding/weighted_lasso.h"
#include "ardent/published/screening/screen.h"
#include "arrays.h"
#include "bind.h"
#include "calling.h"
#include "tables.h"

namespace ardent::python {
namespace {

nb::dict reports_of(const std::vector<SignalReport>& reports) {
  std::vector<double> lambda, gap, loss;
  std::vector<Index> nonzeros, outer;
  nb::list status;
  for (const SignalReport& report : reports) {
    lambda.push_back(report.lambda);
    gap.push_back(report.gap);
    loss.push_back(report.loss);
    nonzeros.push_back(report.nonzeros);
    outer.push_back(report.outer);
    status.append(std::string(status_name(report.status)));
  }
  nb::dict about;
  about["lambda"] = numpy_of(std::move(lambda));
  about["nonzeros"] = numpy_of(std::move(nonzeros));
  about["gap"] = numpy_of(std::move(gap));
  about["outer_iterations"] = numpy_of(std::move(outer));
  about["loss"] = numpy_of(std::move(loss));
  about["status"] = status;
  return about;
}

/// Atoms with their lengths, for many calls.
struct Prepared {
  std::shared_ptr<const Dictionary> dictionary;
};

Prepared prepared(const Table& atoms, bool unit_norm, int threads) {
  return without_gil(threads, nb::none(), [&](const ProgressCallback&) {
    return Prepared{make_dictionary(atoms.features, unit_norm)};
  });
}

nb::dict coded(const Prepared& atoms, const Table& signals, const OptionTexts& texts, int threads,
               const nb::object& progress) {
  const CoderOptions options = with_options(CoderOptions{}, texts);
  CodedSignals codes = without_gil(threads, progress, [&](const ProgressCallback& callback) {
    return SparseCoder(atoms.dictionary, options).code(signals.features, callback);
  });
  nb::dict result;
  result["indptr"] = numpy_of(std::move(codes.codes.offsets));
  result["indices"] = numpy_of(std::move(codes.codes.columns));
  result["data"] = numpy_of(std::move(codes.codes.values));
  result["variances"] = numpy_of(std::move(codes.variances));
  result["report"] = reports_of(codes.reports);
  return result;
}

nb::dict lasso(const Prepared& atoms, const Array1<double>& signal, const Array1<double>& penalties,
               double lambda, bool nonnegative, double tolerance, int threads) {
  const Vector y = vector_of(signal), u = vector_of(penalties);
  const LassoOptions options{.tolerance = tolerance, .nonnegative = nonnegative};
  LassoResult found = without_gil(threads, nb::none(), [&](const ProgressCallback&) {
    return weighted_lasso(*atoms.dictionary, y, u, lambda, options);
  });
  nb::dict result;
  result["active"] = numpy_of(std::move(found.code.active));
  result["theta"] = numpy_of(found.code.theta);
  result["status"] = std::string(status_name(found.report.status));
  result["objective"] = found.report.objective;
  result["gap"] = found.report.gap;
  result["relative_gap"] = found.report.relative_gap;
  return result;
}

NumPy1<Index> kept_atoms(const Prepared& atoms, const Array1<double>& signal,
                         const Array1<double>& penalties, double lambda, const std::string& test,
                         const std::string& ball, bool nonnegative, int threads) {
  const Vector y = vector_of(signal), u = vector_of(penalties);
  const ScreenOptions options{.test = parse_screen_test(test), .ball = parse_ball(ball)};
  Screening screening = without_gil(threads, nb::none(), [&](const ProgressCallback&) {
    return screen(*atoms.dictionary, y, u, lambda, options, nonnegative);
  });
  return numpy_of(std::move(screening.kept));
}

}  // namespace

void bind_inference(nb::module_& module) {
  nb::class_<Prepared>(module, "Dictionary", "Atoms with their lengths.");
  module.def("dictionary", &prepared, nb::arg("atoms"), nb::arg("unit_norm"), nb::arg("threads"));
  module.def("code", &coded, nb::arg("atoms"), nb::arg("signals"), nb::arg("options"),
             nb::arg("threads"), nb::arg("progress").none());
  module.def("weighted_lasso", &lasso, nb::arg("atoms"), nb::arg("signal"), nb::arg("penalties"),
             nb::arg("lam"), nb::arg("nonnegative"), nb::arg("tolerance"), nb::arg("threads"));
  module.def("screen", &kept_atoms, nb::arg("atoms"), nb::arg("signal"), nb::arg("penalties"),
             nb::arg("lam"), nb::arg("test"), nb::arg("ball"), nb::arg("nonnegative"),
             nb::arg("threads"));
}

}  // namespace ardent::python
