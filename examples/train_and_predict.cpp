// Training from an Eigen matrix: y = sin(x) with noise by a relevance vector machine, and
// predictions with error bars. The matrices are the program's own; ardent copies the numbers, so
// that the two need not be compiled with the same flags.
#include <ardent/ardent.h>

#include <Eigen/Core>
#include <cmath>
#include <cstdio>

int main() {
  const Eigen::Index rows = 120;
  Eigen::MatrixXd x(rows, 1);
  Eigen::VectorXd y(rows);
  for (Eigen::Index i = 0; i < rows; ++i) {
    x(i, 0) = 0.1 * static_cast<double>(i) - 6;
    y[i] = std::sin(x(i, 0)) + 0.1 * std::cos(37.0 * static_cast<double>(i));  // the "noise"
  }

  const ardent::Dataset data(x, y);
  const ardent::Model model =
      ardent::train(data, {.task = ardent::Task::regression, .map = ardent::Map::rbf});
  std::printf("kept %.0f of %td kernels\n", model.kept(), model.candidates());

  Eigen::MatrixXd at(3, 1);
  at << -1.5, 0.25, 3;
  const ardent::Prediction found = ardent::predict(model, at);
  for (std::size_t i = 0; i < found.mean.size(); ++i) {
    const double x_i = at(static_cast<Eigen::Index>(i), 0);
    std::printf("x %5.2f  predicted %6.3f +- %.3f  sin(x) %6.3f\n", x_i, found.mean[i],
                std::sqrt(found.variance[i]), std::sin(x_i));
  }
}
// It prints:
//   kept 5 of 120 kernels
//   x -1.50  predicted -1.007 +- 0.075  sin(x) -0.997
//   x  0.25  predicted  0.252 +- 0.075  sin(x)  0.247
//   x  3.00  predicted  0.135 +- 0.075  sin(x)  0.141
