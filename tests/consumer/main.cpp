// Trains, saves, loads and predicts through the installed library alone.
#include <ardent/data/reader.h>
#include <ardent/estimators/evaluation.h>
#include <ardent/model/model_file.h>

#include <cstdio>

int main(int, char** argv) {
  const ardent::Dataset data = ardent::read_dataset(argv[1]);
  const ardent::Model model = ardent::train(data, {.map = "linear"});
  ardent::save_model(model, argv[2]);
  const ardent::Evaluation evaluation = ardent::evaluate(ardent::load_model(argv[2]), data);
  std::printf("accuracy %.4f with %g of %g features\n", evaluation.classification.accuracy,
              evaluation.active, evaluation.total);
  return evaluation.classification.accuracy > 0.9 ? 0 : 1;
}
