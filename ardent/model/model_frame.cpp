#include "ardent/model/model_frame.h"

namespace ardent {

std::string_view task_name(Task task) {
  return task == Task::classification ? "classification" : "regression";
}

double mean_posterior_size(const ModelFrame& model) {
  double sum = 0;
  for (const Part& part : model.parts) sum += static_cast<double>(part.posterior.active.size());
  return model.parts.empty() ? 0 : sum / static_cast<double>(model.parts.size());
}

double log_evidence(const ModelFrame& model) {
  double sum = 0;
  for (const Part& part : model.parts) sum += part.posterior.log_evidence;
  return sum;
}

}  // namespace ardent
