#include "ardent/model/model_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "ardent/base/array_pieces.h"
#include "ardent/base/error.h"

namespace ardent {
namespace {

using nlohmann::json;

/// The lower triangle by columns, mirrored.
Matrix take_symmetric(ArrayPieces& pieces, const std::string& name, Index size) {
  constexpr Index kLargest = Index{1} << 31;  // beyond, the count itself would overflow
  const auto triangle = pieces.take<double>(
      name, size < kLargest ? size * (size + 1) / 2 : std::numeric_limits<Index>::max());
  Matrix matrix(size, size);
  auto next = triangle.begin();
  for (Index j = 0; j < size; ++j) {
    for (Index i = j; i < size; ++i) {
      matrix(i, j) = *next;
      matrix(j, i) = *next++;
    }
  }
  return matrix;
}

Posterior read_posterior(const json& about, ArrayPieces& pieces) {
  Posterior posterior;
  const Index count = whole_number_of(about.at("active"));
  posterior.active = pieces.take_list<Index>("weights.basis", count);
  posterior.mean = pieces.take_vector("weights.mean", count);
  posterior.alpha = pieces.take_vector("weights.precision", count);
  posterior.gamma = pieces.take_vector("weights.relevance", count);
  posterior.has_bias = about.at("bias").get<bool>();
  const Index weights = count + (posterior.has_bias ? 1 : 0);
  posterior.variance = pieces.take_vector("weights.variance", weights);
  const bool full = about.at("covariance").get<bool>();
  posterior.covariance = take_symmetric(pieces, "weights.covariance", full ? weights : 0);
  posterior.bias = pieces.take<double>("bias", 1)[0];
  posterior.noise_variance = pieces.take<double>("noise_variance", 1)[0];
  posterior.log_evidence = pieces.take<double>("log_evidence", 1)[0];
  return posterior;
}

std::vector<Stage> read_stages(Index count, ArrayPieces& pieces) {
  std::vector<Stage> stages;
  for (Index s = 0; s < count; ++s) {
    stages.push_back({pieces.take<double>("stages.log_evidence", 1)[0],
                      pieces.take<Index>("stages.active", 1)[0],
                      pieces.take<Index>("stages.newton_steps", 1)[0],
                      pieces.take<double>("stages.change", 1)[0]});
  }
  return stages;
}

/// Paths are rare and large: their arrays are there only if a part has one.
void add_paths(ContainerWriter& file, const std::vector<Part>& parts) {
  std::vector<Index> active, sizes;
  std::vector<double> mean, bias;
  for (const Part& part : parts) {
    for (const PathPoint& point : part.report.path) {
      append(active, point.active);
      append(mean, point.mean);
      bias.push_back(point.bias);
      sizes.push_back(point.mean.size());
    }
  }
  if (sizes.empty()) return;
  file.add("path.sizes", sizes);
  file.add("path.basis", active);
  file.add("path.mean", mean);
  file.add("path.bias", bias);
}

std::vector<PathPoint> read_path(Index count, ArrayPieces& pieces) {
  std::vector<PathPoint> path;
  for (const Index size : pieces.take<Index>("path.sizes", count)) {
    path.push_back({pieces.take_list<Index>("path.basis", size),
                    pieces.take_vector("path.mean", size), pieces.take<double>("path.bias", 1)[0]});
  }
  return path;
}

}  // namespace

void add_parts(ContainerWriter& file, const std::vector<Part>& parts) {
  std::vector<Index> active, stage_active, newton_steps;
  std::vector<double> mean, alpha, gamma, variance, covariance, bias, noise, evidence;
  std::vector<double> stage_evidence, change;
  std::vector<std::string> warnings;
  json about = json::array();
  for (const Part& part : parts) {
    const Posterior& posterior = part.posterior;
    append(active, posterior.active);
    append(mean, posterior.mean);
    append(alpha, posterior.alpha);
    append(gamma, posterior.gamma);
    append(variance, posterior.variance);
    for (Index j = 0; j < posterior.covariance.cols(); ++j) {
      append(covariance, posterior.covariance.col(j).tail(posterior.covariance.rows() - j));
    }
    bias.push_back(posterior.bias);
    noise.push_back(posterior.noise_variance);
    evidence.push_back(posterior.log_evidence);
    for (const Stage& stage : part.report.stages) {
      stage_evidence.push_back(stage.log_evidence);
      stage_active.push_back(stage.active);
      newton_steps.push_back(stage.newton_steps);
      change.push_back(stage.change);
    }
    const auto& reported = part.report.warnings;
    append(warnings, reported);
    about.push_back({{"positive", part.positive},
                     {"negative", part.negative},
                     {"active", posterior.active.size()},
                     {"bias", posterior.has_bias},
                     {"covariance", posterior.covariance.size() > 0},
                     {"status", status_name(part.report.status)},
                     {"stages", part.report.stages.size()},
                     {"path", part.report.path.size()},
                     {"warnings", reported.size()}});
    if (posterior.plug_in) about.back()["plug_in"] = true;
    if (!part.report.notes.empty()) about.back()["notes"] = part.report.notes;
    if (part.report.candidates > 0) about.back()["candidates"] = part.report.candidates;
  }
  file.about["parts"] = std::move(about);
  file.add("weights.basis", active);
  file.add("weights.mean", mean);
  file.add("weights.precision", alpha);
  file.add("weights.relevance", gamma);
  file.add("weights.variance", variance);
  file.add("weights.covariance", covariance);
  file.add("bias", bias);
  file.add("noise_variance", noise);
  file.add("log_evidence", evidence);
  file.add("stages.log_evidence", stage_evidence);
  file.add("stages.active", stage_active);
  file.add("stages.newton_steps", newton_steps);
  file.add("stages.change", change);
  file.add_strings("warnings", warnings);
  add_paths(file, parts);
}

std::vector<Part> read_parts(const Container& file) {
  ArrayPieces pieces(file);
  // All of them must be there and be used up, whatever the parts.
  for (const char* name : {"weights.mean", "weights.precision", "weights.relevance",
                           "weights.variance", "weights.covariance", "bias", "noise_variance",
                           "log_evidence", "stages.log_evidence", "stages.change"}) {
    pieces.take<double>(name, 0);
  }
  for (const char* name : {"weights.basis", "stages.active", "stages.newton_steps"}) {
    pieces.take<Index>(name, 0);
  }
  const std::vector<std::string> warnings = file.strings("warnings");
  auto next_warning = warnings.begin();
  std::vector<Part> parts;
  for (const json& about : file.about().at("parts")) {
    Part part;
    part.positive = whole_number_of(about.at("positive"));
    part.negative = whole_number_of(about.at("negative"));
    part.posterior = read_posterior(about, pieces);
    part.report.status = parse_status(about.at("status").get<std::string>());
    part.report.stages = read_stages(whole_number_of(about.at("stages")), pieces);
    if (about.contains("path") && about.at("path") != 0) {
      part.report.path = read_path(whole_number_of(about.at("path")), pieces);
    }
    part.posterior.plug_in = about.value("plug_in", false);
    part.report.notes = about.value("notes", std::vector<std::string>{});
    part.report.candidates = about.value("candidates", 0.0);
    const Index reported = whole_number_of(about.at("warnings"));
    if (reported < 0 || reported > warnings.end() - next_warning) {
      file.refuse("it has fewer warnings than its parts");
    }
    part.report.warnings.assign(next_warning, next_warning + reported);
    next_warning += reported;
    parts.push_back(std::move(part));
  }
  pieces.expect_all_taken();
  if (next_warning != warnings.end()) file.refuse("it has more warnings than its parts");
  return parts;
}

Index whole_number_of(const json& value) {
  const bool fits = value.is_number_unsigned()
                        ? value.get<std::uint64_t>() <=
                              static_cast<std::uint64_t>(std::numeric_limits<Index>::max())
                        : value.is_number_integer();
  if (!fits) throw InputError("a number of its metadata is not a whole number of 64 bits");
  return value.get<Index>();
}

}  // namespace ardent
