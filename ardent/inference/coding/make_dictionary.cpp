#include "ardent/inference/coding/make_dictionary.h"

#include <fmt/format.h>

#include <cmath>

#include "ardent/base/error.h"
#include "ardent/inference/coding/dense_dictionary.h"
#include "ardent/inference/coding/sparse_dictionary.h"

namespace ardent {

std::unique_ptr<Dictionary> make_dictionary(const Features& atoms, bool unit_norm) {
  if (rows(atoms) == 0 || cols(atoms) == 0) {
    throw InputError(
        fmt::format("the dictionary is {} × {}: it needs at least one atom (a row) "
                    "with at least one number",
                    rows(atoms), cols(atoms)));
  }
  std::unique_ptr<Dictionary> made;
  if (const auto* sparse = std::get_if<SparseRows>(&atoms)) {
    made = std::make_unique<SparseDictionary>(*sparse, unit_norm);
  } else {
    made = std::make_unique<DenseDictionary>(std::get<DenseRows>(atoms), unit_norm);
  }
  for (Index i = 0; i < made->cols(); ++i) {
    if (!std::isfinite(made->norms()[i])) {
      throw InputError(
          fmt::format("atom {} of the dictionary has a number that is not finite, or a length "
                      "beyond the range of double: leave it out or scale it",
                      i + 1));
    }
  }
  if (made->norms().maxCoeff() == 0) {
    throw InputError(
        fmt::format("all {} atoms of the dictionary are zero: nothing can be coded", made->cols()));
  }
  return made;
}

}  // namespace ardent
