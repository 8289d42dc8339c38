#include "ardent/imaging/uneven_sky.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "ardent/base/elementary.h"
#include "ardent/base/parallel.h"
#include "ardent/imaging/cells.h"
#include "ardent/imaging/median.h"

namespace ardent {
namespace {

constexpr Index kLeastSide = 8;     // pixels along an axis
constexpr Index kMostParts = 4;     // along an axis
constexpr double kUnevenFrom = 4;   // standard deviations
constexpr double kKnownPart = 0.5;  // of the pixels of a part

/// Levels of the parts of a cell that are known.
std::vector<double> part_levels(const Pixels& sky, const Box& cell) {
  const auto parts = [](Index pixels) {
    return std::clamp<Index>(pixels / kLeastSide, 1, kMostParts);
  };
  const Cells cut_in(cell, parts(cell.width), parts(cell.height), parts(cell.depth));
  std::vector<double> levels;
  for (Index n = 0; n < cut_in.count(); ++n) {
    const Image part = sky.cut(cut_in.at(n));
    const auto known = static_cast<double>(known_pixels(part));
    if (known < kKnownPart * static_cast<double>(part.size())) continue;
    levels.push_back(clipped_median(part.pixels));
  }
  return levels;
}

/// Fisher's F of a and b degrees of freedom as a standard normal value.
double normal_value(double f, double a, double b) {
  const double root = elementary::power(f, 1.0 / 3), va = 2 / (9 * a), vb = 2 / (9 * b);
  return ((1 - vb) * root - (1 - va)) / std::sqrt(va + vb * root * root);
}

}  // namespace

bool is_uneven(const Pixels& sky, Index cell) {
  const Cells cells = Cells::of_size(sky.empty(), cell);
  std::vector<std::vector<double>> parts_of(cells.count());
  parallel_for(cells.count(), [&](Index n) { parts_of[n] = part_levels(sky, cells.at(n)); });
  double all = 0, sum = 0, within = 0;
  std::vector<std::pair<double, double>> levels;  // of a cell, and the number of its parts
  for (const std::vector<double>& parts : parts_of) {
    if (parts.empty()) continue;
    const auto count = static_cast<double>(parts.size());
    double level = 0;
    for (const double part : parts) level += part / count;
    for (const double part : parts) within += (part - level) * (part - level);
    levels.emplace_back(level, count);
    all += count;
    sum += count * level;
  }
  const double a = static_cast<double>(levels.size()) - 1, b = all - a - 1;
  if (a < 1 || b < 1 || !(within > 0)) return false;
  double between = 0;
  for (const auto& [level, count] : levels) {
    between += count * (level - sum / all) * (level - sum / all);
  }
  return normal_value(between / a / (within / b), a, b) > kUnevenFrom;
}

}  // namespace ardent
