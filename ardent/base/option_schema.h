// An options struct owns one list of its fields: name, rule, help, group and what a field needs to
// have an effect. The command line, its help, validation, what a model records, the Python keywords
// and the documents are made from that list.
//
// A default is written once, in the struct. The list is made by a function schema(Options&) next to
// the struct, which binds it to an object:
//
//   inline Schema schema(EngineOptions& options) {
//     Schema schema;
//     schema.add("alpha-max", options.alpha_max, "a weight is pruned when …", above(0));
//     schema.group("probes", {where("engine", {"probes"})});
//     schema.add("probes", options.probes, "random probes per stage", 1);
//     return schema;
//   }
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "ardent/base/types.h"

namespace ardent {

/// The numbers that a field takes.
struct NumberRule {
  double low = -std::numeric_limits<double>::infinity();
  bool low_is_in = false;
  double high = std::numeric_limits<double>::infinity();
  bool high_is_in = false;

  bool holds(double x) const;  // never for what is not finite
  std::string text() const;    // "a number > 0", "a number >= 0 and < 1"
};
inline NumberRule any_number() {
  return {};
}
inline NumberRule above(double low) {
  return {.low = low};
}
inline NumberRule at_least(double low) {
  return {.low = low, .low_is_in = true};
}

/// An option has an effect only where another one has one of these values (or, `except`: has none
/// of them).
struct Condition {
  std::string option;
  std::vector<std::string> values;
  bool except = false;
};
inline Condition where(std::string option, std::vector<std::string> values) {
  return {std::move(option), std::move(values)};
}
inline Condition unless(std::string option, std::vector<std::string> values) {
  return {std::move(option), std::move(values), true};
}

enum class OptionKind { number, whole, on_off, choice, text, flag };

struct Option {
  std::string name;
  OptionKind kind = OptionKind::text;
  std::string values;  // what it takes: "a number > 0", "linear|rbf|elm"
  std::string help;    // formula and meaning
  std::function<std::string()> get;
  std::function<bool(std::string_view)> set;  // false, and nothing done: the rule does not hold
  std::vector<std::string> choices = {};
  std::vector<std::string> groups = {};  // empty: common
  std::vector<Condition> needs = {};     // all of them
  std::string separator = "";            // of a value of several numbers

  Option& needing(Condition condition);
  Option& also_in(std::string group);
};

/// How messages name an option: alpha_max, --alpha-max or alpha_max=.
enum class Spelling { plain, flag, keyword };

/// The Python keyword of an option's name.
std::string keyword_of(std::string_view name);

class Schema {
 public:
  /// What is added from here on belongs to this group (empty: is common) and needs this.
  void group(std::string name, std::vector<Condition> needs = {});

  /// `word` may stand there for `word_value`.
  Option& add(std::string name, double& field, std::string help, NumberRule rule,
              std::string word = "", double word_value = 0);
  Option& add(std::string name, Index& field, std::string help, Index least);
  Option& add(std::string name, std::uint64_t& field, std::string help);
  Option& add(std::string name, bool& field, std::string help);  // on|off
  /// Given without a value, it is on.
  Option& add_flag(std::string name, bool& field, std::string help);
  Option& add(std::string name, std::string& field, std::string help,
              std::vector<std::string> choices);
  /// The enumerators' names, in their order, from 0.
  template <class Enum>
  requires std::is_enum_v<Enum> Option& add(std::string name, Enum& field, std::string help,
                                            std::vector<std::string> names) {
    return add_choice(
        std::move(name), std::move(help), std::move(names),
        [&field] { return static_cast<std::size_t>(field); },
        [&field](std::size_t place) { field = static_cast<Enum>(place); });
  }
  /// One number for both, or low:high.
  Option& add_range(std::string name, double& low, double& high, std::string help, NumberRule rule);
  /// A file's name or the like; `values` says what.
  Option& add_text(std::string name, std::string& field, std::string help, std::string values);
  Option& add(Option option);
  /// The options of a struct within this struct: they join the group and need what it needs.
  void include(Schema other);

  const std::vector<Option>& options() const { return options_; }
  /// The option of that name; InputError listing the names there are if there is none.
  Option& option(std::string_view name);
  const Option* find(std::string_view name) const;
  /// Every option by name, as text that set() takes back to the same value.
  std::map<std::string, std::string> values() const;

  /// InputError naming option, rule and value. The option counts as given.
  void set(std::string_view name, std::string_view text);
  /// InputError where a field's value breaks its rule.
  void validate() const;
  /// The first condition under which the option has an effect and that does not hold; or null.
  const Condition* idle(const Option& option) const;
  /// InputError where an option that was given has no effect: it says where it belongs.
  void refuse_idle() const;
  /// InputError as refuse_idle() would throw it.
  [[noreturn]] void refuse(const Option& option, const Condition& condition) const;
  const std::set<std::string>& given() const { return given_; }
  void forget_given(const std::string& name) { given_.erase(name); }
  /// Sets an option for good: it is no longer one, nor are those that have no effect then.
  void fix(const std::string& name, std::string_view text);

  void spell(Spelling spelling) { spelling_ = spelling; }
  std::string spelled(std::string_view name) const;

 private:
  Option& add_choice(std::string name, std::string help, std::vector<std::string> names,
                     std::function<std::size_t()> get, std::function<void(std::size_t)> set);
  std::string rule(const Option& option) const;

  std::vector<Option> options_;
  std::set<std::string> given_;
  std::string group_;
  std::vector<Condition> needs_;
  Spelling spelling_ = Spelling::plain;
};

/// Checks the fields of any options that have a schema.
template <class Options>
void validate_fields(Options options) {
  schema(options).validate();
}

}  // namespace ardent
