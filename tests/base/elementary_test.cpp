// Each function against long double, which has 11 bits more or better, in units in the last place.
#include "ardent/base/elementary.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "ardent/base/random.h"

namespace ardent::elementary {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kSmallest = std::numeric_limits<double>::denorm_min();

double error_in_ulp(double value, long double exact) {
  const double size = std::abs(static_cast<double>(exact));
  const double unit = std::nextafter(size, kInfinity) - size;
  return static_cast<double>(std::abs(value - exact) / unit);
}

struct Range {
  double from, to;
  bool log_scale = false;
};

/// The largest error over points drawn evenly, or evenly in the logarithm.
template <class Ours, class Exact>
double worst(Ours ours, Exact exact, const Range& range) {
  Random random(1);
  double largest = 0;
  for (int i = 0; i < 100000; ++i) {
    const double x = range.log_scale
                         ? range.from * std::pow(range.to / range.from, random.uniform())
                         : random.uniform(range.from, range.to);
    largest = std::max(largest, error_in_ulp(ours(x), exact(static_cast<long double>(x))));
  }
  return largest;
}

template <class Ours, class Exact>
void expect_within(double ulp, Ours ours, Exact exact, const std::vector<Range>& ranges) {
  for (const Range& range : ranges) {
    const double found = worst(ours, exact, range);
    EXPECT_LE(found, ulp) << "between " << range.from << " and " << range.to;
  }
}

TEST(Elementary, ExpIsWithinOneUlp) {
  expect_within(1, exp, expl,
                {{-1, 1}, {-20, 20}, {-745.1, -700}, {-708, 709.7}, {1e-20, 1, true}});
}

TEST(Elementary, Expm1IsWithinTwoUlp) {
  expect_within(2, expm1, expm1l, {{-2, 2}, {0.3, 0.4}, {-50, 50}, {1e-300, 700, true}});
}

TEST(Elementary, LogIsWithinOneUlp) {
  expect_within(1, log, logl,
                {{0.5, 2}, {0.99, 1.01}, {1e-307, 1e308, true}, {5e-324, 1e-307, true}});
}

TEST(Elementary, Log1pIsWithinOneUlp) {
  expect_within(1, log1p, log1pl, {{-0.9999, 2}, {-0.3, 0.5}, {1e-300, 1e300, true}});
}

TEST(Elementary, TanhIsWithinThreeUlp) {
  expect_within(3, tanh, tanhl, {{-3, 3}, {0.4, 0.6}, {1e-300, 25, true}});
}

TEST(Elementary, ErfIsWithinTwoUlp) {
  expect_within(2, erf, erfl, {{-3, 3}, {0.9, 1.1}, {1e-300, 7, true}});
}

TEST(Elementary, ErfcIsWithinSixUlp) {
  expect_within(6, erfc, erfcl, {{-3, 3}, {0.4, 0.6}, {0.5, 26.5}, {26.5, 27.4}, {-7, 0}});
}

TEST(Elementary, LogGammaIsWithinSixUlp) {
  expect_within(6, log_gamma, lgammal,
                {{1e-300, 1, true}, {0.5, 2}, {1.99, 2.1}, {2, 12}, {9, 1e16, true}});
}

TEST(Elementary, PowerIsWithinItsBound) {
  Random random(2);
  for (int i = 0; i < 100000; ++i) {
    const double x = std::pow(10.0, random.uniform(-30, 30)), y = random.uniform(-9, 9);
    const long double exact = powl(x, y);
    const double bound = (1 + std::abs(y * std::log(x))) * 0x1p-52;
    EXPECT_LE(static_cast<double>(std::abs(power(x, y) / exact - 1)), bound) << x << "^" << y;
  }
  EXPECT_EQ(power(0.3, 1), 0.3);
  EXPECT_EQ(power(0.3, 0), 1);
}

TEST(Elementary, LengthOfAVector) {
  EXPECT_EQ(length(3, 4), 5);
  EXPECT_EQ(length(-2, 3, 6), 7);
  Random random(3);
  for (int i = 0; i < 100000; ++i) {
    const double x = random.normal(), y = random.normal();
    EXPECT_LE(error_in_ulp(length(x, y), hypotl(x, y)), 1.5);
  }
}

TEST(Elementary, ValuesAtTheEnds) {
  EXPECT_EQ(exp(0), 1);
  EXPECT_EQ(exp(kInfinity), kInfinity);
  EXPECT_EQ(exp(-kInfinity), 0);
  EXPECT_EQ(exp(709.79), kInfinity);
  EXPECT_LT(exp(709.78), kInfinity);
  EXPECT_EQ(exp(-745.1), kSmallest);
  EXPECT_EQ(exp(-745.2), 0);
  EXPECT_EQ(exp(-1e300), 0);
  EXPECT_EQ(expm1(-kInfinity), -1);
  EXPECT_EQ(expm1(kInfinity), kInfinity);
  EXPECT_EQ(log(1), 0);
  EXPECT_EQ(log(0), -kInfinity);
  EXPECT_EQ(log(-0.0), -kInfinity);
  EXPECT_EQ(log(kInfinity), kInfinity);
  EXPECT_EQ(log1p(-1), -kInfinity);
  EXPECT_EQ(log1p(kInfinity), kInfinity);
  EXPECT_EQ(tanh(kInfinity), 1);
  EXPECT_EQ(tanh(-30), -1);
  EXPECT_EQ(erf(kInfinity), 1);
  EXPECT_EQ(erf(-7), -1);
  EXPECT_EQ(erfc(kInfinity), 0);
  EXPECT_EQ(erfc(-kInfinity), 2);
  EXPECT_EQ(erfc(0), 1);
  EXPECT_EQ(log_gamma(1), 0);
  EXPECT_EQ(log_gamma(2), 0);
  EXPECT_EQ(log_gamma(0), kInfinity);
  EXPECT_EQ(log_gamma(kInfinity), kInfinity);
}

TEST(Elementary, NotANumberStaysOne) {
  for (double (*f)(double) : {exp, expm1, log, log1p, tanh, erf, erfc, log_gamma}) {
    EXPECT_TRUE(std::isnan(f(kNan)));
  }
  for (double (*f)(double) : {log, log_gamma}) EXPECT_TRUE(std::isnan(f(-1e-300)));
  EXPECT_TRUE(std::isnan(log(-kInfinity)));
  EXPECT_TRUE(std::isnan(log1p(-1.5)));
}

TEST(Elementary, OddFunctionsKeepTheSignOfZeroAndOfTheSmallest) {
  for (double (*f)(double) : {expm1, log1p, tanh, erf}) {
    EXPECT_EQ(f(0), 0);
    EXPECT_TRUE(std::signbit(f(-0.0)));
    EXPECT_EQ(f(-kSmallest), -kSmallest);
  }
}

// The ends of an array are computed one by one, the middle in vectors: the bits must not tell.
TEST(Elementary, ManyExponentialsHaveTheBitsOfOne) {
  Random random(4);
  std::vector<double> x;
  for (int i = 0; i < 1000; ++i) x.push_back(random.uniform(-750, 720));
  x.insert(x.end(), {0, -0.0, kInfinity, -kInfinity, kNan, kSmallest, -745.1, 709.78});
  for (std::size_t begin = 0; begin < 9; ++begin) {
    for (const std::size_t dropped : {0, 1, 2, 3, 5, 7}) {
      std::vector<double> values(x);
      const std::size_t count = x.size() - begin - dropped;
      exp_in_place(values.data() + begin, static_cast<Index>(count));
      for (std::size_t i = begin; i < begin + count; ++i) {
        const double one = exp(x[i]);
        ASSERT_TRUE(std::isnan(one) ? std::isnan(values[i]) : one == values[i]) << x[i];
      }
    }
  }
}

TEST(Elementary, ManyLogarithmsAtOnceHaveTheBitsOfOne) {
  Random random(7);
  std::vector<double> x{0, 1, 5e-324, 0x1p-54, 0x1.a827999fcef32p-2, 0x1.a827999fcef34p-2};
  for (int i = 0; i < 20000; ++i) x.push_back(random.uniform());
  for (int i = 0; i < 20000; ++i) x.push_back(exp(-750 * random.uniform()));
  std::vector<double> values(x);
  log1p_up_to_one_in_place(values.data(), static_cast<Index>(values.size()));
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(log1p(x[i]), values[i]) << x[i];
}

// The same everywhere: some bits of the build for x86-64-v3, which fuses products and sums.
#ifdef __FP_FAST_FMA
TEST(Elementary, BitsAreThoseOfEveryOtherMachine) {
  Random random(5);
  std::uint64_t hash = 14695981039346656037u;
  for (double (*f)(double) : {exp, expm1, log, log1p, tanh, erf, erfc, log_gamma}) {
    for (int i = 0; i < 5000; ++i) {
      hash = (hash ^ std::bit_cast<std::uint64_t>(f(random.uniform(0, 20)))) * 1099511628211u;
    }
  }
  EXPECT_EQ(hash, 13303770304711163713u);
}
#endif

}  // namespace
}  // namespace ardent::elementary
