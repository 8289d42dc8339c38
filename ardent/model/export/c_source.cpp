#include "ardent/model/export/c_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "ardent/base/error.h"

namespace ardent {
namespace {

constexpr std::size_t kCodeColumns = 96;

std::string in_capitals(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

/// What the nearest float leaves of it.
double rest_of(double value) {
  return value - static_cast<double>(static_cast<float>(value));
}

bool is_ascii_letter_or_digit(unsigned char c) {
  return c < 128 && std::isalnum(c) != 0;
}

}  // namespace

CSource::CSource(std::string name, CNumbers numbers)
    : name_(std::move(name)), capitals_(in_capitals(name_)), numbers_(numbers) {}

void CSource::add(std::string_view code) {
  const std::pair<std::string_view, std::string_view> words[] = {
      {"@name", name_}, {"@NAME", capitals_}, {"@f", single() ? "f" : ""}};
  const std::string real = name_ + "_real", number = paired() ? name_ + "_pair" : real;
  while (!code.empty()) {
    const std::size_t at = code.find('@');
    text_ += code.substr(0, at);
    if (at == std::string_view::npos) return;
    code.remove_prefix(at);
    if (code.starts_with("@real")) {
      text_ += real;
      code.remove_prefix(5);
      continue;
    }
    if (code.starts_with("@number")) {
      text_ += number;
      code.remove_prefix(7);
      continue;
    }
    for (const auto& [word, meaning] : words) {
      if (!code.starts_with(word)) continue;
      text_ += meaning;
      code.remove_prefix(word.size());
      break;
    }
  }
}

std::string CSource::plus(std::string_view a, std::string_view b) const {
  return paired() ? fmt::format("@name_plus({}, {})", a, b) : fmt::format("{} + {}", a, b);
}

std::string CSource::minus(std::string_view a, std::string_view b) const {
  return paired() ? fmt::format("@name_minus({}, {})", a, b) : fmt::format("{} - {}", a, b);
}

std::string CSource::times(std::string_view a, std::string_view b) const {
  return paired() ? fmt::format("@name_times({}, {})", a, b) : fmt::format("{} * {}", a, b);
}

std::string CSource::number_of(std::string_view real) const {
  return paired() ? fmt::format("@name_pair_of({}, 0.0f)", real) : std::string(real);
}

std::string CSource::rounded(std::string_view number) const {
  return paired() ? fmt::format("{}.hi", number) : std::string(number);
}

std::string CSource::number(double value) const {
  if (!paired()) return real(value);
  const std::string leading = real(value);
  return fmt::format("@name_pair_of({}, {})", leading, real(rest_of(value)));
}

std::string CSource::real(double value) const {
  if (single() && std::abs(value) > std::numeric_limits<float>::max()) {
    throw InputError(fmt::format(
        "the model holds the number {:g}, which float cannot: export it in double", value));
  }
  // The shortest text that reads back to the same number.
  std::string text =
      single() ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return single() ? text + "f" : text;
}

void CSource::add_reals(std::string_view name, std::span<const double> values) {
  std::vector<std::string> numbers;
  for (const double value : values) numbers.push_back(real(value));
  if (numbers.empty()) numbers.push_back(real(0));
  constant_bytes_ += std::ssize(numbers) * real_bytes();
  add_array(name_ + "_real", name, numbers);
}

void CSource::add_numbers(std::string_view name, std::span<const double> values) {
  if (!paired()) return add_reals(name, values);
  std::vector<std::string> numbers;
  for (const double value : values) {
    const std::string leading = real(value);
    numbers.push_back(fmt::format("{{{}, {}}}", leading, real(rest_of(value))));
  }
  if (numbers.empty()) numbers.push_back("{0.0f, 0.0f}");
  constant_bytes_ += std::ssize(numbers) * number_bytes();
  add_array(name_ + "_pair", name, numbers);
}

void CSource::add_integers(std::string_view name, std::span<const Index> values) {
  const Index largest = values.empty() ? 0 : *std::ranges::max_element(values);
  const int bytes = largest < 256 ? 1 : largest < 65536 ? 2 : 4;
  std::vector<std::string> numbers;
  for (const Index value : values) numbers.push_back(fmt::format("{}", value));
  if (numbers.empty()) numbers.emplace_back("0");
  constant_bytes_ += std::ssize(numbers) * bytes;
  add_array(bytes == 1 ? "uint8_t" : bytes == 2 ? "uint16_t" : "int32_t", name, numbers);
}

void CSource::add_array(std::string_view type, std::string_view name,
                        const std::vector<std::string>& numbers) {
  text_ += fmt::format("static const {} {}_{}[{}] = {{", type, name_, name, numbers.size());
  std::size_t column = kCodeColumns;
  for (const std::string& number : numbers) {
    if (column + number.size() + 2 > kCodeColumns) {
      text_ += "\n   ";
      column = 3;
    }
    text_ += " " + number + ",";
    column += number.size() + 2;
  }
  text_ += "\n};\n";
}

std::string c_string(std::string_view text) {
  std::string code = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte >= ' ' && byte < 127 && c != '"' && c != '\\' && c != '?';
    code += plain ? std::string(1, c) : fmt::format("\\{:03o}", byte);
  }
  return code + "\"";
}

std::string c_comment(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    const bool plain = is_ascii_letter_or_digit(static_cast<unsigned char>(c)) ||
                       std::string_view(" _.,:;=()%+-").find(c) != std::string_view::npos ||
                       static_cast<unsigned char>(c) >= 128;
    safe += plain ? c : '_';
  }
  return safe;
}

}  // namespace ardent
