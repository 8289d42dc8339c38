#include "ardent/inference/doubly_sparse/masked_distances.h"

namespace ardent::doubly_sparse {

std::vector<Index> indices_on(const std::vector<std::uint8_t>& mask) {
  std::vector<Index> on;
  for (std::size_t k = 0; k < mask.size(); ++k) {
    if (mask[k]) on.push_back(k);
  }
  return on;
}

void masked_distance(const Matrix& rows, const Matrix& centres, Index j,
                     const std::vector<Index>& on, Eigen::Ref<Vector> out, Index begin,
                     const Vector& scales) {
  out.setZero();
  for (const Index k : on) {
    const auto square = (rows.col(k).segment(begin, out.size()).array() - centres(j, k)).square();
    if (scales.size() == 0) {
      out.array() += square;
    } else {
      out.array() += scales[k] * square;
    }
  }
}

void changed_distance(const Matrix& rows, const Matrix& centres, Index j, Index k, double change,
                      const Eigen::Ref<const Vector>& from, Eigen::Ref<Vector> out, Index begin) {
  out = (from.array() +
         change * (rows.col(k).segment(begin, out.size()).array() - centres(j, k)).square())
            .max(0.0);
}

}  // namespace ardent::doubly_sparse
