#include "ardent/model/model.h"

#include "ardent/base/error.h"

namespace ardent {

std::string_view task_name(Task task) {
  return task == Task::classification ? "classification" : "regression";
}

std::string_view map_name(MapKind kind) {
  switch (kind) {
    case MapKind::linear:
      return "linear";
    case MapKind::rbf:
      return "rbf";
    case MapKind::elm:
      return "elm";
    case MapKind::doubly_sparse:
      return "doubly-sparse";
    case MapKind::dictionary:
      return "dictionary";
  }
  return "unknown";
}

MapKind parse_map(std::string_view name) {
  for (const MapKind kind :
       {MapKind::linear, MapKind::rbf, MapKind::elm, MapKind::doubly_sparse, MapKind::dictionary}) {
    if (name == map_name(kind)) return kind;
  }
  throw InputError("map must be linear, rbf, elm, doubly-sparse or dictionary, not " +
                   in_quotes(name));
}

double mean_active(const Model& model) {
  double sum = 0;
  for (const Part& part : model.parts) {
    double kept = static_cast<double>(part.posterior.active.size());
    if (!part.draws.empty()) {
      kept = 0;
      for (const KernelDraw& draw : part.draws) kept += static_cast<double>(draw.centres.size());
      kept /= static_cast<double>(part.draws.size());
    }
    sum += kept;
  }
  return model.parts.empty() ? 0 : sum / static_cast<double>(model.parts.size());
}

double log_evidence(const Model& model) {
  double sum = 0;
  for (const Part& part : model.parts) sum += part.posterior.log_evidence;
  return sum;
}

Index basis_size(const Model& model) {
  switch (model.basis.kind) {
    case MapKind::rbf:
    case MapKind::doubly_sparse:
    case MapKind::dictionary:
      return rows(model.basis.centres);
    case MapKind::elm:
      return static_cast<Index>(model.basis.hidden_biases.size());
    case MapKind::linear:
      break;
  }
  return static_cast<Index>(model.inputs.size());
}

}  // namespace ardent
