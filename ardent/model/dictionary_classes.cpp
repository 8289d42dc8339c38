#include "ardent/model/dictionary_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ardent/base/error.h"
#include "ardent/inference/coding/batch_coder.h"

namespace ardent {
namespace {

constexpr double kEvenly = 0.01;

/// ABS of each class; the nearest atom's alone where the code is zero.
Vector class_sums(const Model& model, const CodedSignals& coded, std::size_t row) {
  Vector sums = Vector::Zero(model.classes.size());
  const auto& codes = coded.codes;
  for (auto e = static_cast<std::size_t>(codes.offsets[row]);
       e < static_cast<std::size_t>(codes.offsets[row + 1]); ++e) {
    const auto atom = static_cast<std::size_t>(codes.columns[e]);
    sums[model.basis.atom_classes[atom]] += std::abs(codes.values[e]);
  }
  const Index nearest = coded.nearest[row];
  if (sums.sum() == 0 && nearest >= 0) {
    sums[model.basis.atom_classes[static_cast<std::size_t>(nearest)]] = 1;
  }
  return sums;
}

}  // namespace

Prediction predict_by_dictionary(const Model& model, const Features& scaled) {
  BatchCoder coder(model.basis.centres, {.code = model.basis.coding, .unit_norm = true});
  const CodedSignals coded = coder.code(scaled);
  const Index count = rows(scaled);
  const Index classes = model.classes.size();
  Prediction prediction;
  prediction.classes.resize(static_cast<std::size_t>(count));
  prediction.probabilities.resize(count, classes);
  Index zeros = 0;
  for (Index i = 0; i < count; ++i) {
    const auto row = static_cast<std::size_t>(i);
    zeros += coded.reports[row].nonzeros == 0;
    const Vector sums = class_sums(model, coded, row);
    Index best = 0;
    sums.maxCoeff(&best);
    prediction.classes[row] = static_cast<std::uint32_t>(best);
    const double even = 1 / static_cast<double>(classes);
    prediction.probabilities.row(i).setConstant(even);
    if (sums.sum() > 0) {
      prediction.probabilities.row(i) =
          ((1 - kEvenly) / sums.sum() * sums.array() + kEvenly * even).matrix().transpose();
    }
  }
  prediction.active = static_cast<double>(coded.codes.values.size()) / static_cast<double>(count);
  if (zeros > 0) {
    prediction.warnings.push_back(
        fmt::format("{} of {} rows have the code zero and take the class of the nearest atom: a "
                    "smaller lambda codes them",
                    zeros, count));
  }
  return prediction;
}

void check_dictionary(const Model& model) {
  const Basis& basis = model.basis;
  const auto atoms = rows(basis.centres);
  if (static_cast<Index>(basis.atom_classes.size()) != atoms) {
    throw InputError(
        fmt::format("it has {} atoms but classes of {}", atoms, basis.atom_classes.size()));
  }
  const auto known = [&](std::uint32_t c) { return static_cast<Index>(c) < model.classes.size(); };
  if (!std::ranges::all_of(basis.atom_classes, known)) {
    throw InputError(
        fmt::format("it has an atom of a class beyond its {} classes", model.classes.size()));
  }
  if (atoms == 0) throw InputError("it has a dictionary without atoms");
  validate(basis.coding);
}

}  // namespace ardent
