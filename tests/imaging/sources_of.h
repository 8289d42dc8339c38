#pragma once

#include <vector>

#include "ardent/imaging/locate.h"

namespace ardent {

/// What was found, without its uncertainties.
inline std::vector<Source> sources_of(const LocateResult& result) {
  std::vector<Source> sources;
  for (const Detection& detection : result.detections) sources.push_back(detection.source);
  return sources;
}

}  // namespace ardent
