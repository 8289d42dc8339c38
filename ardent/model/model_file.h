// The model file: versioned, self-describing, pickle-free.
//
//   8 bytes   "ARDENTM\n"
//   u32       format version (1)
//   u32       CRC-32 of everything after this field
//   u64       length of the JSON text
//   JSON      metadata, and for each array its name, type, shape, offset and byte count
//   arrays    little-endian, each at a multiple of 64 bytes from the start of the file; offsets
//             count from the first such multiple after the JSON
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
