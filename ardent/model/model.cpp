#include "ardent/model/model.h"

#include <fmt/format.h>

namespace ardent {

std::vector<std::string> map_names() {
  std::vector<std::string> names;
  for (const MapEntry& map : all_maps()) names.emplace_back(map.name);
  names.emplace_back(DoublySparseModel::kMap);
  names.emplace_back(DictionaryModel::kMap);
  return names;
}

std::string map_help() {
  std::string text = "feature map: ";
  for (const MapEntry& map : all_maps()) text += fmt::format("{}, {}; ", map.name, map.help);
  return text + fmt::format("{}, {}; {}, {}", DoublySparseModel::kMap, DoublySparseModel::kHelp,
                            DictionaryModel::kMap, DictionaryModel::kHelp);
}

std::string_view map_name(const Model& model) {
  return std::visit([](const auto& kind) { return kind.map_name(); }, model.kind);
}

bool is_linear(const Model& model) {
  const auto* evidence = std::get_if<EvidenceModel>(&model.kind);
  return evidence && evidence->map->linear();
}

const std::vector<Index>& origin(const Model& model) {
  return std::visit(
      [](const auto& kind) -> const auto& { return kind.origins(); }, model.kind);
}

std::vector<std::pair<std::string, double>> map_parameters(const Model& model) {
  const auto* evidence = std::get_if<EvidenceModel>(&model.kind);
  if (!evidence) return {};
  return evidence->map->parameters();
}

std::string basis_name(const Model& model, Index k) {
  if (is_linear(model) && !model.feature_names.empty()) {
    return model.feature_names[k];
  }
  const auto* evidence = std::get_if<EvidenceModel>(&model.kind);
  return fmt::format("{} {}", evidence ? evidence->map->noun() : "training row",
                     origin(model)[k] + 1);
}

double mean_active(const Model& model) {
  return std::visit([&](const auto& kind) { return kind.mean_active(model); }, model.kind);
}

std::string describe_fit(const Model& model) {
  return std::visit([&](const auto& kind) { return kind.describe_fit(model); }, model.kind);
}

}  // namespace ardent
