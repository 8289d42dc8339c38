#include "ardent/model/doubly_sparse_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ardent/base/array_pieces.h"
#include "ardent/base/elementary.h"
#include "ardent/base/parallel.h"
#include "ardent/inference/evidence/bernoulli.h"
#include "ardent/maps/feature_arrays.h"
#include "ardent/model/block_prediction.h"
#include "ardent/model/model_parts.h"

namespace ardent {
namespace {

/// f of each row (columns: the model's inputs, scaled) under one draw.
Vector draw_predictor(const Matrix& rows, const Matrix& centres, const KernelDraw& draw) {
  Vector f = Vector::Constant(rows.rows(), draw.bias);
  Vector distance(rows.rows());
  for (std::size_t j = 0; j < draw.centres.size(); ++j) {
    distance.setZero();
    for (std::size_t i = 0; i < draw.inputs.size(); ++i) {
      const Index k = draw.inputs[i];
      const auto square = (rows.col(k).array() - centres(draw.centres[j], k)).square();
      if (draw.scales.empty()) {
        distance.array() += square;
      } else {
        distance.array() += draw.scales[i] * square;
      }
    }
    distance *= -draw.delta;
    elementary::exp_in_place(distance);
    f += draw.weights[j] * distance;
  }
  return f;
}

/// Calls use(part, f, share of the draw) for every draw of every part.
template <class Use>
void for_draws(const DoublySparseModel& model, const Features& scaled, Use&& use) {
  const Matrix x = dense_matrix(scaled), centres = dense_matrix(model.centres);
  for (std::size_t p = 0; p < model.samples.size(); ++p) {
    const auto count = static_cast<double>(model.samples[p].draws.size());
    for (const KernelDraw& draw : model.samples[p].draws) {
      use(static_cast<Index>(p), draw_predictor(x, centres, draw), count);
    }
  }
}

Matrix draw_probabilities(const DoublySparseModel& model, const Features& scaled, bool plug_in) {
  Matrix p = Matrix::Zero(rows(scaled), std::ssize(model.samples));
  for_draws(model, scaled, [&](Index part, const Vector& f, double count) {
    const double share = 1 / count;
    p.col(part) += share * (plug_in ? f : Vector(f.unaryExpr(&bernoulli::sigmoid)));
  });
  return plug_in ? Matrix(p.unaryExpr(&bernoulli::sigmoid)) : p;
}

Moments draw_moments(const DoublySparseModel& model, const Features& scaled) {
  const auto parts = std::ssize(model.samples);
  Moments moments{Matrix::Zero(rows(scaled), parts), Matrix::Zero(rows(scaled), parts)};
  for_draws(model, scaled, [&](Index part, const Vector& f, double count) {
    moments.mean.col(part) += f / count;
  });
  for_draws(model, scaled, [&](Index part, const Vector& f, double count) {
    moments.variance.col(part) += (f - moments.mean.col(part)).cwiseAbs2() / count;
  });
  return moments;
}

void check_draw(const KernelDraw& draw, Index inputs, Index centres, std::size_t part,
                std::size_t number) {
  const auto check = [&](bool holds, std::string_view what) {
    require_of_model(holds, "has in draw {} of part {} {}", number + 1, part + 1, what);
  };
  const auto within = [](const std::vector<Index>& indices, Index limit) {
    return std::ranges::all_of(indices, [&](Index i) { return i >= 0 && i < limit; });
  };
  check(within(draw.inputs, inputs), "inputs that it does not have");
  check(within(draw.centres, centres), "centres that it does not have");
  check(draw.weights.size() == std::ssize(draw.centres),
        "another number of weights than of centres");
  check(draw.scales.empty() || draw.scales.size() == draw.inputs.size(),
        "another number of scales than of inputs");
  check(std::ranges::all_of(draw.scales, [](double s) { return s >= 0 && std::isfinite(s); }),
        "scales that are negative or not finite");
  const bool finite = draw.weights.allFinite() && std::isfinite(draw.bias) &&
                      std::isfinite(draw.delta) && std::isfinite(draw.noise_variance);
  check(finite && draw.delta >= 0 && draw.noise_variance >= 0,
        "numbers that are not finite, or a negative delta or noise variance");
}

}  // namespace

double DoublySparseModel::mean_centres(std::size_t part) const {
  const std::vector<KernelDraw>& draws = samples[part].draws;
  double kept = 0;
  for (const KernelDraw& draw : draws) kept += static_cast<double>(draw.centres.size());
  return kept / static_cast<double>(draws.size());
}

double DoublySparseModel::mean_active(const ModelFrame& model) const {
  double sum = 0;
  for (std::size_t p = 0; p < model.parts.size(); ++p) sum += mean_centres(p);
  return model.parts.empty() ? 0 : sum / static_cast<double>(model.parts.size());
}

std::string DoublySparseModel::describe_fit(const ModelFrame& model) const {
  std::size_t draws = 0;
  for (const Sample& sample : samples) draws += sample.draws.size();
  return fmt::format("{} draws in {} model{}; {:.1f} of {} basis points on, on average", draws,
                     samples.size(), samples.size() == 1 ? "" : "s", mean_active(model),
                     model.total);
}

Prediction DoublySparseModel::predict(const ModelFrame& model, const ModelRows& rows,
                                      const PredictOptions& options) const {
  return predict_blocks(
      model, rows, centres.rows, options,
      [&](Index begin, Index end) {
        return draw_probabilities(*this, rows.scaled(begin, end), options.plug_in);
      },
      [&](Index begin, Index end) { return draw_moments(*this, rows.scaled(begin, end)); });
}

Latent DoublySparseModel::latent(const ModelFrame& model, const ModelRows& rows) const {
  const auto parts = std::ssize(model.parts);
  Latent found{{Matrix(rows.size(), parts), Matrix(rows.size(), parts)}};
  for (const Sample& sample : samples) {
    found.draws.emplace_back(rows.size(), std::ssize(sample.draws));
  }
  parallel_blocks(rows.size(), row_block(centres.rows), [&](Index begin, Index end) {
    const Features scaled = rows.scaled(begin, end);
    const Moments block = draw_moments(*this, scaled);
    found.moments.mean.middleRows(begin, end - begin) = block.mean;
    found.moments.variance.middleRows(begin, end - begin) = block.variance;
    std::vector<Index> next(samples.size(), 0);
    for_draws(*this, scaled, [&](Index part, const Vector& f, double) {
      found.draws[part].col(next[part]++).segment(begin, end - begin) = f;
    });
  });
  return found;
}

void DoublySparseModel::check(const ModelFrame& model) const {
  const auto inputs = std::ssize(model.inputs);
  check_centres(centres, inputs);
  check_origin(origin, centres.rows);
  require_of_model(samples.size() == model.parts.size(), "has {} parts and draws of {}",
                   model.parts.size(), samples.size());
  for (std::size_t p = 0; p < samples.size(); ++p) {
    const auto& [draws, inclusion] = samples[p];
    require_of_model(
        !draws.empty() && inclusion.size() == model.inputs.size(),
        "has the map {}, {} inputs, and in part {} {} draws and {} inclusion probabilities", kMap,
        inputs, p + 1, draws.size(), inclusion.size());
    require_of_model(std::ranges::all_of(inclusion, [](double x) { return x >= 0 && x <= 1; }),
                     "has inclusion probabilities beyond 0..1");
    for (std::size_t d = 0; d < draws.size(); ++d) {
      check_draw(draws[d], inputs, centres.rows, p, d);
    }
  }
}

void DoublySparseModel::save(const ModelFrame& model, ContainerWriter& file) const {
  file.add("basis.origin", origin);
  add_matrix(file, "basis.centres", centres);
  add_parts(file, model.parts);
  std::vector<Index> per_part, input_counts, centre_counts, inputs, used;
  std::vector<double> weights, bias, delta, noise, inclusion, scales;
  for (const Sample& sample : samples) {
    per_part.push_back(std::ssize(sample.draws));
    append(inclusion, sample.inclusion);
    for (const KernelDraw& draw : sample.draws) {
      input_counts.push_back(std::ssize(draw.inputs));
      centre_counts.push_back(std::ssize(draw.centres));
      append(inputs, draw.inputs);
      append(scales, draw.scales);
      append(used, draw.centres);
      append(weights, draw.weights);
      bias.push_back(draw.bias);
      delta.push_back(draw.delta);
      noise.push_back(draw.noise_variance);
    }
  }
  file.add("inclusion", inclusion);
  file.add("draws.per_part", per_part);
  file.add("draws.input_counts", input_counts);
  file.add("draws.inputs", inputs);
  file.add("draws.centre_counts", centre_counts);
  file.add("draws.centres", used);
  file.add("draws.weights", weights);
  file.add("draws.bias", bias);
  file.add("draws.delta", delta);
  file.add("draws.noise_variance", noise);
  if (!scales.empty()) file.add("draws.scales", scales);
}

DoublySparseModel DoublySparseModel::load(const Container& file, const ModelFrame& model) {
  DoublySparseModel result;
  result.origin = file.list<Index>("basis.origin");
  result.centres = read_dense(file, "basis.centres");
  result.samples.resize(model.parts.size());
  ArrayPieces pieces(file);
  const auto inputs = std::ssize(model.inputs);
  const bool scaled = file.has("draws.scales");
  for (Sample& sample : result.samples) {
    sample.inclusion = pieces.take_list<double>("inclusion", inputs);
    const Index draws = pieces.take<Index>("draws.per_part", 1)[0];
    for (Index d = 0; d < draws; ++d) {
      const Index input_count = pieces.take<Index>("draws.input_counts", 1)[0];
      const Index centre_count = pieces.take<Index>("draws.centre_counts", 1)[0];
      sample.draws.push_back(
          {pieces.take_list<Index>("draws.inputs", input_count),
           pieces.take_list<Index>("draws.centres", centre_count),
           pieces.take_vector("draws.weights", centre_count),
           pieces.take<double>("draws.bias", 1)[0], pieces.take<double>("draws.delta", 1)[0],
           pieces.take<double>("draws.noise_variance", 1)[0],
           scaled ? pieces.take_list<double>("draws.scales", input_count) : std::vector<double>{}});
    }
  }
  pieces.expect_all_taken();
  return result;
}

}  // namespace ardent
