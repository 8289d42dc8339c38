#include "ardent/base/option_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "ardent/base/error.h"

namespace ardent {
namespace {

/// The whole text as a number, or nothing.
template <class Number>
bool parse(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

std::string join(const std::vector<std::string>& words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

std::string either(const std::vector<std::string>& words) {
  if (words.size() == 1) return words[0];
  return join({words.begin(), words.end() - 1}, ", ") + " or " + words.back();
}

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

bool NumberRule::holds(double x) const {
  return std::isfinite(x) && (low_is_in ? x >= low : x > low) &&
         (high_is_in ? x <= high : x < high);
}

std::string NumberRule::text() const {
  std::string text = "a number";
  if (std::isfinite(low)) text += fmt::format(" {} {:g}", low_is_in ? ">=" : ">", low);
  if (std::isfinite(high)) text += fmt::format(" and {} {:g}", high_is_in ? "<=" : "<", high);
  return text;
}

Option& Option::needing(Condition condition) {
  needs.push_back(std::move(condition));
  return *this;
}

Option& Option::also_in(std::string group) {
  groups.push_back(std::move(group));
  return *this;
}

std::string keyword_of(std::string_view name) {
  if (name == "lambda") return "lam";  // `lambda` is a word of the language
  // scikit-learn's words for scikit-learn's things.
  if (name == "seed") return "random_state";
  if (name == "bias") return "fit_intercept";
  if (name == "max-stages") return "max_iter";
  if (name == "tolerance") return "tol";
  std::string keyword(name);
  std::replace(keyword.begin(), keyword.end(), '-', '_');
  return keyword;
}

void Schema::group(std::string name, std::vector<Condition> needs) {
  group_ = std::move(name);
  needs_ = std::move(needs);
}

Option& Schema::add(Option option) {
  if (!group_.empty()) option.groups.insert(option.groups.begin(), group_);
  option.needs.insert(option.needs.begin(), needs_.begin(), needs_.end());
  options_.push_back(std::move(option));
  return options_.back();
}

void Schema::include(Schema other) {
  for (Option& option : other.options_) add(std::move(option));
}

Option& Schema::add(std::string name, double& field, std::string help, NumberRule rule,
                    std::string word, double word_value) {
  const std::string values = word.empty() ? rule.text() : word + " or " + rule.text();
  auto get = [&field, word, word_value] {
    return !word.empty() && field == word_value ? word : fmt::format("{}", field);
  };
  auto set = [&field, rule, word, word_value](std::string_view text) {
    double number = word_value;
    const bool named = !word.empty() && text == word;
    if (!named && !(parse(text, number) && rule.holds(number))) return false;
    field = number;
    return true;
  };
  return add(Option{std::move(name), OptionKind::number, values, std::move(help), get, set});
}

Option& Schema::add(std::string name, Index& field, std::string help, Index least) {
  auto get = [&field] { return fmt::format("{}", field); };
  auto set = [&field, least](std::string_view text) {
    Index number = 0;
    if (!parse(text, number) || number < least) return false;
    field = number;
    return true;
  };
  return add(Option{std::move(name), OptionKind::whole, fmt::format("a whole number >= {}", least),
                    std::move(help), get, set});
}

Option& Schema::add(std::string name, std::uint64_t& field, std::string help) {
  auto get = [&field] { return fmt::format("{}", field); };
  auto set = [&field](std::string_view text) {
    std::uint64_t number = 0;
    if (!parse(text, number)) return false;
    field = number;
    return true;
  };
  return add(Option{std::move(name), OptionKind::whole, "a whole number from 0 to 2^64−1",
                    std::move(help), get, set});
}

Option& Schema::add(std::string name, bool& field, std::string help) {
  Option& option = add_choice(
      std::move(name), std::move(help), {"on", "off"}, [&field] { return field ? 0U : 1U; },
      [&field](std::size_t place) { field = place == 0; });
  option.kind = OptionKind::on_off;
  return option;
}

Option& Schema::add_flag(std::string name, bool& field, std::string help) {
  Option& option = add(std::move(name), field, std::move(help));
  option.kind = OptionKind::flag;
  option.values = "";
  return option;
}

Option& Schema::add(std::string name, std::string& field, std::string help,
                    std::vector<std::string> choices) {
  auto set = [&field, choices](std::string_view text) {
    if (!contains(choices, text)) return false;
    field = text;
    return true;
  };
  const std::string values = join(choices, "|");
  return add(Option{std::move(name), OptionKind::choice, values, std::move(help),
                    [&field] { return field; }, set, std::move(choices)});
}

Option& Schema::add_choice(std::string name, std::string help, std::vector<std::string> names,
                           std::function<std::size_t()> get, std::function<void(std::size_t)> set) {
  auto put = [names, set](std::string_view text) {
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end()) return false;
    set(static_cast<std::size_t>(found - names.begin()));
    return true;
  };
  const std::string values = join(names, "|");
  return add(Option{std::move(name), OptionKind::choice, values, std::move(help),
                    [names, get] { return names.at(get()); }, put, names});
}

Option& Schema::add_range(std::string name, double& low, double& high, std::string help,
                          NumberRule rule) {
  auto get = [&low, &high] {
    return low == high ? fmt::format("{}", low) : fmt::format("{}:{}", low, high);
  };
  auto set = [&low, &high, rule](std::string_view text) {
    const std::size_t middle = text.find(':');
    double first = 0, second = 0;
    if (!parse(text.substr(0, middle), first)) return false;
    if (middle == std::string_view::npos) {
      second = first;
    } else if (!parse(text.substr(middle + 1), second)) {
      return false;
    }
    if (!rule.holds(first) || !rule.holds(second) || second < first) return false;
    low = first;
    high = second;
    return true;
  };
  Option& option = add(Option{std::move(name), OptionKind::number, rule.text() + ", or low:high",
                              std::move(help), get, set});
  option.separator = ":";
  return option;
}

Option& Schema::add_text(std::string name, std::string& field, std::string help,
                         std::string values) {
  auto set = [&field](std::string_view text) {
    field = text;
    return true;
  };
  return add(Option{std::move(name), OptionKind::text, std::move(values), std::move(help),
                    [&field] { return field; }, set});
}

const Option* Schema::find(std::string_view name) const {
  const auto found = std::find_if(options_.begin(), options_.end(),
                                  [&](const Option& option) { return option.name == name; });
  return found == options_.end() ? nullptr : &*found;
}

Option& Schema::option(std::string_view name) {
  if (const Option* found = find(name)) return const_cast<Option&>(*found);
  std::vector<std::string> names;
  for (const Option& option : options_) names.push_back(option.name);
  throw InputError(
      fmt::format("there is no option {}; there are: {}", in_quotes(name), join(names, ", ")));
}

std::map<std::string, std::string> Schema::values() const {
  std::map<std::string, std::string> values;
  for (const Option& option : options_) values[option.name] = option.get();
  return values;
}

std::string Schema::spelled(std::string_view name) const {
  if (spelling_ == Spelling::flag) return "--" + std::string(name);
  if (spelling_ == Spelling::keyword) return keyword_of(name) + "=";
  std::string plain(name);
  std::replace(plain.begin(), plain.end(), '-', '_');
  return plain;
}

std::string Schema::rule(const Option& option) const {
  if (option.kind == OptionKind::on_off || option.kind == OptionKind::flag) {
    return spelling_ == Spelling::keyword ? "True or False" : "on or off";
  }
  return option.choices.empty() ? option.values : "one of " + join(option.choices, ", ");
}

void Schema::set(std::string_view name, std::string_view text) {
  const Option& mine = option(name);
  if (!mine.set(text)) {
    throw InputError(
        fmt::format("{} must be {}, not {}", spelled(name), rule(mine), in_quotes(text)));
  }
  given_.insert(mine.name);
}

void Schema::validate() const {
  for (const Option& option : options_) {
    const std::string text = option.get();
    if (option.set(text)) continue;
    throw InputError(
        fmt::format("{} must be {}, not {}", spelled(option.name), rule(option), in_quotes(text)));
  }
}

const Condition* Schema::idle(const Option& option) const {
  for (const Condition& condition : option.needs) {
    const Option* other = find(condition.option);
    if (other && contains(condition.values, other->get()) == condition.except) return &condition;
  }
  return nullptr;
}

void Schema::refuse(const Option& option, const Condition& condition) const {
  const Option& other = *find(condition.option);
  std::vector<std::string> wanted = condition.values;
  if (condition.except) {
    wanted = other.choices;
    std::erase_if(wanted, [&](const auto& value) { return contains(condition.values, value); });
  }
  if (wanted.empty()) {  // any value but these will do
    throw InputError(fmt::format("{} needs {}, which is {}", spelled(option.name),
                                 spelled(other.name), other.get()));
  }
  const bool chosen = other.kind == OptionKind::choice;  // "the map linear", but "sweep=on"
  throw InputError(fmt::format("{0} belongs to {1} {2}; {1} is {3}", spelled(option.name),
                               chosen ? "the " + other.name : spelled(other.name), either(wanted),
                               other.get()));
}

void Schema::refuse_idle() const {
  for (const std::string& name : given_) {
    const Option* option = find(name);
    const Condition* condition = option ? idle(*option) : nullptr;
    if (condition) refuse(*option, *condition);
  }
}

void Schema::fix(const std::string& name, std::string_view text) {
  set(name, text);
  given_.erase(name);
  for (Option& option : options_) std::erase(option.groups, text);  // they are common now
  std::erase_if(options_, [&](const Option& option) {
    if (option.name == name) return true;
    return std::any_of(option.needs.begin(), option.needs.end(), [&](const Condition& condition) {
      return condition.option == name && contains(condition.values, text) == condition.except;
    });
  });
}

}  // namespace ardent
