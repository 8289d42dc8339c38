// The fields of public options (include/ardent/options.h) become the texts that a schema takes:
// rules, words and defaults are the schema's, and are written once.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "ardent/base/option_schema.h"
#include "ardent/options.h"

namespace ardent {

/// The words of the public maps, in the enumerators' order. Those of the other options are the
/// schema's in their order; there may be more maps than these, whose names `more` takes.
inline constexpr std::string_view kPublicMaps[] = {"linear", "rbf", "elm", "doubly-sparse",
                                                   "dictionary"};

class GivenOptions {
 public:
  explicit GivenOptions(Schema& schema) : schema_(schema) {}

  template <class T>
  GivenOptions& set(const std::string& name, const std::optional<T>& value) {
    if (value) schema_.set(name, text(name, *value));
    return *this;
  }
  /// Those without a field, and then InputError where one that was given has no effect.
  void finish(const v0::OptionTexts& more) {
    for (const auto& [name, value] : more) schema_.set(name, value);
    schema_.refuse_idle();
  }

 private:
  template <class T>
  std::string text(const std::string& name, const T& value) {
    if constexpr (std::is_same_v<T, v0::Map>) {
      return std::string(kPublicMaps[static_cast<std::size_t>(value)]);
    } else if constexpr (std::is_enum_v<T>) {
      return schema_.option(name).choices.at(static_cast<std::size_t>(value));
    } else if constexpr (std::is_same_v<T, bool>) {
      return value ? "on" : "off";
    } else {
      return fmt::format("{}", value);
    }
  }

  Schema& schema_;
};

}  // namespace ardent
