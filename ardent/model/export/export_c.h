// A model as C99 code: a header of static functions and constants.
//
// The code allocates nothing, keeps no state and includes <math.h> and <stdint.h> alone. Scaling,
// feature map, parts and the combination of classes are those of the library, in its order of
// operations: in double results differ by rounding.
#pragma once

#include <string>

#include "ardent/model/export/export_options.h"
#include "ardent/model/model.h"

namespace ardent {

struct ExportedC {
  std::string text;
  Index constant_bytes = 0;  // of the numbers in the code
  Index stack_bytes = 0;     // of arrays on the stack in the deepest call
  Index kernels = 0;         // basis functions of all parts
  /// What rounding can move a part's f by, basis functions being 1 at most: ε (|bias| + Σ|weight|),
  /// the largest of the parts. Weights that nearly cancel make it large. ε is that of the type, or
  /// of pairs with what their exp loses.
  double rounding = 0;
};

/// InputError for a model that cannot be exported (doubly sparse, dictionary), for a number that
/// float cannot hold, and for options that make no sense.
ExportedC export_c(const Model& model, const ExportOptions& options = {});

/// What names in the code begin with where the options say nothing: the file's name without its
/// folder and ending, as a C identifier.
std::string c_identifier(const std::string& path);

}  // namespace ardent
