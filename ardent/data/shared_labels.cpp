#include "ardent/data/shared_labels.h"

#include <fmt/format.h>

#include <bit>
#include <map>

#include "ardent/base/error.h"
#include "ardent/data/number.h"

namespace ardent {
namespace {

constexpr std::size_t kMostNames = 65536;  // as labels.cpp has it
constexpr char kEnd = '\0';                // of a name: a label holds none

enum class Kind : char { text = 't', numbers = 'n', many_numbers = 'm' };

Kind kind_of(const Labels& labels) {
  if (!labels.numeric()) return Kind::text;
  return labels.ids.empty() ? Kind::many_numbers : Kind::numbers;
}

std::string packed(const Labels& labels) {
  std::string bytes(1, static_cast<char>(kind_of(labels)));
  for (const std::string& name : labels.names) bytes += name + kEnd;
  return bytes;
}

/// What makes two names one: their number, or the text itself.
std::string key_of(const std::string& name, Kind kind) {
  double value = 0;
  if (kind != Kind::numbers || !whole_number(name, value)) return name;
  return fmt::format("{:x}", std::bit_cast<std::uint64_t>(value + 0.0));
}

}  // namespace

Labels joint_labels(Labels own, const RowShare& share, const std::string& source) {
  const std::vector<std::string> parts = share.gather(packed(own));
  Kind kind = kind_of(own);
  for (const std::string& part : parts) {
    const Kind other = static_cast<Kind>(part.front());
    if ((other == Kind::text) != (kind == Kind::text)) {
      throw InputError(fmt::format(
          "{}: labels of one process are all numbers and those of another are not: write all of "
          "them as text or all as numbers",
          source));
    }
    if (other == Kind::many_numbers) kind = other;
  }
  std::vector<std::string> names;
  std::map<std::string, std::uint32_t> place;
  for (const std::string& part : parts) {
    for (std::size_t begin = 1; begin < part.size() && kind != Kind::many_numbers;) {
      const std::size_t end = part.find(kEnd, begin);
      const std::string name = part.substr(begin, end - begin);
      begin = end + 1;
      const auto next = static_cast<std::uint32_t>(names.size());
      if (place.try_emplace(key_of(name, kind), next).second) names.push_back(name);
    }
  }
  if (kind == Kind::many_numbers || (kind == Kind::numbers && names.size() > kMostNames)) {
    own.ids = {};
    own.names = {};
    return own;
  }
  std::vector<std::uint32_t> joint;
  for (const std::string& name : own.names) joint.push_back(place.at(key_of(name, kind)));
  for (std::uint32_t& id : own.ids) id = joint[id];
  own.names = std::move(names);
  return own;
}

}  // namespace ardent
