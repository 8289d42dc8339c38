#include "ardent/linalg/line_search.h"

#include <algorithm>
#include <cmath>

namespace ardent {
namespace {

/// Minimiser of the cubic through two points and their slopes (Nocedal and Wright 3.59), kept away
/// from the ends of the bracket by a tenth of its length; the middle where the cubic has none.
double interpolate(const LinePoint& a, const LinePoint& b) {
  const double d1 = a.slope + b.slope - 3 * (a.value - b.value) / (a.step - b.step);
  const double square = d1 * d1 - a.slope * b.slope;
  const double low = std::min(a.step, b.step), high = std::max(a.step, b.step);
  const double margin = 0.1 * (high - low);
  if (square >= 0) {
    const double d2 = std::copysign(std::sqrt(square), b.step - a.step);
    const double step =
        b.step - (b.step - a.step) * (b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2);
    if (std::isfinite(step)) return std::clamp(step, low + margin, high - margin);
  }
  return 0.5 * (low + high);
}

/// The search's bookkeeping: evaluations are counted and the lowest point is remembered.
class LineSearchRun {
 public:
  LineSearchRun(const std::function<LinePoint(double)>& along, const LinePoint& start,
                const WolfeOptions& options)
      : along_(along), start_(start), options_(options) {
    result_.point = start;
  }

  LinePoint evaluate(double step) {
    const LinePoint point = along_(step);
    ++result_.evaluations;
    if (point.value < result_.point.value) result_.point = point;
    return point;
  }
  bool spent() const { return result_.evaluations >= options_.max_evaluations; }
  bool decreases_enough(const LinePoint& p) const {
    return p.value <= start_.value + options_.c1 * p.step * start_.slope;
  }
  bool flat_enough(const LinePoint& p) const {
    return std::abs(p.slope) <= -options_.c2 * start_.slope;
  }
  LineResult accept(const LinePoint& p) {
    result_.point = p;
    result_.satisfied = true;
    return result_;
  }
  LineResult give_up() const { return result_; }

  /// `low` satisfies the decrease and has the lower value; the minimum lies between the two.
  LineResult zoom(LinePoint low, LinePoint high) {
    while (!spent()) {
      const LinePoint trial = evaluate(interpolate(low, high));
      if (!decreases_enough(trial) || trial.value >= low.value) {
        high = trial;
        continue;
      }
      if (flat_enough(trial)) return accept(trial);
      if (trial.slope * (high.step - low.step) >= 0) high = low;
      low = trial;
    }
    return give_up();
  }

 private:
  const std::function<LinePoint(double)>& along_;
  LinePoint start_;
  WolfeOptions options_;
  LineResult result_;
};

}  // namespace

LineResult strong_wolfe(const std::function<LinePoint(double)>& along, const LinePoint& start,
                        double first, const WolfeOptions& options) {
  LineSearchRun search(along, start, options);
  LinePoint previous = start;
  double step = first;
  while (!search.spent()) {
    const LinePoint trial = search.evaluate(step);
    const bool worse = previous.step > 0 && trial.value >= previous.value;
    if (!search.decreases_enough(trial) || worse) return search.zoom(previous, trial);
    if (search.flat_enough(trial)) return search.accept(trial);
    if (trial.slope >= 0) return search.zoom(trial, previous);
    previous = trial;
    step *= 2.5;
  }
  return search.give_up();
}

}  // namespace ardent
