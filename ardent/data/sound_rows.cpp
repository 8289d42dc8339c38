#include "ardent/data/sound_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

#include "ardent/base/parallel.h"

namespace ardent {
namespace {

/// Looks at exponents as integers, which compilers do many at a time.
template <class Bits, class Number>
bool no_exponent_is(Bits highest, const Number* values, std::size_t count) {
  bool finite = true;
  for (std::size_t i = 0; i < count; ++i) {
    finite &= (std::bit_cast<Bits>(values[i]) & highest) != highest;
  }
  return finite;
}

bool is_sound(const SparseRows& sparse, Index row, bool finite) {
  const std::uint64_t begin = sparse.offsets[row], end = sparse.offsets[row + 1];
  if (begin == end) return true;
  bool good = std::cmp_less(sparse.columns[end - 1], sparse.cols);
  for (std::uint64_t e = begin + 1; e < end; ++e) {
    good &= sparse.columns[e - 1] < sparse.columns[e];
  }
  return good && (!finite || finite_values(sparse.values.data() + begin, end - begin));
}

}  // namespace

bool finite_values(const float* values, std::size_t count) {
  return no_exponent_is(std::uint32_t{0x7f800000}, values, count);
}

bool finite_values(const double* values, std::size_t count) {
  return no_exponent_is(std::uint64_t{0x7ff0000000000000}, values, count);
}

std::string sparse_fault(const SparseRows& sparse, bool finite) {
  const auto& offsets = sparse.offsets;
  if (sparse.rows < 0 || std::ssize(offsets) != sparse.rows + 1 || offsets[0] != 0 ||
      offsets[sparse.rows] != sparse.columns.size() ||
      sparse.values.size() != sparse.columns.size() ||
      !std::is_sorted(offsets.begin(), offsets.end())) {
    return fmt::format("do not fit together: {} rows, {} offsets, {} columns, {} values",
                       sparse.rows, offsets.size(), sparse.columns.size(), sparse.values.size());
  }
  constexpr Index kBlock = 1024;
  std::atomic<Index> first = sparse.rows;
  parallel_blocks(sparse.rows, kBlock, [&](Index begin, Index end) {
    const Index from = begin;
    while (begin < end && is_sound(sparse, begin, finite)) ++begin;
    release_rows(sparse, from, end);
    if (begin == end) return;
    for (Index least = first; begin < least && !first.compare_exchange_weak(least, begin);) {
    }
  });
  if (first == sparse.rows) return "";
  return fmt::format(
      "have columns or values that cannot be: in row {} columns must ascend and be below {}{}",
      first + 1, sparse.cols, finite ? ", and values must be finite as float32" : "");
}

}  // namespace ardent
