// The model file: a container (base/container.h) of the kind "model". docs/files.md names its
// arrays. Files of version 0.1 are read, too.
#pragma once

#include <string>
#include <string_view>

#include "ardent/model/model.h"

namespace ardent {

/// The same model gives the same bytes. Written to a temporary file and renamed. A model that
/// contradicts itself, and could not be read again, is an InputError (see check_model).
void save_model(const Model& model, const std::string& path);

/// Truncated, corrupted, hostile or future-version files give an InputError that says which; no
/// length in the file is believed before it is checked against the file's size.
Model load_model(const std::string& path);

/// The bytes of the file that save_model would write, and back.
std::string model_bytes(const Model& model);
Model model_from_bytes(std::string_view bytes);

}  // namespace ardent
