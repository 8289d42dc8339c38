#include "ardent/model/path.h"

#include <fmt/format.h>

#include <algorithm>

#include "ardent/base/error.h"

namespace ardent {

Index path_stages(const Model& model) {
  Index longest = 0;
  for (const Part& part : model.parts) longest = std::max(longest, std::ssize(part.report.path));
  return longest;
}

Model at_stage(const Model& model, Index stage) {
  const Index stages = path_stages(model);
  if (stages == 0) {
    throw InputError("the model has no path of stages: train it with keep-stages on");
  }
  if (stage < 1 || stage > stages) {
    throw InputError(fmt::format("the model's path has stages 1 to {}, not {}", stages, stage));
  }
  Model then = model;
  for (Part& part : then.parts) {
    const auto& path = part.report.path;
    if (path.empty()) continue;
    const PathPoint& point = path[std::min(stage, std::ssize(path)) - 1];
    Posterior& posterior = part.posterior;
    const Index m = point.mean.size();
    posterior.active = point.active;
    posterior.mean = point.mean;
    posterior.bias = point.bias;
    posterior.alpha = Vector::Zero(m);
    posterior.gamma = Vector::Zero(m);
    posterior.variance = Vector::Zero(m + (posterior.has_bias ? 1 : 0));
    posterior.covariance.resize(0, 0);
    const auto& reported = part.report.stages;
    if (stage <= std::ssize(reported)) {
      posterior.log_evidence = reported[stage - 1].log_evidence;
    }
    part.report.path.clear();
  }
  return then;
}

}  // namespace ardent
