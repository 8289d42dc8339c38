#include "ardent/model/export/c_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <vector>

#include "ardent/base/elementary.h"

namespace ardent {
namespace {

constexpr double kMostRemainder = 0.022;  // s^7/7! is beyond the last bit of a pair
constexpr double kLeastExponent = -87;    // exp of less is taken as 0: it would be subnormal

constexpr std::string_view kType = R"(
#ifdef __FAST_MATH__
#error "pairs of floats need float operations as IEEE 754 has them: leave out -ffast-math"
#endif

/* A number hi + lo: some 46 bits */
typedef struct {
    float hi, lo;
} @name_pair;

static inline @name_pair @name_pair_of(float hi, float lo)
{
    @name_pair p;
    p.hi = hi;
    p.lo = lo;
    return p;
}

/* hi + lo anew, with all of the leading bits in hi */
static inline @name_pair @name_tidy(float hi, float lo)
{
    const float sum = hi + lo;
    return @name_pair_of(sum, lo - (sum - hi));
}

static inline @name_pair @name_plus(@name_pair a, @name_pair b)
{
    const float sum = a.hi + b.hi, of_b = sum - a.hi;
    const float lost = (a.hi - (sum - of_b)) + (b.hi - of_b);
    return @name_tidy(sum, lost + (a.lo + b.lo));
}

static inline @name_pair @name_minus(@name_pair a, @name_pair b)
{
    return @name_plus(a, @name_pair_of(-b.hi, -b.lo));
}

/* What rounding takes from a b */
static inline float @name_product_lost(float a, float b, float product)
{
#ifdef __FP_FAST_FMAF
    return __builtin_fmaf(a, b, -product);
#else
    const float a_long = a * 4097.0f, b_long = b * 4097.0f;
    const float a1 = a_long - (a_long - a), b1 = b_long - (b_long - b);
    const float a2 = a - a1, b2 = b - b1;
    return ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2;
#endif
}

static inline @name_pair @name_times(@name_pair a, @name_pair b)
{
    const float product = a.hi * b.hi;
    return @name_tidy(product, @name_product_lost(a.hi, b.hi, product) + (a.hi * b.lo + a.lo * b.hi));
}
)";

constexpr std::string_view kInverse = R"(
static inline @name_pair @name_inverse(@name_pair a)
{
    const float about = 1.0f / a.hi;
    const @name_pair off = @name_minus(@name_pair_of(1.0f, 0.0f), @name_times(@name_pair_of(about, 0.0f), a));
    return @name_tidy(about, about * off.hi);
}

static inline @name_pair @name_root(@name_pair a)
{
    const float about = sqrtf(a.hi);
    const @name_pair off = @name_minus(a, @name_times(@name_pair_of(about, 0.0f), @name_pair_of(about, 0.0f)));
    return about > 0 ? @name_tidy(about, off.hi / (2.0f * about)) : a;
}
)";

}  // namespace

void add_c_pairs(CSource& source) {
  source.add(kType);
  source.add(kInverse);
}

void add_c_pair_exp(CSource& source, const ExportOptions& options) {
  const Index entries = std::max<Index>(1, options.exp_table);
  const auto size = static_cast<double>(entries);
  int squarings = 0;
  double scale = 1;
  for (; std::numbers::ln2 / 2 / size * scale > kMostRemainder; ++squarings) scale /= 2;
  source.add("\n");
  if (entries > 1) {
    std::vector<double> powers;
    for (Index j = 0; j < entries; ++j) {
      powers.push_back(elementary::exp(static_cast<double>(j) / size * std::numbers::ln2));
    }
    source.add_numbers("powers", powers);
  }
  source.add(fmt::format(R"(/* exp of x <= 0 */
static inline @name_pair @name_pair_exp(@name_pair x)
{{
    union {{
        float value;
        uint32_t bits;
    }} power;
    @name_pair s, e;
    float tail;
    int n, k;
    if (x.hi != x.hi)
        return x;
    if (x.hi < {0})
        return @name_pair_of(0.0f, 0.0f);
    n = (int)(x.hi * {1} - 0.5f);
    s = @name_minus(x, @name_times(@name_pair_of((float)n, 0.0f), {2}));
    s.hi *= {3};
    s.lo *= {3};
    tail = s.hi * s.hi * s.hi * ({4} + s.hi * ({5} + s.hi * ({6} + s.hi * {7})));
    e = @name_times(s, s);
    e = @name_plus(@name_plus(s, @name_pair_of(e.hi * 0.5f, e.lo * 0.5f)), @name_pair_of(tail, 0.0f));
    e = @name_plus(@name_pair_of(1.0f, 0.0f), e);
    for (k = 0; k < {8}; ++k)
        e = @name_times(e, e);
)",
                         source.real(kLeastExponent), source.real(size / std::numbers::ln2),
                         source.number(std::numbers::ln2 / size), source.real(scale),
                         source.real(1.0 / 6), source.real(1.0 / 24), source.real(1.0 / 120),
                         source.real(1.0 / 720), squarings));
  if (entries > 1) {
    source.add(fmt::format(R"(    e = @name_times(e, @name_powers[n & {0}]);
    n = (n - (n & {0})) / {1};
)",
                           entries - 1, entries));
  }
  source.add(R"(    power.bits = (uint32_t)(n + 127) << 23;
    return @name_pair_of(e.hi * power.value, e.lo * power.value);
}

static inline float @name_exp(float x)
{
    return @name_pair_exp(@name_pair_of(x, 0.0f)).hi;
}
)");
}

void add_c_pair_sigmoid(CSource& source) {
  source.add(R"(
static inline @name_pair @name_pair_sigmoid(@name_pair f)
{
    const @name_pair one = @name_pair_of(1.0f, 0.0f);
    const @name_pair e = @name_pair_exp(f.hi < 0 ? f : @name_minus(@name_pair_of(0.0f, 0.0f), f));
    const @name_pair larger = @name_inverse(@name_plus(one, e));
    return f.hi < 0 ? @name_times(e, larger) : larger;
}
)");
}

}  // namespace ardent
