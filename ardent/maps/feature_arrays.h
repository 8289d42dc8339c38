// Matrices of a model: checked, written to its file, read back.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "ardent/base/error.h"
#include "ardent/data/matrix_arrays.h"

namespace ardent {

/// Throws InputError "the model …" unless it holds.
template <class... Arguments>
void require_of_model(bool holds, fmt::format_string<Arguments...> message,
                      const Arguments&... arguments) {
  if (holds) return;
  throw InputError("the model " + fmt::vformat(message, fmt::make_format_args(arguments...)));
}

template <class Numbers>
bool all_finite(const Numbers& numbers) {
  return std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); });
}

/// InputError unless each of `count` basis functions has its origin.
void check_origin(const std::vector<Index>& origin, Index count);

/// InputError unless the sizes fit together and every number is finite; `what` is its plural.
void check_rows(const DenseRows& dense, std::string_view what);

/// The same of training rows that a model keeps, dense or sparse: all that it keeps are one or the
/// other.
inline constexpr const char* kCentresName = "basis.centres";
void check_centres(const Features& centres, Index inputs);
void add_centres(ContainerWriter& file, const Features& centres,
                 const std::string& name = kCentresName);
Features read_centres(const Container& file, Index inputs, const std::string& name = kCentresName);

}  // namespace ardent
