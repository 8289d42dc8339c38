// Models and evaluations, reported as text or as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "ardent/estimators/evaluation.h"
#include "ardent/model/model.h"

namespace ardent::cli {

using Json = nlohmann::ordered_json;

/// Prints one JSON object on standard output. NaN and infinity become null.
void print_json(const Json& json);

/// "classes +1, -1 (positive +1)", "map rbf, sigma 4", …
std::string describe_model(const Model& model);
Json model_json(const Model& model);

/// "a against b", "a against the rest"; empty for regression.
std::string part_name(const Model& model, const Part& part);

/// Weights kept by part `part`, the most relevant first, at most `top` of them (0: all).
std::string describe_kept(const Model& model, Index part, Index top);
/// Weights kept by a part, that of the highest odds first (inference/evidence/support_odds.h).
Json kept_json(const Model& model, Index part);
/// Columns kept that do not belong there, in expectation, over all parts.
double expected_false(const Model& model);

std::string describe_evaluation(const Evaluation& evaluation, const ClassTable& classes);
Json evaluation_json(const Evaluation& evaluation, const ClassTable& classes);
std::string describe_confusion(const Eigen::MatrixXi& confusion, const ClassTable& classes);
Json confusion_json(const Eigen::MatrixXi& confusion);

}  // namespace ardent::cli
