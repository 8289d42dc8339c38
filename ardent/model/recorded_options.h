// The options that a model was trained with, as its file records them.
#pragma once

#include <map>
#include <string>

namespace ardent {

using RecordedOptions = std::map<std::string, std::string>;

/// Names and values that earlier versions recorded, as they are now.
RecordedOptions with_current_names(RecordedOptions options);

}  // namespace ardent
