#include "ardent/inference/coding/dictionary.h"

namespace ardent {

Vector Dictionary::combine(std::span<const Index> atoms, const Vector& theta) const {
  Vector sum = Vector::Zero(rows());
  for (std::size_t k = 0; k < atoms.size(); ++k) {
    add_scaled(atoms[k], theta[k], sum);
  }
  return sum;
}

void Dictionary::correlate_lists(std::span<const ListedProducts> lists) const {
  for (const ListedProducts& list : lists) list.products = correlate_some(list.atoms, list.v);
}

}  // namespace ardent
