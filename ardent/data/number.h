// Decimal text to numbers, correctly rounded always. Short numbers, which is nearly all that data
// files hold, take a path without loops; the rest goes to std::from_chars.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ardent {

inline bool is_digit(char c) {
  return static_cast<unsigned char>(c - '0') < 10;
}

/// Up to eight digits at the start of a text of which at least eight bytes can be read.
struct DigitRun {
  std::uint64_t value;
  unsigned count;  // 8: more may follow
};

inline DigitRun digit_run(const char* p) {
  if constexpr (std::endian::native == std::endian::little) {
    std::uint64_t word;
    std::memcpy(&word, p, sizeof word);
    word ^= 0x3030303030303030;  // digits become 0 … 9
    // A byte of 10 or more gets its high bit; carries spoil only the bytes after the first such.
    const std::uint64_t others = ((word + 0x7676767676767676) | word) & 0x8080808080808080;
    const unsigned count = others ? static_cast<unsigned>(std::countr_zero(others)) / 8 : 8;
    if (count == 0) return {0, 0};
    word <<= 64 - 8 * count;  // as if zeros stood before the digits
    // Neighbours are joined: 8 digits, 4 pairs, 2 fours, one number.
    word = ((word & 0x0f0f0f0f0f0f0f0f) * (10 * 256 + 1)) >> 8;
    word = ((word & 0x00ff00ff00ff00ff) * (100 * 65536 + 1)) >> 16;
    word = ((word & 0x0000ffff0000ffff) * (10000 * (std::uint64_t{1} << 32) + 1)) >> 32;
    return {word, count};
  } else {
    DigitRun run{0, 0};
    while (run.count < 8 && is_digit(p[run.count])) {
      run.value = 10 * run.value + static_cast<unsigned>(p[run.count++] - '0');
    }
    return run;
  }
}

/// Rounds a double, itself rounded from a decimal, to what the decimal would round to. False where
/// the double does not decide: it lies halfway between two floats, or outside their normal range.
inline bool narrow(double value, float& narrowed) {
  narrowed = static_cast<float>(value);
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto exponent = (bits >> 52) & 0x7ff;
  const bool halfway = (bits & 0x1fffffff) == 0x10000000;
  const bool normal = exponent >= 1023 - 126 && exponent < 1023 + 127;
  return (normal && !halfway) || value == 0;
}
inline bool narrow(double value, double& narrowed) {
  narrowed = value;
  return true;
}

/// The general case of scan_number.
template <class T>
const char* scan_any_number(const char* p, const char* end, T& value);

/// Reads the number at p: sign, digits with or without a point, exponent. Returns where it ends, or
/// nullptr if there is none or it is not finite as a T. Too small a number is 0. Text up to `end`
/// belongs to the number; 16 bytes after it must be readable and not a digit at `end`.
template <class T>
inline const char* scan_number(const char* p, const char* end, T& value) {
  static constexpr std::array<double, 17> kTenTo = {
      1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16};
  const char* const start = p;
  const bool negative = *p == '-';
  p += negative || *p == '+';
  DigitRun run = digit_run(p);
  if (run.count == 0 || run.count == 8) return scan_any_number(start, end, value);
  p += run.count;
  std::uint64_t digits = run.value;
  unsigned decimals = 0;
  if (*p == '.') {
    run = digit_run(++p);
    decimals = run.count;
    p += run.count;
    digits = digits * static_cast<std::uint64_t>(kTenTo[run.count]) + run.value;
    if (run.count == 8) {
      run = digit_run(p);
      // At most 7 + 8 + 3 digits: they fit 64 bits.
      if (run.count > 3) return scan_any_number(start, end, value);
      decimals += run.count;
      p += run.count;
      digits = digits * static_cast<std::uint64_t>(kTenTo[run.count]) + run.value;
    }
  }
  // Both are exact as doubles, so that their quotient is the number correctly rounded (Clinger).
  if (digits > (std::uint64_t{1} << 53) || (*p | 0x20) == 'e') {
    return scan_any_number(start, end, value);
  }
  const double quotient = static_cast<double>(digits) / kTenTo[decimals];
  if (!narrow(negative ? -quotient : quotient, value)) return scan_any_number(start, end, value);
  return p;
}

/// What keeps `token` from being a finite number, for a message: "is not a number", "is not
/// finite", "is too large" (for T); empty if nothing does.
template <class T>
std::string_view number_fault(std::string_view token);

/// The number that makes up the whole of `token`, from any memory; false if it is none or not
/// finite.
bool whole_number(std::string_view token, double& value);

/// "nan", "-inf", "Infinity" and the like: what strtod takes for a number that is none of ours.
bool is_not_finite(std::string_view token);

}  // namespace ardent
