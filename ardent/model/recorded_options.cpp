#include "ardent/model/recorded_options.h"

#include <array>
#include <string_view>

namespace ardent {
namespace {

struct Rename {
  std::string_view before, now;
};
constexpr std::array kNames{Rename{"path", "keep-stages"}, Rename{"start", "code-start"}};

}  // namespace

RecordedOptions with_current_names(RecordedOptions options) {
  for (const Rename& rename : kNames) {
    auto option = options.extract(std::string(rename.before));
    if (option.empty()) continue;
    option.key() = rename.now;
    options.insert(std::move(option));
  }
  const auto vote = options.find("vote");
  if (vote != options.end() && vote->second == "refit") vote->second = "residual";
  return options;
}

}  // namespace ardent
