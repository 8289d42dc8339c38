#include "ardent/data/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "ardent/base/error.h"
#include "ardent/data/number.h"

namespace ardent {
namespace {

constexpr std::size_t kMostClasses = 65536;
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// The finite number that the whole token spells, if it does.
std::optional<double> parse_number(std::string_view token) {
  double value = 0;
  return whole_number(token, value) ? std::optional(value) : std::nullopt;
}

/// Gives each distinct key the next id, in order of first appearance.
template <class Key>
class Numbering {
 public:
  /// The key's id and whether it is new.
  std::pair<std::uint32_t, bool> operator()(const Key& key) {
    const auto [place, added] = ids_.try_emplace(key, static_cast<std::uint32_t>(ids_.size()));
    return {place->second, added};
  }

 private:
  std::unordered_map<Key, std::uint32_t> ids_;
};

/// Fills ids and names of labels that are numbers; leaves them empty if the values are too many.
template <class Spelling>
void number_values(Labels& labels, const Spelling& spelling) {
  Numbering<std::uint64_t> numbering;
  labels.ids.reserve(labels.numbers.size());
  for (std::size_t i = 0; i < labels.numbers.size(); ++i) {
    // Adding zero turns −0 into 0: one label.
    const auto [id, added] = numbering(std::bit_cast<std::uint64_t>(labels.numbers[i] + 0.0));
    if (added && labels.names.size() == kMostClasses) {
      labels.ids = {};
      labels.names = {};
      return;
    }
    if (added) labels.names.emplace_back(spelling(i));
    labels.ids.push_back(id);
  }
}

std::string known_classes(const ClassTable& classes) {
  constexpr std::size_t kShown = 10;
  std::string list;
  for (std::size_t c = 0; c < std::min(kShown, classes.names.size()); ++c) {
    list += (c > 0 ? ", " : "") + in_quotes(classes.names[c]);
  }
  if (classes.names.size() > kShown) list += fmt::format(" … ({} classes)", classes.names.size());
  return list;
}

[[noreturn]] void throw_unknown(std::size_t row, std::string_view label,
                                const ClassTable& classes) {
  throw InputError(fmt::format("row {} has the label {}, which is none of the known classes {}",
                               row + 1, in_quotes(label), known_classes(classes)));
}

}  // namespace

Labels make_labels(std::span<const std::string_view> tokens) {
  Labels labels;
  labels.numbers.reserve(tokens.size());
  for (const std::string_view token : tokens) {
    const auto number = parse_number(token);
    if (!number) {
      labels.numbers = {};
      break;
    }
    labels.numbers.push_back(*number);
  }
  if (labels.numeric()) {
    number_values(labels, [&](std::size_t i) { return tokens[i]; });
    return labels;
  }
  Numbering<std::string_view> numbering;
  labels.ids.reserve(tokens.size());
  for (const std::string_view token : tokens) {
    const auto [id, added] = numbering(token);
    if (added) labels.names.emplace_back(token);
    labels.ids.push_back(id);
  }
  return labels;
}

Labels make_labels(std::vector<double> numbers) {
  Labels labels;
  labels.numbers = std::move(numbers);
  for (std::size_t i = 0; i < labels.numbers.size(); ++i) {
    if (!std::isfinite(labels.numbers[i])) {
      throw InputError(
          fmt::format("the label of row {} is {}: labels must be finite; leave such rows out",
                      i + 1, labels.numbers[i]));
    }
  }
  number_values(labels, [&](std::size_t i) { return fmt::format("{}", labels.numbers[i] + 0.0); });
  return labels;
}

Labels select_rows(const Labels& labels, std::span<const Index> which) {
  Labels result;
  for (const Index i : which) {
    if (i < 0 || i >= labels.size()) {
      throw InputError(
          fmt::format("the label of row {} was asked for, but there are {}", i + 1, labels.size()));
    }
  }
  if (labels.numeric()) {
    result.numbers.reserve(which.size());
    for (const Index i : which) {
      result.numbers.push_back(labels.numbers[i]);
    }
    if (labels.ids.empty()) return make_labels(std::move(result.numbers));
  }
  std::vector<std::uint32_t> new_id(labels.names.size(), kNone);
  result.ids.reserve(which.size());
  for (const Index i : which) {
    const std::uint32_t old = labels.ids[i];
    if (new_id[old] == kNone) {
      new_id[old] = static_cast<std::uint32_t>(result.names.size());
      result.names.push_back(labels.names[old]);
    }
    result.ids.push_back(new_id[old]);
  }
  return result;
}

std::optional<Index> ClassTable::find(std::string_view name) const {
  if (values.empty()) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return std::nullopt;
    return found - names.begin();
  }
  const auto number = parse_number(name);
  if (!number) return std::nullopt;
  const auto found = std::find(values.begin(), values.end(), *number);
  if (found == values.end()) return std::nullopt;
  return found - values.begin();
}

ClassTable make_classes(const Labels& labels) {
  if (labels.empty()) throw InputError("the data have no labels, and classification needs them");
  if (labels.ids.empty() || labels.names.size() > kMostClasses) {
    throw InputError(fmt::format(
        "the labels have more than {} distinct values: they look like a regression target",
        kMostClasses));
  }
  if (labels.names.size() < 2) {
    throw InputError(
        fmt::format("all {} rows have the label {}: classification needs at least two classes",
                    labels.size(), in_quotes(labels.names[0])));
  }
  ClassTable classes;
  classes.names = labels.names;
  if (labels.numeric()) {
    classes.values.resize(classes.names.size());
    // By their names: where several processes share the rows, a class may have none here.
    for (std::size_t c = 0; c < classes.names.size(); ++c) {
      classes.values[c] = parse_number(classes.names[c]).value();
    }
    if (classes.values == std::vector<double>{-1, 1}) {
      std::swap(classes.values[0], classes.values[1]);
      std::swap(classes.names[0], classes.names[1]);
    }
    classes.positive =
        std::max_element(classes.values.begin(), classes.values.end()) - classes.values.begin();
  } else {
    classes.positive =
        std::max_element(classes.names.begin(), classes.names.end()) - classes.names.begin();
  }
  return classes;
}

std::vector<std::uint32_t> encode(const Labels& labels, const ClassTable& classes) {
  std::vector<std::uint32_t> encoded;
  encoded.reserve(labels.size());
  if (labels.ids.empty()) {  // numbers of very many values
    for (std::size_t i = 0; i < labels.numbers.size(); ++i) {
      const std::string name = fmt::format("{}", labels.numbers[i]);
      const auto found = classes.find(name);
      if (!found) throw_unknown(i, name, classes);
      encoded.push_back(static_cast<std::uint32_t>(*found));
    }
    return encoded;
  }
  std::vector<std::uint32_t> class_of(labels.names.size(), kNone);
  for (std::size_t i = 0; i < labels.ids.size(); ++i) {
    const std::uint32_t id = labels.ids[i];
    if (class_of[id] == kNone) {
      const auto found = classes.find(labels.names[id]);
      if (!found) throw_unknown(i, labels.names[id], classes);
      class_of[id] = static_cast<std::uint32_t>(*found);
    }
    encoded.push_back(class_of[id]);
  }
  return encoded;
}

}  // namespace ardent
