// Uses every part of the public interface beside its own Eigen, and prints what comes out to the
// last digit. It is compiled in several ways (flags.sh), which must print the same.
#include <ardent/ardent.h>

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>

namespace {

void check(bool holds, const char* what) {
  if (holds) return;
  std::printf("does not hold: %s\n", what);
  std::exit(1);
}

void print(const char* what, const std::vector<double>& numbers) {
  for (const double number : numbers) std::printf("%s %.17g\n", what, number);
}

/// The same on every machine: multiples of 1/256 in [-1, 1).
double draw() {
  static std::uint32_t state = 1;
  state = state * 1664525 + 1013904223;
  return static_cast<double>(state >> 23) / 256 - 1;
}

void refuses(const char* what, const std::function<void()>& work) {
  try {
    work();
  } catch (const ardent::InputError& error) {
    std::printf("%s: %s\n", what, error.what());
    return;
  }
  check(false, what);
}

Eigen::MatrixXd random_matrix(Eigen::Index rows, Eigen::Index cols) {
  return Eigen::MatrixXd::NullaryExpr(rows, cols, [] { return draw(); });
}

/// The program's own Eigen at work: its functions must stay its own, and ardent's ardent's.
void own_products(const Eigen::MatrixXd& x) {
  const Eigen::MatrixXd gram = x.transpose() * x;
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(x.cols());
  const double difference = (gram * ones - x.transpose() * (x * ones)).cwiseAbs().maxCoeff();
  check(difference < 1e-10, "own products");
}

void regression(const Eigen::MatrixXd& x, const Eigen::VectorXd& y) {
  const ardent::Dataset data(x.topRows(50), y.head(50));  // blocks, as they are
  const ardent::Model model = ardent::train(data, {.engine = ardent::Engine::exact});
  check(model.task() == ardent::Task::regression, "a regression");
  for (const ardent::Weight& weight : model.parts().front().weights) {
    std::printf("%s %.17g %.17g\n", weight.name.c_str(), weight.mean, weight.sd);
  }
  const ardent::Prediction found = ardent::predict(model, x.bottomRows(10));
  print("mean", found.mean);
  print("variance", found.variance);
  ardent::save_model(model, "numbers.model");
  const ardent::Prediction again =
      ardent::predict_row(ardent::load_model("numbers.model"), x.row(50));
  check(again.mean.front() == found.mean.front(), "a row of the model that was saved");
}

void classes(const Eigen::MatrixXd& x, const Eigen::VectorXd& y) {
  std::vector<std::string> words;
  for (const double value : y) words.push_back(value > 0 ? "high" : value > -1 ? "middle" : "low");
  const ardent::Dataset data(x, words, {.feature_names = {"a", "b", "c", "d", "e", "f"}});
  const ardent::Model model = ardent::train(data, {.map = ardent::Map::rbf, .sigma = 2});
  check(model.classes().size() == 3, "three classes");
  const ardent::Prediction found = ardent::predict(model, data);
  const auto p = found.probabilities.as<Eigen::MatrixXd>();
  check((p.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-12, "probabilities sum to 1");
  print("p", found.probabilities.values());
  std::printf("accuracy %.17g\n", ardent::evaluate(model, data).at("accuracy"));
}

void sparse_rows(const Eigen::MatrixXd& x, const Eigen::VectorXd& y) {
  const Eigen::MatrixXd thin = (x.array().abs() > 0.5).select(x, 0);
  const Eigen::SparseMatrix<double> by_column = thin.sparseView();
  const Eigen::SparseMatrix<double, Eigen::RowMajor> by_row = by_column;
  const ardent::Dataset data(by_row, y);
  check(data.features().as<Eigen::MatrixXd>() == thin, "sparse rows hold the same numbers");
  const ardent::Model model = ardent::train(data, {.scale = ardent::Scale::none});
  const ardent::Prediction found = ardent::predict(model, ardent::Dataset(by_column));
  const ardent::Prediction same = ardent::predict(model, data);
  check(found.mean == same.mean, "sparse by rows and by columns");
  print("sparse", found.mean);
}

void own_design(const Eigen::MatrixXd& phi, const Eigen::VectorXd& t) {
  const ardent::Posterior posterior = ardent::fit(phi, t);
  const ardent::Moments found = ardent::predict(posterior, phi);
  print("fitted", found.mean);
  const auto covariance = posterior.covariance.as<Eigen::MatrixXd>();
  for (Eigen::Index i = 0; i < phi.rows(); ++i) {
    Eigen::VectorXd row = Eigen::VectorXd::Ones(covariance.rows());
    double mean = posterior.bias;
    for (std::size_t k = 0; k < posterior.active.size(); ++k) {
      row[static_cast<Eigen::Index>(k)] = phi(i, posterior.active[k]);
      mean += posterior.mean[k] * phi(i, posterior.active[k]);
    }
    const auto place = static_cast<std::size_t>(i);
    check(std::abs(mean - found.mean[place]) < 1e-12, "the mean is Phi w + bias");
    check(std::abs(row.dot(covariance * row) - found.variance[place]) < 1e-12,
          "the variance is a quadratic form");
  }
}

void codes_and_images(const Eigen::MatrixXd& atoms) {
  const Eigen::VectorXd signal = 2 * atoms.row(3) - atoms.row(40);
  ardent::coding::Coder coder(atoms, {.lambda = 1e-3});
  const ardent::coding::Code code = coder.code_one(signal);
  check(code.atoms == std::vector<ardent::Index>{3, 40}, "the atoms of the signal");
  print("code", code.coefficients);
  const auto scene = ardent::imaging::simulate({.seed = 5});
  print("clean", ardent::imaging::denoise(scene.image).pixels);
}

}  // namespace

int main() {
  const Eigen::MatrixXd x = random_matrix(60, 6);
  const Eigen::VectorXd y = x.col(0) - 2 * x.col(3) + 0.125 * random_matrix(60, 1);
  own_products(x);
  regression(x, y);
  classes(x, y);
  sparse_rows(x, y);
  own_design(x, y);
  codes_and_images(random_matrix(60, 24));
  own_products(random_matrix(70, 70));

  Eigen::MatrixXd gap = x;
  gap(2, 1) = std::numeric_limits<double>::quiet_NaN();
  refuses("a gap", [&] { ardent::Dataset(gap, y); });
  refuses("sizes", [&] { ardent::Dataset(x, y.head(3)); });
  refuses("an idle option", [&] { ardent::train(ardent::Dataset(x, y), {.hidden = 10}); });
  refuses("no option", [&] { ardent::train(ardent::Dataset(x, y), {.more = {{"sgima", "2"}}}); });
  std::printf("version %s\n", ardent::version().c_str());
}
