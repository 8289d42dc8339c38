#include "ardent/data/numeric_array.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"

namespace ardent {
namespace {

template <std::size_t size>
auto unsigned_of_size() {
  if constexpr (size == 1) return std::uint8_t{};
  if constexpr (size == 2) return std::uint16_t{};
  if constexpr (size == 4) return std::uint32_t{};
  if constexpr (size == 8) return std::uint64_t{};
}

template <class T, bool swap>
double load(const char* from) {
  using Bits = decltype(unsigned_of_size<sizeof(T)>());
  Bits bits;
  std::memcpy(&bits, from, sizeof bits);
  if constexpr (swap && sizeof(T) == 2) bits = __builtin_bswap16(bits);
  if constexpr (swap && sizeof(T) == 4) bits = __builtin_bswap32(bits);
  if constexpr (swap && sizeof(T) == 8) bits = __builtin_bswap64(bits);
  return static_cast<double>(std::bit_cast<T>(bits));
}

using Load = double (*)(const char*);

template <class T>
Load load_in_order(bool big_endian) {
  const bool native = big_endian == (std::endian::native == std::endian::big);
  return native ? load<T, false> : load<T, true>;
}

Load load_of(NumberType type, bool big_endian) {
  switch (type) {
    case NumberType::f4:
      return load_in_order<float>(big_endian);
    case NumberType::f8:
      return load_in_order<double>(big_endian);
    case NumberType::i1:
      return load_in_order<std::int8_t>(big_endian);
    case NumberType::i2:
      return load_in_order<std::int16_t>(big_endian);
    case NumberType::i4:
      return load_in_order<std::int32_t>(big_endian);
    case NumberType::i8:
      return load_in_order<std::int64_t>(big_endian);
    case NumberType::u1:
      return load_in_order<std::uint8_t>(big_endian);
    case NumberType::u2:
      return load_in_order<std::uint16_t>(big_endian);
    case NumberType::u4:
      return load_in_order<std::uint32_t>(big_endian);
    case NumberType::u8:
      return load_in_order<std::uint64_t>(big_endian);
  }
  return nullptr;
}

/// Number of elements, after a check that the payload holds just so many.
std::uint64_t checked_count(const NumericArray& array, const std::string& name) {
  const std::string shape = fmt::format("({})", fmt::join(array.shape, ", "));
  std::uint64_t bytes = size_of(array.type);
  bool fits = true;
  for (const std::uint64_t extent : array.shape) {
    if (extent == 0) throw InputError(fmt::format("{}: shape {} holds nothing", name, shape));
    fits = fits && extent <= array.payload.size() && bytes <= array.payload.size() / extent;
    if (fits) bytes *= extent;
  }
  if (!fits || bytes != array.payload.size()) {
    throw InputError(
        fmt::format("{}: shape {} of {}-byte numbers does not fit the {} bytes after "
                    "the header; the file is truncated or damaged",
                    name, shape, size_of(array.type), array.payload.size()));
  }
  return bytes / size_of(array.type);
}

/// Where column c (the trailing indices in C order) starts in a column-major array, in elements.
std::vector<std::uint64_t> column_starts(const NumericArray& array, std::uint64_t cols) {
  std::vector<std::uint64_t> starts(cols);
  for (std::uint64_t c = 0; c < cols; ++c) {
    std::uint64_t rest = c;
    std::uint64_t inner = 1;
    for (std::size_t d = 1; d < array.shape.size(); ++d) inner *= array.shape[d];
    std::uint64_t stride = array.shape[0];
    for (std::size_t d = 1; d < array.shape.size(); ++d) {
      inner /= array.shape[d];
      starts[c] += rest / inner * stride;
      rest %= inner;
      stride *= array.shape[d];
    }
  }
  return starts;
}

}  // namespace

std::size_t size_of(NumberType type) {
  switch (type) {
    case NumberType::i1:
    case NumberType::u1:
      return 1;
    case NumberType::i2:
    case NumberType::u2:
      return 2;
    case NumberType::f4:
    case NumberType::i4:
    case NumberType::u4:
      return 4;
    default:
      return 8;
  }
}

DenseRows dense_rows(const NumericArray& array, const std::string& name, Missing missing) {
  const std::uint64_t count = checked_count(array, name);
  const std::uint64_t cols = count / array.rows();
  DenseRows dense{static_cast<Index>(array.rows()), static_cast<Index>(cols),
                  Buffer<double>::allocate(count)};
  const auto starts =
      array.column_major ? column_starts(array, cols) : std::vector<std::uint64_t>{};
  const std::uint64_t row_step = array.column_major ? 1 : cols;
  const std::size_t width = size_of(array.type);
  const Load load_number = load_of(array.type, array.big_endian);
  double* const values = dense.values.mutable_data();
  const Index block = std::max<Index>(1, Index{1 << 16} / static_cast<Index>(cols));
  parallel_blocks(dense.rows, block, [&](Index begin, Index end) {
    for (auto i = static_cast<std::uint64_t>(begin); i < static_cast<std::uint64_t>(end); ++i) {
      for (std::uint64_t c = 0; c < cols; ++c) {
        const std::uint64_t element = i * row_step + (array.column_major ? starts[c] : c);
        const double value = load_number(array.payload.data() + element * width);
        if (!std::isfinite(value)) {
          if (missing == Missing::allowed) {
            values[i * cols + c] = std::numeric_limits<double>::quiet_NaN();
            continue;
          }
          throw InputError(fmt::format("{}: row {}, column {} is {}; values must be finite", name,
                                       i + 1, c + 1, value));
        }
        values[i * cols + c] = value;
      }
    }
  });
  return dense;
}

}  // namespace ardent
