// Eight kernels on fixed inputs, for counting their instructions (guard.py): guard KERNEL runs one
// of them once, on one thread, inside guard_kernel; guard without an argument lists their names.
#include <fmt/format.h>

#include <exception>
#include <functional>
#include <map>
#include <string>

#include "ardent/base/elementary.h"
#include "ardent/base/parallel.h"
#include "ardent/inference/coding/make_dictionary.h"
#include "ardent/inference/coding/weighted_lasso.h"
#include "ardent/linalg/cholesky.h"
#include "ardent/linalg/symmetric_product.h"
#include "ardent/maps/linear.h"
#include "ardent/maps/rbf.h"
#include "ardent/model/predict.h"
#include "tests/problems/models.h"
#include "tests/problems/random_matrix.h"

/// The only function whose instructions are counted: a name that no compiler decorates.
extern "C" [[gnu::noipa]] void guard_kernel(const std::function<void()>& work) {
  work();
}

namespace {

using namespace ardent;
using namespace ardent::problems;

void exponential() {
  Vector x = 10 * random_vector(100000, 1);
  guard_kernel([&] { elementary::exp_in_place(x.data(), x.size()); });
}

void cholesky() {
  const Matrix h = random_positive_definite(300, 1);
  guard_kernel([&] { Cholesky(h).inverse_diagonal(); });
}

void weighted_gram() {
  const Matrix a = random_matrix(2000, 150, 1);
  const Vector weights = random_vector(2000, 2).cwiseAbs();
  Matrix out = Matrix::Zero(150, 150);
  guard_kernel([&] { add_weighted_gram(a, weights, out); });
}

void sparse_products() {
  const auto design = linear_design(Features(sparse_rows(random_matrix(3000, 1000, 1, 0.05))));
  const Vector w = random_vector(1000, 2);
  Vector product, back;
  guard_kernel([&] {
    for (int time = 0; time < 10; ++time) {
      design->multiply(w, product);
      design->multiply_transposed(product, back);
    }
  });
}

void rbf_values() {
  const Features rows(dense_rows(random_matrix(2000, 20, 1)));
  const RbfMap map(Features(dense_rows(random_matrix(100, 20, 2))), 5, std::vector<Index>(100));
  guard_kernel([&] { map.values(rows); });
}

void correlations() {
  const auto atoms = make_dictionary(Features(dense_rows(random_matrix(2000, 784, 1))));
  const Matrix signals = random_matrix(784, 10, 2);
  Matrix products;
  guard_kernel([&] { atoms->correlate(signals, products); });
}

void lasso() {
  const auto atoms = make_dictionary(Features(dense_rows(random_matrix(2000, 200, 1))));
  const Vector y = random_vector(200, 2), ones = Vector::Ones(2000);
  Matrix rho;
  atoms->correlate(y, rho);
  const double lambda = 0.1 * rho.cwiseAbs().maxCoeff();
  guard_kernel([&] { weighted_lasso(*atoms, y, ones, lambda); });
}

void prediction() {
  const Model model = random_model({.map = "linear", .scale = ScaleKind::standard});
  const Dataset data = problems::random_data(50000, 2);
  guard_kernel([&] { predict(model, data); });
}

const std::map<std::string, void (*)()> kKernels = {{"exponential", &exponential},
                                                    {"cholesky", &cholesky},
                                                    {"weighted_gram", &weighted_gram},
                                                    {"sparse_products", &sparse_products},
                                                    {"rbf_values", &rbf_values},
                                                    {"correlations", &correlations},
                                                    {"lasso", &lasso},
                                                    {"prediction", &prediction}};

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2) {
    for (const auto& kernel : kKernels) fmt::print("{}\n", kernel.first);
    return 0;
  }
  const ThreadScope one_thread(1);
  kKernels.at(argv[1])();
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "guard: {}\n", error.what());
  return 1;
}
