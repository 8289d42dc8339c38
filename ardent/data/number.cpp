#include "ardent/data/number.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <type_traits>

namespace ardent {
namespace {

/// Of a number too large or too small for its type: is it the former? Compares the decimal
/// exponent of the first digit that is not 0 with 0.
bool is_large(std::string_view token) {
  const std::size_t exponent_at = token.find_first_of("eE");
  const std::string_view digits = token.substr(0, exponent_at);
  const std::size_t first = digits.find_first_of("123456789");
  if (first == digits.npos) return false;
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const auto magnitude = static_cast<double>(point) - static_cast<double>(first);
  if (exponent_at == token.npos) return magnitude > 0;
  double exponent = 0;
  for (const char c : token.substr(exponent_at + 1)) {
    if (is_digit(c)) exponent = std::min(1e18, 10 * exponent + (c - '0'));
  }
  const bool negative = token.substr(exponent_at + 1, 1) == "-";
  return magnitude + (negative ? -exponent : exponent) > 0;
}

enum class Verdict { fine, none, infinite, large };

template <class T>
Verdict convert(const char*& p, const char* end, T& value) {
  const char* start = p;
  // from_chars knows no plus sign; after one there must be no other.
  if (start != end && *start == '+') {
    ++start;
    if (start != end && *start == '-') return Verdict::none;
  }
  const auto [stop, code] = std::from_chars(start, end, value);
  if (code == std::errc::invalid_argument) return Verdict::none;
  p = stop;
  const char* first = start + (*start == '-');
  if (!is_digit(*first) && *first != '.') return Verdict::infinite;  // "inf", "nan"
  if (code == std::errc::result_out_of_range || !std::isfinite(value)) {
    if (is_large({start, static_cast<std::size_t>(stop - start)})) return Verdict::large;
    value = 0;
  }
  return Verdict::fine;
}

}  // namespace

template <class T>
const char* scan_any_number(const char* p, const char* end, T& value) {
  return convert(p, end, value) == Verdict::fine ? p : nullptr;
}

template <class T>
std::string_view number_fault(std::string_view token) {
  T value;
  const char* p = token.data();
  const char* const end = p + token.size();
  const Verdict verdict = token.empty() ? Verdict::none : convert(p, end, value);
  if (verdict == Verdict::none || p != end) return "is not a number";
  if (verdict == Verdict::infinite) return "is not finite";
  if (verdict == Verdict::large) {
    return std::is_same_v<T, float> ? "is too large: sparse values are stored in 32 bits"
                                    : "is too large";
  }
  return "";
}

bool whole_number(std::string_view token, double& value) {
  const char* p = token.data();
  const char* const end = p + token.size();
  return !token.empty() && convert(p, end, value) == Verdict::fine && p == end;
}

bool is_not_finite(std::string_view token) {
  if (!token.empty() && (token[0] == '+' || token[0] == '-')) token.remove_prefix(1);
  if (token.empty() || ((token[0] | 0x20) != 'n' && (token[0] | 0x20) != 'i')) return false;
  std::string lower(token.substr(0, 9));
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
  return lower == "nan" || lower == "inf" || lower == "infinity" || lower.substr(0, 4) == "nan(";
}

template const char* scan_any_number(const char*, const char*, float&);
template const char* scan_any_number(const char*, const char*, double&);
template std::string_view number_fault<float>(std::string_view);
template std::string_view number_fault<double>(std::string_view);

}  // namespace ardent
