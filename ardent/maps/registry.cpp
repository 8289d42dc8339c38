// The feature maps there are, by name.
#include <algorithm>

#include "ardent/maps/elm.h"
#include "ardent/maps/linear.h"
#include "ardent/maps/rbf.h"

namespace ardent {

std::span<const MapEntry> all_maps() {
  static constexpr MapEntry kMaps[] = {
      {LinearMap::kName, LinearMap::kHelp, LinearMap::build, LinearMap::load},
      {RbfMap::kName, RbfMap::kHelp, RbfMap::build, RbfMap::load, true},
      {ElmMap::kName, ElmMap::kHelp, ElmMap::build, ElmMap::load},
  };
  return kMaps;
}

const MapEntry* find_map(std::string_view name) {
  const auto found = std::ranges::find(all_maps(), name, &MapEntry::name);
  return found == all_maps().end() ? nullptr : &*found;
}

}  // namespace ardent
