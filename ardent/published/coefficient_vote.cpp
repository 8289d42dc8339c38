#include "ardent/published/coefficient_vote.h"

#include <cmath>

namespace ardent {

Matrix coefficient_shares(const std::vector<std::uint32_t>& atom_classes, Index classes,
                          const CodedSignals& coded) {
  const SparseTable& codes = coded.codes;
  const auto count = std::ssize(coded.reports);
  Matrix shares = Matrix::Zero(count, classes);
  for (Index i = 0; i < count; ++i) {
    for (auto e = codes.offsets[i]; e < codes.offsets[i + 1]; ++e) {
      shares(i, atom_classes[codes.columns[e]]) += std::abs(codes.values[e]);
    }
    if (codes.offsets[i] == codes.offsets[i + 1]) {
      for (const Index atom : atoms_of(coded, i)) shares(i, atom_classes[atom]) = 1;
    }
    const double sum = shares.row(i).sum();
    shares.row(i) = sum > 0 ? (shares.row(i) / sum).eval()
                            : Eigen::RowVectorXd::Constant(classes, 1.0 / double(classes)).eval();
  }
  return shares;
}

}  // namespace ardent
