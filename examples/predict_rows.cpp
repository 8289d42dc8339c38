// Predicting one row at a time with a saved model: rows of numbers come in on standard input,
// probabilities of the classes go out. It needs the component `predict` alone, and is linked with
// no library for images.
#include <ardent/predict.h>

#include <cstdio>
#include <iostream>
#include <sstream>

int main(int count, char** arguments) {
  if (count != 2) return std::fprintf(stderr, "predict_rows MODEL < ROWS\n"), 2;
  const ardent::Model model = ardent::load_model(arguments[1]);
  std::printf("label");
  for (const std::string& name : model.classes()) std::printf(" p(%s)", name.c_str());
  std::printf("\n");

  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream text(line);
    std::vector<double> row;
    for (double value = 0; text >> value;) row.push_back(value);
    const ardent::Prediction found = ardent::predict_row(model, row);
    std::printf("%5s", found.labels.front().c_str());
    for (const double p : found.probabilities.row(0)) std::printf(" %.4f", p);
    std::printf("\n");
  }
}
// It prints:
//   label p(1) p(-1)
//       1 0.9512 0.0488
//      -1 0.0049 0.9951
