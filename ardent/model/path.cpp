#include "ardent/model/path.h"

#include <fmt/format.h>

#include <algorithm>

#include "ardent/base/error.h"

namespace ardent {

Index path_stages(const Model& model) {
  std::size_t longest = 0;
  for (const Part& part : model.parts) longest = std::max(longest, part.report.path.size());
  return static_cast<Index>(longest);
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
    const PathPoint& point = path[std::min(static_cast<std::size_t>(stage), path.size()) - 1];
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
    if (static_cast<std::size_t>(stage) <= reported.size()) {
      posterior.log_evidence = reported[stage - 1].log_evidence;
    }
    part.report.path.clear();
  }
  return then;
}

}  // namespace ardent
