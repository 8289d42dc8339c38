// Sparse codes: a signal is three cosines of a dictionary of 200, and something that is none of
// them. The code finds which three, how strong, and how sure.
#include <ardent/coding.h>

#include <cmath>
#include <cstdio>

int main() {
  const ardent::Index atom_count = 200, length = 100;
  ardent::Matrix atoms(atom_count, length);  // one atom per row
  for (ardent::Index k = 0; k < atom_count; ++k) {
    for (ardent::Index t = 0; t < length; ++t) {
      atoms(k, t) = std::cos(0.015 * static_cast<double>((k + 1) * (2 * t + 1)));
    }
  }
  std::vector<double> signal(static_cast<std::size_t>(length));
  for (ardent::Index t = 0; t < length; ++t) {
    signal[static_cast<std::size_t>(t)] = 3 * atoms(20, t) - 2 * atoms(75, t) + atoms(140, t) +
                                          0.05 * std::sin(17.3 * static_cast<double>(t * t));
  }

  ardent::coding::Coder coder(atoms);
  const ardent::coding::Code code = coder.code_one(signal);
  std::printf("%zu of %td atoms\n", code.atoms.size(), atom_count);
  for (std::size_t k = 0; k < code.atoms.size(); ++k) {
    std::printf("atom %3td  %6.3f +- %.3f\n", code.atoms[k], code.coefficients[k],
                std::sqrt(code.variances[k]));
  }
}
// It prints:
//   3 of 200 atoms
//   atom  20   3.003 +- 0.016
//   atom  75  -1.994 +- 0.016
//   atom 140   0.998 +- 0.016
