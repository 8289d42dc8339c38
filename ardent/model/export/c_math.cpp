#include "ardent/model/export/c_math.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <numbers>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"

namespace ardent {
namespace {

constexpr double kLogTwo = std::numbers::ln2;

/// What the code has to know of a floating-point type.
struct CFloat {
  std::string_view bits_type;
  int mantissa_bits;
  int bias;
  double least_exponent;       // exp of less is taken as 0: it would be subnormal
  double log2_high, log2_low;  // the first has few bits: its products with n are exact
  double epsilon;
};

constexpr CFloat kDoubleType{"uint64_t", 52, 1023, -708, 0x1.62e42feep-1, 0x1.a39ef35793c76p-33,
                             0x1p-53};
constexpr CFloat kFloatType{"uint32_t", 23, 127, -87, 0.693359375, kLogTwo - 0.693359375, 0x1p-24};

/// 1/k!, from the highest power down; the first term left out is a quarter of the rounding.
std::vector<double> taylor_coefficients(double largest, double epsilon) {
  std::vector<double> coefficients{1};
  double term = 1;
  for (int k = 1;; ++k) {
    term *= largest / k;
    if (term < epsilon / 4) break;
    coefficients.push_back(coefficients.back() / k);
  }
  return {coefficients.rbegin(), coefficients.rend()};
}

std::string horner(const CSource& source, const std::vector<double>& coefficients,
                   std::string_view variable, std::string_view result) {
  std::string code = fmt::format("    {} = {};\n", result, source.real(coefficients[0]));
  for (std::size_t k = 1; k < coefficients.size(); ++k) {
    code += fmt::format("    {} = {} * {} + {};\n", result, result, variable,
                        source.real(coefficients[k]));
  }
  return code;
}

}  // namespace

void require_table_size(Index entries) {
  const bool power = entries > 1 && std::has_single_bit(static_cast<std::size_t>(entries));
  if (entries == 0 || (power && entries <= kMostExpTable)) return;
  throw InputError(
      fmt::format("the table of exp can have 0 entries or a power of two up to {}, not {}",
                  kMostExpTable, entries));
}

void add_c_exp(CSource& source, const ExportOptions& options) {
  if (options.exp == ExportExp::library) {
    source.add(R"(
static inline @real @name_exp(@real x)
{
    return exp@f(x);
}
)");
    return;
  }
  const CFloat& type = source.single() ? kFloatType : kDoubleType;
  const Index entries = options.exp_table == 0 ? 1 : options.exp_table;
  const auto size = static_cast<double>(entries);
  source.add("\n");
  if (entries > 1) {
    std::vector<double> powers;
    for (Index j = 0; j < entries; ++j) {
      powers.push_back(elementary::exp(static_cast<double>(j) / size * kLogTwo));
    }
    source.add_reals("powers", powers);
  }
  source.add(fmt::format(R"(/* exp of x <= 0 */
static inline @real @name_exp(@real x)
{{
    union {{
        @real value;
        {0} bits;
    }} power;
    @real r, sum;
    int n;
    if (x != x)
        return x;
    if (x < {1})
        return 0;
    n = (int)(x * {2} - {3});
    r = x - (@real)n * {4} - (@real)n * {5};
)",
                         type.bits_type, source.real(type.least_exponent),
                         source.real(size / kLogTwo), source.real(0.5),
                         source.real(type.log2_high / size), source.real(type.log2_low / size)));
  source.add(horner(source, taylor_coefficients(kLogTwo / 2 / size, type.epsilon), "r", "sum"));
  if (entries > 1) {
    source.add(fmt::format(R"(    sum *= @name_powers[n & {0}];
    n = (n - (n & {0})) / {1};
)",
                           entries - 1, entries));
  }
  source.add(fmt::format(R"(    power.bits = ({0})(n + {1}) << {2};
    return sum * power.value;
}}
)",
                         type.bits_type, type.bias, type.mantissa_bits));
}

void add_c_log(CSource& source, const ExportOptions& options) {
  if (options.exp == ExportExp::library) {
    source.add(R"(
static inline @real @name_log(@real x)
{
    return log@f(x);
}
)");
    return;
  }
  const CFloat& type = source.single() ? kFloatType : kDoubleType;
  constexpr double kLargestSquare = 0.0295;  // ((√2 − 1)/(√2 + 1))²
  std::vector<double> coefficients;
  double term = 1;
  for (int k = 0; term > type.epsilon / 4; ++k) {
    coefficients.insert(coefficients.begin(), 2.0 / (2 * k + 1));
    term *= kLargestSquare;
  }
  source.add(fmt::format(R"(
static inline @real @name_log(@real x)
{{
    union {{
        @real value;
        {0} bits;
    }} number;
    @real s, square, sum;
    int n;
    number.value = x;
    n = (int)(number.bits >> {1}) - {2};
    number.bits -= ({0})n << {1};
    if (number.value > {3}) {{
        number.value *= {4};
        n += 1;
    }}
    s = (number.value - {5}) / (number.value + {5});
    square = s * s;
)",
                         type.bits_type, type.mantissa_bits, type.bias,
                         source.real(std::numbers::sqrt2), source.real(0.5), source.real(1)));
  source.add(horner(source, coefficients, "square", "sum"));
  source.add(fmt::format("    return s * sum + (@real)n * {};\n}}\n", source.real(kLogTwo)));
}

void add_c_sigmoid(CSource& source) {
  source.add(R"(
/* 1/(1 + exp(-f)), and 1 less that */
static inline @real @name_sigmoid(@real f, @real *other)
{
    const @real e = @name_exp(f < 0 ? f : -f);
    const @real larger = (@real)1 / ((@real)1 + e);
    const @real smaller = e * larger;
    *other = f < 0 ? larger : smaller;
    return f < 0 ? smaller : larger;
}
)");
}

}  // namespace ardent
