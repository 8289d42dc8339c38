// CPU time of one row by the Predictor and by predict(): predictor [ROUNDS]. Prints nanoseconds per
// row, the least of the rounds; 20 kernels of 20 features, and others.
#include "ardent/predictor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <limits>

#include "ardent/base/index_range.h"
#include "ardent/base/parallel.h"
#include "ardent/model/predict.h"
#include "ardent/model/public_model.h"
#include "tests/problems/models.h"

namespace {

using namespace ardent;

Model kernel_model(Index kernels, Index features, Index classes) {
  Random random(1);
  Model model;
  model.task = classes == 0 ? Task::regression : Task::classification;
  model.features = features;
  model.inputs = index_range(0, features);
  model.scaling = {ScaleKind::standard, problems::random_vector(random, features),
                   Vector::Constant(features, 0.3)};
  for (Index c = 0; c < classes; ++c) model.classes.names.push_back(fmt::format("{}", c));
  model.classes.positive = classes == 2 ? 1 : 0;
  model.kind = EvidenceModel{std::make_shared<RbfMap>(
      problems::random_dense(random, kernels, features), 3.0, index_range(0, kernels))};
  problems::add_random_parts(random, {.map = "rbf", .classes = classes, .pairs = true}, model);
  for (Part& part : model.parts) {
    while (std::ssize(part.posterior.active) != kernels) {
      part.posterior = problems::random_posterior(random, kernels, true, true, classes == 0);
      part.posterior.active = index_range(0, kernels);
      part.posterior.mean = problems::random_vector(random, kernels);
      part.posterior.covariance = Matrix::Identity(kernels + 1, kernels + 1);
    }
  }
  return model;
}

template <class Work>
double least_nanoseconds(int rounds, int calls, const Work& work) {
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) {
    const std::clock_t begin = std::clock();
    for (int i = 0; i < calls; ++i) work(i);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    least = std::min(least, seconds / calls * 1e9);
  }
  return least;
}

void measure(std::string_view what, const Model& model, bool plug_in, int rounds) {
  const v0::Predictor predictor(published(model), {.plug_in = plug_in});
  Random random(2);
  Dataset data;
  data.features = problems::random_dense(random, 64, model.features);
  const auto& rows = std::get<DenseRows>(data.features);
  std::vector<double> p(model.classes.size());
  volatile double sink = 0;
  const double one = least_nanoseconds(rounds, 100000, [&](int i) {
    const auto row = rows.row(i % 64);
    sink = p.empty() ? predictor.moments(row).variance
                     : static_cast<double>(predictor.classify(row, p));
  });
  Dataset single;
  single.features = select_rows(data.features, index_range(0, 1));
  const double library = least_nanoseconds(rounds, 2000, [&](int) {
    sink = static_cast<double>(predict(model, single, {.plug_in = plug_in}).warnings.size());
  });
  fmt::print("| {} | {:.0f} | {:.0f} |\n", what, one, library);
}

}  // namespace

int main(int argc, char** argv) {
  const ThreadScope one_thread(1);
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 7;
  fmt::print("| model | Predictor, ns per row | predict() of one row, ns |\n|---|---|---|\n");
  measure("20 kernels of 20 features, two classes", kernel_model(20, 20, 2), false, rounds);
  measure("the same, plug-in", kernel_model(20, 20, 2), true, rounds);
  measure("20 kernels of 20 features, regression with variance", kernel_model(20, 20, 0), false,
          rounds);
  measure("20 kernels of 20 features, 3 classes in pairs", kernel_model(20, 20, 3), false, rounds);
  measure("20 kernels of 20 features, 10 classes in pairs", kernel_model(20, 20, 10), false,
          rounds);
}
