// The results of a grid search as a text table, as JSON and as CSV.
#pragma once

#include <string>

#include "ardent/estimators/grid_search.h"
#include "describe.h"

namespace ardent::cli {

/// One row per point in the order of the grid, the best marked, and a line on what was picked.
std::string describe_grid(const Grid& grid, const GridResult& result);

/// {"pick": …, "grid": [{"options": {…}, "accuracy": {"mean": …, "sd": …}, …}, …], "best": {…}}.
/// Where points were fitted once, without folds, a score is a number.
Json grid_json(const Grid& grid, const GridResult& result);

/// One row per point: each option of the grid, then mean and sd of each score (or the score
/// itself). Numbers read back to the same bits.
std::string grid_csv(const Grid& grid, const GridResult& result);

}  // namespace ardent::cli
