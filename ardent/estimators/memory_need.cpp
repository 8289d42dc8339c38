#include "ardent/estimators/memory_need.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ardent/base/error.h"
#include "ardent/base/memory_limit.h"
#include "ardent/base/parallel.h"
#include "ardent/estimators/sparse_choice.h"
#include "ardent/maps/linear.h"

namespace ardent {
namespace {

constexpr std::array<std::string_view, 5> kStreamingEngines{"diagonal", "probes", "dqn",
                                                            "shrinkage", "path"};
constexpr double kFoldLanes = 5;         // folds of shrinkage, side by side
constexpr double kRowVectors = 12;       // of an engine
constexpr double kColumnVectors = 14;    // of an engine, its design and the scaling
constexpr double kRowVectorsByLane = 9;  // of shrinkage
constexpr double kColumnVectorsByLane = 3;

std::string engine_of(const Dataset& data, const TrainOptions& options) {
  if (prefers_shrinkage(data, options)) return "shrinkage";
  return choose_engine(options.engine, options.map, data.rows(), data.cols());
}

/// Parts of the model that are fitted at once.
double parts_at_once(const Dataset& data, const TrainOptions& options) {
  if (resolve_task(data.labels, options.task) == Task::regression) return 1;
  const auto classes = static_cast<double>(make_classes(data.labels).size());
  return classes <= 2 ? 1 : std::min(classes, static_cast<double>(threads()));
}

}  // namespace

double vector_bytes(const Dataset& data, const TrainOptions& options) {
  const auto n = static_cast<double>(data.rows()), m = static_cast<double>(data.cols());
  double by_part = kRowVectors * n + kColumnVectors * m;
  if (engine_of(data, options) == "shrinkage") {
    by_part += kFoldLanes * (kRowVectorsByLane * n + kColumnVectorsByLane * m);
  }
  return 8 * (by_part * parts_at_once(data, options) + 3 * n);
}

void require_memory(const Dataset& data, const TrainOptions& options) {
  const auto limit = static_cast<double>(memory_limit());
  if (limit == 0) return;
  const auto refuse = [&](const std::string& why, std::string_view remedy) {
    throw InputError(fmt::format("{}: {}, more than {} of memory has room for: {}", data.source,
                                 why, memory_text(memory_limit()), remedy));
  };
  if (options.map != LinearMap::kName) {
    refuse(fmt::format("the map {} needs its rows in memory", options.map),
           "use the linear map, fewer rows, or more memory (--memory)");
  }
  if (!is_sparse(data.features)) {
    refuse(fmt::format("dense features take {} twice",
                       memory_text(static_cast<std::size_t>(dense_bytes(data.features)))),
           "only sparse features are left on disk; use fewer rows, or more memory (--memory)");
  }
  const std::string engine = engine_of(data, options);
  if (!std::ranges::count(kStreamingEngines, engine)) {
    refuse(fmt::format("the engine {} needs its columns in memory", engine),
           "use --engine diagonal, or more memory (--memory)");
  }
  const double vectors = vector_bytes(data, options);
  if (vectors > limit / 2) {
    refuse(fmt::format("the vectors of the engine {} over {} rows and {} columns take {}, half of "
                       "the memory is for them",
                       engine, data.rows(), data.cols(),
                       memory_text(static_cast<std::size_t>(vectors))),
           engine == "shrinkage" ? "use more memory (--memory), fewer threads where classes are "
                                   "many, or --engine diagonal, whose vectors are a quarter"
                                 : "use more memory (--memory), or fewer threads where classes are "
                                   "many");
  }
}

}  // namespace ardent
