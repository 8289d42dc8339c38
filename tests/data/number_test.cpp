#include "ardent/data/number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "ardent/base/random.h"

namespace ardent {
namespace {

/// scan_number of a text with the padding that it needs.
template <class T>
const char* scan(const std::string& text, T& value, std::size_t& used) {
  static std::string padded;
  padded = text + std::string(32, '\0');
  const char* end = scan_number(padded.data(), padded.data() + text.size(), value);
  used = end ? static_cast<std::size_t>(end - padded.data()) : 0;
  return end;
}

template <class T>
void expect_same_as_the_c_library(const std::string& text) {
  T value = -1;
  std::size_t used = 0;
  ASSERT_TRUE(scan(text, value, used)) << text;
  const T expected = std::is_same_v<T, float> ? static_cast<T>(std::strtof(text.c_str(), nullptr))
                                              : static_cast<T>(std::strtod(text.c_str(), nullptr));
  EXPECT_EQ(used, text.size()) << text;
  EXPECT_EQ(value, expected) << text;
}

std::string random_decimal(Random& random) {
  std::string text;
  const Index sign = random.below(4);
  if (sign < 2) text += sign == 0 ? '-' : '+';
  const Index whole = 1 + random.below(random.below(4) == 0 ? 20 : 3);
  for (Index i = 0; i < whole; ++i) text += static_cast<char>('0' + random.below(10));
  if (random.below(3) > 0) {
    text += '.';
    const Index decimals = random.below(random.below(4) == 0 ? 25 : 12);
    for (Index i = 0; i < decimals; ++i) text += static_cast<char>('0' + random.below(10));
  }
  if (random.below(4) == 0) {
    text += random.below(2) ? 'e' : 'E';
    const Index exponent_sign = random.below(3);
    if (exponent_sign < 2) text += exponent_sign == 0 ? '-' : '+';
    text += std::to_string(random.below(15));
  }
  return text;
}

TEST(Number, RoundsRandomDecimalsAsTheCLibraryDoes) {
  Random random(7);
  for (int i = 0; i < 300000; ++i) {
    const std::string text = random_decimal(random);
    expect_same_as_the_c_library<double>(text);
    expect_same_as_the_c_library<float>(text);
    if (HasFailure()) break;
  }
}

TEST(Number, RoundsDecimalsNextToTheMiddleOfTwoFloatsOnce) {
  // Rounding to double first and then to float would round these twice, the wrong way.
  Random random(8);
  for (int i = 0; i < 20000; ++i) {
    const auto bits = static_cast<std::uint32_t>(0x3f800000 + random.below(0x2000000));
    const auto low = static_cast<double>(std::bit_cast<float>(bits));
    const auto high = static_cast<double>(std::bit_cast<float>(bits + 1));
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", 16 + static_cast<int>(random.below(20)),
                  (low + high) / 2);
    expect_same_as_the_c_library<float>(text);
    expect_same_as_the_c_library<float>(std::string(text) + "1");
  }
  for (const char* text : {"1.00000017881393432617187499", "16777217", "16777217.0000001",
                           "16777216.9999999", "1.000000059604644775390625"}) {
    expect_same_as_the_c_library<float>(text);
  }
}

TEST(Number, EdgesOfTheRangeRoundAsTheCLibraryDoes) {
  for (const char* text :
       {"1.7976931348623157e308", "2.2250738585072014e-308", "5e-324", "3e-324", "9007199254740993",
        "9007199254740992", "0.1", "123456789012345678", "5.", ".5", "-.5e1", "+7", "00012",
        "0.000000000000000000000001", "12345678", "1234567.", "0.12345678", "0.123456789012"}) {
    expect_same_as_the_c_library<double>(text);
  }
  for (const char* text : {"3.4028235e38", "1.17549435e-38", "1e-45", "1e-40", "7.1e-46"}) {
    expect_same_as_the_c_library<float>(text);
  }
}

TEST(Number, TooSmallIsZero) {
  for (const std::string& text : {std::string("1e-400"), "0." + std::string(400, '0') + "1",
                                  std::string("-1e-99999999999999999999")}) {
    double value = 1;
    std::size_t used = 0;
    ASSERT_TRUE(scan(text, value, used)) << text;
    EXPECT_EQ(value, 0) << text;
    EXPECT_EQ(used, text.size());
  }
  float value = 1;
  std::size_t used = 0;
  ASSERT_TRUE(scan("1e-50", value, used));
  EXPECT_EQ(value, 0);
}

TEST(Number, TooLargeIsNoNumber) {
  for (const std::string& text :
       {std::string("1e400"), "1" + std::string(400, '0'), std::string("0.001e400"),
        std::string("1e99999999999999999999")}) {
    double value = 0;
    std::size_t used = 0;
    EXPECT_FALSE(scan(text, value, used)) << text;
    EXPECT_EQ(number_fault<double>(text), "is too large") << text;
  }
  float value = 0;
  std::size_t used = 0;
  EXPECT_FALSE(scan("1e39", value, used));
  EXPECT_FALSE(scan("-340282366920938463463374607431768211456", value, used));
  EXPECT_TRUE(scan("340282346638528859811704183484516925440", value, used));
}

TEST(Number, WhatIsNoneIsRefusedWithItsReason) {
  for (const char* text : {"", "-", "+", ".", "e5", "abc", "+-1", "-+1", "--1", "0x10", "1e5e5",
                           "1.2.3", "1,5", "12a"}) {
    EXPECT_EQ(number_fault<double>(text), "is not a number") << text;
    double value = 0;
    EXPECT_FALSE(whole_number(text, value)) << text;
  }
  for (const char* text : {"nan", "inf", "-inf", "+Inf", "NaN", "infinity", "INFINITY"}) {
    EXPECT_EQ(number_fault<double>(text), "is not finite") << text;
    EXPECT_TRUE(is_not_finite(text)) << text;
    double value = 0;
    EXPECT_FALSE(whole_number(text, value)) << text;
    std::size_t used = 0;
    EXPECT_FALSE(scan(text, value, used)) << text;
  }
  for (const char* text : {"1", "info", "nancy", "-", "", "i", "n", "infinite"}) {
    EXPECT_FALSE(is_not_finite(text)) << text;
  }
}

TEST(Number, EndsWhereTheNumberEnds) {
  double value = 0;
  std::size_t used = 0;
  ASSERT_TRUE(scan("1.5 2.5", value, used));
  EXPECT_EQ(used, 3U);
  ASSERT_TRUE(scan("12abc", value, used));
  EXPECT_EQ(used, 2U);
  ASSERT_TRUE(scan("1e", value, used));
  EXPECT_EQ(used, 1U);
}

TEST(DigitRun, CountsAndReadsUpToEight) {
  for (const std::string digits :
       {"", "7", "42", "123", "1234", "98765", "123456", "7654321", "12345678"}) {
    for (const char after : {' ', ':', '.', '/', '\0', 'e', '\xff', '\x80', '\xba'}) {
      const std::string text = digits + std::string(9, after);
      const DigitRun run = digit_run(text.data());
      EXPECT_EQ(run.count, digits.size());
      EXPECT_EQ(run.value, digits.empty() ? 0 : std::stoull(digits)) << digits;
    }
  }
  EXPECT_EQ(digit_run("1234567890123456").value, 12345678U);
  EXPECT_EQ(digit_run("1234567890123456").count, 8U);
}

}  // namespace
}  // namespace ardent
