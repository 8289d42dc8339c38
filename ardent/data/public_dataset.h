// What a public Dataset (include/ardent/dataset.h) holds.
#pragma once

#include "ardent/data/dataset.h"
#include "ardent/data/read_options.h"
#include "ardent/dataset.h"

namespace ardent {

struct v0::Dataset::Held {
  ardent::Dataset data;
};

v0::Dataset published(Dataset data);

/// The numbers of a public matrix as our own rows, and back.
DenseRows internal_rows(const v0::Matrix& matrix);
v0::Matrix public_matrix(const Matrix& matrix);

ReadOptions internal_options(const v0::ReadOptions& options);

/// InputError naming row and column of the first number that is not finite.
void require_finite(const v0::Matrix& matrix, std::string_view what);

}  // namespace ardent
