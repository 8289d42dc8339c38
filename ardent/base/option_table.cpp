#include "ardent/base/option_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "ardent/base/error.h"

namespace ardent {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& rule, std::string_view text) {
  throw InputError(fmt::format("--{} must be {}, not {}", name, rule, in_quotes(text)));
}

/// The whole text as a number, or nothing.
template <class Number>
bool parse(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

std::string join(const std::vector<std::string>& words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

}  // namespace

void OptionTable::add(std::string name, double& field, std::string help, double above,
                      std::string zero_name) {
  const std::string rule = zero_name.empty()
                               ? fmt::format("a number > {:g}", above)
                               : fmt::format("{} or a number > {:g}", zero_name, above);
  auto get = [&field, zero_name] {
    return !zero_name.empty() && field == 0 ? zero_name : fmt::format("{}", field);
  };
  auto set = [&field, name, rule, above, zero_name](std::string_view text) {
    double number = 0;
    if (!zero_name.empty() && text == zero_name) {
      field = 0;
    } else if (parse(text, number) && std::isfinite(number) && number > above) {
      field = number;
    } else {
      refuse(name, rule, text);
    }
  };
  options_.push_back({std::move(name), rule, std::move(help), get, set});
}

void OptionTable::add(std::string name, Index& field, std::string help, Index at_least) {
  const std::string rule = fmt::format("a whole number >= {}", at_least);
  auto get = [&field] { return fmt::format("{}", field); };
  auto set = [&field, name, rule, at_least](std::string_view text) {
    Index number = 0;
    if (!parse(text, number) || number < at_least) refuse(name, rule, text);
    field = number;
  };
  options_.push_back({std::move(name), rule, std::move(help), get, set});
}

void OptionTable::add(std::string name, std::uint64_t& field, std::string help) {
  const std::string rule = "a whole number from 0 to 2^64−1";
  auto get = [&field] { return fmt::format("{}", field); };
  auto set = [&field, name, rule](std::string_view text) {
    std::uint64_t number = 0;
    if (!parse(text, number)) refuse(name, rule, text);
    field = number;
  };
  options_.push_back({std::move(name), rule, std::move(help), get, set});
}

void OptionTable::add(std::string name, bool& field, std::string help) {
  auto get = [&field] { return std::string(field ? "on" : "off"); };
  auto set = [&field, name](std::string_view text) {
    if (text != "on" && text != "off") refuse(name, "on or off", text);
    field = text == "on";
  };
  options_.push_back({std::move(name), "on|off", std::move(help), get, set});
}

void OptionTable::add(std::string name, std::string& field, std::string help,
                      std::vector<std::string> choices) {
  const std::string rule = join(choices, "|");
  auto get = [&field] { return field; };
  auto set = [&field, name, choices](std::string_view text) {
    if (std::find(choices.begin(), choices.end(), text) == choices.end()) {
      refuse(name, "one of " + join(choices, ", "), text);
    }
    field = text;
  };
  options_.push_back({std::move(name), rule, std::move(help), get, set});
}

void OptionTable::set(std::string_view name, std::string_view text) {
  std::vector<std::string> names;
  for (const Option& option : options_) {
    if (option.name == name) return option.set(text);
    names.push_back(option.name);
  }
  throw InputError(
      fmt::format("there is no option {}; there are: {}", in_quotes(name), join(names, ", ")));
}

std::map<std::string, std::string> OptionTable::values() const {
  std::map<std::string, std::string> values;
  for (const Option& option : options_) values[option.name] = option.get();
  return values;
}

}  // namespace ardent
