#include "ardent/estimators/grid_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <set>
#include <string_view>

#include "ardent/base/elementary.h"
#include "ardent/base/error.h"

namespace ardent {
namespace {

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  while (true) {
    const std::size_t end = text.find(separator);
    pieces.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

/// The exponent of "2^k", if the text is one.
std::optional<double> power_of_two(std::string_view text) {
  if (!text.starts_with("2^")) return std::nullopt;
  const auto exponent = number<double>(text.substr(2));
  return exponent && std::isfinite(*exponent) ? exponent : std::nullopt;
}

/// 2^exponent, exact for whole numbers.
double two_to(double exponent) {
  const double whole = std::floor(std::clamp(exponent, -2000.0, 2000.0));
  const double rest = std::clamp(exponent - whole, 0.0, 1.0);
  return std::ldexp(elementary::exp(rest * std::numbers::ln2), static_cast<int>(whole));
}

[[noreturn]] void refuse(std::string_view reason) {
  throw InputError(std::string(reason));
}

/// The number of steps, refused where no search could take so many.
Index checked_steps(double steps) {
  if (steps >= static_cast<double>(Grid::kMostPoints)) {
    refuse(fmt::format("the range has more than {} values", Grid::kMostPoints));
  }
  return static_cast<Index>(steps);
}

std::vector<std::string> powers(double low, double high) {
  if (low != std::floor(low) || high != std::floor(high) || low > high) {
    refuse("a range 2^a:2^b needs whole numbers a <= b");
  }
  std::vector<std::string> values;
  const Index steps = checked_steps(high - low);
  for (Index i = 0; i <= steps; ++i) {
    values.push_back(fmt::format("{}", two_to(low + static_cast<double>(i))));
  }
  return values;
}

std::vector<std::string> whole_numbers(std::int64_t low, std::int64_t high, std::int64_t step) {
  if (low > high || step < 1) refuse("a range a:b or a:b:step needs a <= b and step > 0");
  std::vector<std::string> values;
  // Without a sign, nothing overflows.
  const std::uint64_t steps = (static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low)) /
                              static_cast<std::uint64_t>(step);
  checked_steps(static_cast<double>(steps));
  for (std::uint64_t i = 0; i <= steps; ++i) {
    const std::uint64_t value =
        static_cast<std::uint64_t>(low) + i * static_cast<std::uint64_t>(step);
    values.push_back(fmt::format("{}", static_cast<std::int64_t>(value)));
  }
  return values;
}

std::vector<std::string> numbers(double low, double high, double step) {
  if (!(low <= high) || !(step > 0) || !std::isfinite(high - low) || !std::isfinite(step)) {
    refuse("a range a:b:step needs a <= b and step > 0");
  }
  constexpr double kRounding = 1e-9;  // of a step: 0:1:0.1 ends at 1, and passes 0 at 0
  std::vector<std::string> values;
  const Index steps = checked_steps(std::floor((high - low) / step + kRounding));
  for (Index i = 0; i <= steps; ++i) {
    const double value = low + static_cast<double>(i) * step;
    // 15 digits: 0.1 + 2·0.1 is to be 0.3.
    values.push_back(fmt::format("{:.15g}", std::abs(value) < kRounding * step ? 0.0 : value));
  }
  return values;
}

std::vector<std::string> range(const std::vector<std::string_view>& ends) {
  const auto low_power = power_of_two(ends[0]), high_power = power_of_two(ends[1]);
  if (low_power && high_power && ends.size() == 2) return powers(*low_power, *high_power);
  const std::string_view step_text = ends.size() == 3 ? ends[2] : "1";
  const auto low = number<std::int64_t>(ends[0]), high = number<std::int64_t>(ends[1]),
             step = number<std::int64_t>(step_text);
  if (low && high && step) return whole_numbers(*low, *high, *step);
  const auto from = number<double>(ends[0]), to = number<double>(ends[1]),
             by = number<double>(step_text);
  if (from && to && by && ends.size() == 3) return numbers(*from, *to, *by);
  refuse("a range is 2^a:2^b, a:b (whole numbers) or a:b:step");
}

/// The values that an item stands for; whether the option takes them is seen later.
std::vector<std::string> values_of(std::string_view item) {
  const auto ends = split(item, ':');
  if (ends.size() > 3) refuse("a range has two or three numbers");
  if (ends.size() > 1) return range(ends);
  if (const auto exponent = power_of_two(item)) return {fmt::format("{}", two_to(*exponent))};
  return {std::string(item)};
}

/// As the option itself writes the value: 1.0 and 1 are the same sigma.
std::string canonical(Schema& schema, const std::string& name, std::string_view value) {
  schema.set(name, value);
  return schema.option(name).get();
}

GridAxis parse_axis(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    throw InputError(fmt::format(
        "--grid {}: write NAME=LIST, such as sigma=2^-5:2^5 or hidden=50,100", in_quotes(text)));
  }
  TrainOptions options;
  Schema schema = ardent::schema(options);
  schema.spell(Spelling::flag);
  GridAxis axis{std::string(text.substr(0, equals)), {}};
  try {
    schema.option(axis.name);
  } catch (const InputError& error) {
    throw InputError(fmt::format("--grid {}: {}", in_quotes(text), error.what()));
  }
  std::set<std::string> seen;
  for (const std::string_view item : split(text.substr(equals + 1), ',')) {
    try {
      for (const std::string& value : values_of(item)) {
        axis.values.push_back(canonical(schema, axis.name, value));
        if (!seen.insert(axis.values.back()).second) {
          refuse(fmt::format("the value {} is named twice", axis.values.back()));
        }
      }
    } catch (const InputError& error) {
      throw InputError(
          fmt::format("--grid {}: item {}: {}", axis.name, in_quotes(item), error.what()));
    }
  }
  return axis;
}

}  // namespace

Grid::Grid(std::span<const std::string> axes) {
  if (axes.empty()) throw InputError("a grid needs at least one NAME=LIST");
  double points = 1;
  for (const std::string& text : axes) {
    axes_.push_back(parse_axis(text));
    const GridAxis& axis = axes_.back();
    const auto same = std::count_if(axes_.begin(), axes_.end(),
                                    [&](const GridAxis& other) { return other.name == axis.name; });
    if (same > 1) {
      throw InputError(
          fmt::format("--grid {0} is given twice: put all values of {0} in one list", axis.name));
    }
    points *= static_cast<double>(axis.values.size());
  }
  if (points > static_cast<double>(kMostPoints)) {
    throw InputError(fmt::format(
        "the grid has {:.0f} points, but {} are the most: use fewer values", points, kMostPoints));
  }
}

Index Grid::size() const {
  Index points = 1;
  for (const GridAxis& axis : axes_) points *= std::ssize(axis.values);
  return points;
}

std::vector<std::string> Grid::values(Index point) const {
  std::vector<std::string> values(axes_.size());
  for (std::size_t a = axes_.size(); a-- > 0;) {
    const auto count = std::ssize(axes_[a].values);
    values[a] = axes_[a].values[point % count];
    point /= count;
  }
  return values;
}

TrainOptions Grid::options(const TrainOptions& base, Index point) const {
  TrainOptions options = base;
  Schema schema = ardent::schema(options);
  set(schema, point);
  return options;
}

void Grid::set(Schema& schema, Index point) const {
  const std::vector<std::string> mine = values(point);
  for (std::size_t a = 0; a < axes_.size(); ++a) schema.set(axes_[a].name, mine[a]);
}

void Grid::refuse_idle(const TrainOptions& base, std::set<std::string> given) const {
  for (const GridAxis& axis : axes_) given.insert(axis.name);
  TrainOptions options = base;
  Schema schema = ardent::schema(options);
  schema.spell(Spelling::flag);
  for (Index p = 0; p < size() && !given.empty(); ++p) {
    set(schema, p);
    std::erase_if(given, [&](const auto& name) { return !schema.idle(schema.option(name)); });
  }
  if (given.empty()) return;
  const Option& option = schema.option(*given.begin());
  schema.refuse(option, *schema.idle(option));
}

std::string Grid::name(Index point) const {
  const std::vector<std::string> mine = values(point);
  std::string text;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    text += fmt::format("{}{}={}", a > 0 ? ", " : "", axes_[a].name, mine[a]);
  }
  return text;
}

}  // namespace ardent
