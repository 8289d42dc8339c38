#include "ardent/model/kernel_draws.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/inference/bernoulli.h"

namespace ardent {
namespace {

/// Calls use(part, f) for every draw of every part.
template <class Use>
void for_draws(const Model& model, const Features& scaled, Use&& use) {
  const Matrix x = dense_matrix(scaled), centres = dense_matrix(model.basis.centres);
  for (std::size_t p = 0; p < model.parts.size(); ++p) {
    for (const KernelDraw& draw : model.parts[p].draws) {
      use(static_cast<Index>(p), draw_predictor(x, centres, draw));
    }
  }
}

double draw_count(const Model& model, Index part) {
  return static_cast<double>(model.parts[static_cast<std::size_t>(part)].draws.size());
}

[[noreturn]] void refuse(std::size_t part, std::size_t draw, std::string_view what) {
  throw InputError(fmt::format("the model has in draw {} of part {} {}", draw + 1, part + 1, what));
}

}  // namespace

Vector draw_predictor(const Matrix& rows, const Matrix& centres, const KernelDraw& draw) {
  Vector f = Vector::Constant(rows.rows(), draw.bias);
  Vector distance(rows.rows());
  for (std::size_t j = 0; j < draw.centres.size(); ++j) {
    distance.setZero();
    for (const Index k : draw.inputs) {
      distance.array() += (rows.col(k).array() - centres(draw.centres[j], k)).square();
    }
    distance *= -draw.delta;
    elementary::exp_in_place(distance);
    f += draw.weights[static_cast<Index>(j)] * distance;
  }
  return f;
}

Matrix draw_probabilities(const Model& model, const Features& scaled, bool plug_in) {
  Matrix p = Matrix::Zero(rows(scaled), static_cast<Index>(model.parts.size()));
  for_draws(model, scaled, [&](Index part, const Vector& f) {
    const double share = 1 / draw_count(model, part);
    p.col(part) += share * (plug_in ? f : Vector(f.unaryExpr(&bernoulli::sigmoid)));
  });
  return plug_in ? Matrix(p.unaryExpr(&bernoulli::sigmoid)) : p;
}

Moments draw_moments(const Model& model, const Features& scaled) {
  const auto parts = static_cast<Index>(model.parts.size());
  Moments moments{Matrix::Zero(rows(scaled), parts), Matrix::Zero(rows(scaled), parts)};
  for_draws(model, scaled, [&](Index part, const Vector& f) {
    moments.mean.col(part) += f / draw_count(model, part);
  });
  for_draws(model, scaled, [&](Index part, const Vector& f) {
    moments.variance.col(part) +=
        (f - moments.mean.col(part)).cwiseAbs2() / draw_count(model, part);
  });
  return moments;
}

void check_draws(const Model& model, std::size_t part) {
  const std::vector<KernelDraw>& draws = model.parts[part].draws;
  const std::vector<double>& inclusion = model.parts[part].inclusion;
  const bool expected = model.basis.kind == MapKind::doubly_sparse;
  const auto inputs = static_cast<Index>(model.inputs.size());
  if (draws.empty() == expected || inclusion.size() != (expected ? model.inputs.size() : 0)) {
    throw InputError(
        fmt::format("the model has the map {}, {} inputs, and in part {} {} draws and {} inclusion "
                    "probabilities",
                    map_name(model.basis.kind), inputs, part + 1, draws.size(), inclusion.size()));
  }
  for (const double p : inclusion) {
    if (!(p >= 0 && p <= 1)) throw InputError("the model has inclusion probabilities beyond 0..1");
  }
  const auto within = [](const std::vector<Index>& indices, Index limit) {
    return std::ranges::all_of(indices, [&](Index i) { return i >= 0 && i < limit; });
  };
  for (std::size_t d = 0; d < draws.size(); ++d) {
    const KernelDraw& draw = draws[d];
    if (!within(draw.inputs, inputs)) refuse(part, d, "inputs that it does not have");
    if (!within(draw.centres, rows(model.basis.centres))) {
      refuse(part, d, "centres that it does not have");
    }
    if (draw.weights.size() != static_cast<Index>(draw.centres.size())) {
      refuse(part, d, "another number of weights than of centres");
    }
    const bool finite = draw.weights.allFinite() && std::isfinite(draw.bias) &&
                        std::isfinite(draw.delta) && std::isfinite(draw.noise_variance);
    if (!finite || draw.delta < 0 || draw.noise_variance < 0) {
      refuse(part, d, "numbers that are not finite, or a negative delta or noise variance");
    }
  }
}

}  // namespace ardent
