// Labels in a file of their own, beside NPY or IDX features.
#pragma once

#include <string>

#include "ardent/data/bytes.h"
#include "ardent/data/labels.h"

namespace ardent {

/// One label per row: an NPY or IDX array of one column, or text with one label per line (blanks
/// around it do not count).
Labels parse_labels(const Bytes& bytes);

/// MNIST's naming: "…images-idx3…" has its labels in "…labels-idx1…" beside it. "" if there is no
/// such file.
std::string sibling_labels(const std::string& images_path);

}  // namespace ardent
