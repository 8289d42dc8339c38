#include "ardent/model/dictionary_model.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <span>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/inference/coding/batch_coder.h"
#include "ardent/maps/feature_arrays.h"
#include "ardent/model/block_prediction.h"
#include "ardent/model/model_parts.h"
#include "ardent/published/coefficient_vote.h"

namespace ardent {
namespace {

constexpr double kEvenly = 0.01;
constexpr double kLeastResidual = 1e-12;  // of a row that is a combination of atoms
constexpr double kDependentAtom = 1e-10;  // added to the diagonal, of the largest square norm

/// Least ‖y − Φw‖²/‖y‖² for the atoms in the columns of phi.
double residual_share(const Matrix& phi, const Vector& y) {
  Matrix gram = phi.transpose() * phi;
  gram.diagonal().array() += kDependentAtom * gram.diagonal().maxCoeff();
  const Vector weights = gram.llt().solve(phi.transpose() * y);
  return std::max(kLeastResidual, (y - phi * weights).squaredNorm() / y.squaredNorm());
}

Matrix spread_evenly(const Matrix& probabilities) {
  const double even = kEvenly / static_cast<double>(probabilities.cols());
  return ((1 - kEvenly) * probabilities.array() + even).matrix();
}

}  // namespace

Matrix class_residuals(const DictionaryModel& dictionary, Index classes, const Features& rows,
                       const CodedSignals& coded) {
  const auto count = std::ssize(coded.reports);
  Matrix residuals = Matrix::Ones(count, classes);
  parallel_for(count, [&](Index i) {
    const std::vector<Index> atoms = atoms_of(coded, i);
    const Matrix phi = dense_matrix(select_rows(dictionary.atoms, atoms)).transpose();
    const Vector y = dense_matrix(select_rows(rows, std::span(&i, 1))).row(0).transpose();
    if (atoms.empty() || y.squaredNorm() == 0) return;
    for (Index k = 0; k < classes; ++k) {
      std::vector<Index> own;
      for (std::size_t a = 0; a < atoms.size(); ++a) {
        if (dictionary.classes[atoms[a]] == k) own.push_back(a);
      }
      if (!own.empty()) residuals(i, k) = residual_share(phi(Eigen::all, own), y);
    }
  });
  return residuals;
}

Matrix residual_probabilities(const Matrix& residuals, double sharpness) {
  Matrix p(residuals.rows(), residuals.cols());
  for (Index i = 0; i < p.rows(); ++i) {
    // (r/least)^−sharpness: the largest is 1, so that nothing overflows.
    const double least = residuals.row(i).minCoeff();
    double sum = 0;
    for (Index k = 0; k < p.cols(); ++k) {
      sum += p(i, k) = elementary::power(residuals(i, k) / least, -sharpness);
    }
    p.row(i) /= sum;
  }
  return spread_evenly(p);
}

double DictionaryModel::mean_active(const ModelFrame& model) const {
  return mean_posterior_size(model);
}

std::string DictionaryModel::describe_fit(const ModelFrame& model) const {
  return fmt::format("{} atoms", model.total);
}

Latent DictionaryModel::latent(const ModelFrame&, const ModelRows&) const {
  throw InputError("a dictionary model codes rows: it has no posterior of a predictor");
}

Prediction DictionaryModel::predict(const ModelFrame& model, const ModelRows& rows,
                                    const PredictOptions&) const {
  const Features scaled = rows.scaled(0, rows.size());
  BatchCoder coder(atoms, {.code = coding, .unit_norm = true});
  const CodedSignals coded = coder.code(scaled);
  const Index count = rows.size();
  const Index class_count = model.classes.size();
  Prediction prediction;
  prediction.probabilities =
      sharpness > 0
          ? residual_probabilities(class_residuals(*this, class_count, scaled, coded), sharpness)
          : spread_evenly(coefficient_shares(classes, class_count, coded));
  prediction.classes.resize(count);
  for (Index i = 0; i < count; ++i) {
    Index best = 0;
    prediction.probabilities.row(i).maxCoeff(&best);
    prediction.classes[i] = static_cast<std::uint32_t>(best);
  }
  const auto zeros = std::ranges::count_if(
      coded.reports, [](const SignalReport& report) { return report.nonzeros == 0; });
  prediction.active = static_cast<double>(coded.codes.values.size()) / static_cast<double>(count);
  if (zeros > 0) {
    prediction.warnings.push_back(
        fmt::format("{} of {} rows have the code zero and take the class of the nearest atom: a "
                    "smaller lambda codes them",
                    zeros, count));
  }
  return prediction;
}

void DictionaryModel::check(const ModelFrame& model) const {
  const Index count = ardent::rows(atoms);
  check_centres(atoms, std::ssize(model.inputs));
  check_origin(origin, count);
  require_of_model(std::ssize(classes) == count, "has {} atoms but classes of {}", count,
                   classes.size());
  const Index class_count = model.classes.size();
  require_of_model(std::ranges::all_of(classes, [&](std::uint32_t c) { return c < class_count; }),
                   "has an atom of a class beyond its {} classes", class_count);
  require_of_model(count > 0, "has a dictionary without atoms");
  require_of_model(sharpness >= 0 && std::isfinite(sharpness), "has a vote of the sharpness {}",
                   sharpness);
  validate(coding);
}

void DictionaryModel::save(const ModelFrame& model, ContainerWriter& file) const {
  file.add("basis.origin", origin);
  file.add("basis.atom_classes", classes);
  // JSON's numbers are printed such that they are read back to the bit.
  file.about["coding"] = {{"lambda", coding.lambda},
                          {"lambda_ratio", coding.lambda_ratio},
                          {"noise_factor", coding.noise_factor},
                          {"outer_tolerance", coding.outer_tolerance},
                          {"tolerance", coding.tolerance},
                          {"sharpness", sharpness},
                          {"start", coding.code_start == CodeStart::ones ? "ones" : "zero"},
                          {"max_outer", coding.max_outer},
                          {"nonnegative", coding.nonnegative}};
  add_centres(file, atoms);
  add_parts(file, model.parts);
}

DictionaryModel DictionaryModel::load(const Container& file, const ModelFrame& model) {
  DictionaryModel result;
  CodeOptions& options = result.coding;
  result.origin = file.list<Index>("basis.origin");
  result.atoms = read_centres(file, std::ssize(model.inputs));
  result.classes = file.list<std::uint32_t>("basis.atom_classes");
  const auto& about = file.about().at("coding");
  options.lambda = about.at("lambda").get<double>();
  options.lambda_ratio = about.at("lambda_ratio").get<double>();
  options.noise_factor = about.at("noise_factor").get<double>();
  options.outer_tolerance = about.at("outer_tolerance").get<double>();
  options.tolerance = about.at("tolerance").get<double>();
  result.sharpness = about.at("sharpness").get<double>();
  options.code_start = parse_code_start(about.at("start").get<std::string>());
  options.max_outer = whole_number_of(about.at("max_outer"));
  options.nonnegative = about.at("nonnegative").get<bool>();
  return result;
}

}  // namespace ardent
