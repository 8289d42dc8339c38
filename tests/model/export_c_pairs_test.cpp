// Float code by pairs of floats, where weights are large and cancel.
#include <gtest/gtest.h>

#include <cmath>
#include <iterator>

#include "ardent/model/export/export_c.h"
#include "ardent/model/predict.h"
#include "model/exported_program.h"
#include "problems/models.h"

namespace ardent {
namespace {

using export_test::ExportedProgram;
using problems::random_data;
using problems::random_dense;
using problems::random_model;

/// Centres that nearly coincide, two by two, with weights of ±20,000: f is of the order of 1.
Model model_of_cancelling_weights(const char* map, double weight) {
  Model model = random_model({.map = map, .classes = 0, .covariance = false});
  Random random(7);
  const auto inputs = std::ssize(model.inputs);
  DenseRows rows = random_dense(random, 6, inputs);
  std::vector<double> values(rows.values.begin(), rows.values.end());
  for (Index k = 0; k < 3 * inputs; ++k)
    values[3 * inputs + k] = values[k] + 1e-4 * random.normal();
  rows = {6, inputs, Buffer<double>::copy_of(values)};
  const std::vector<Index> origin{0, 2, 3, 7, 11, 12};
  auto& kind = std::get<EvidenceModel>(model.kind);
  if (std::string_view(map) == "rbf") {
    kind.map = std::make_shared<RbfMap>(rows, 1.7, origin);
  } else {
    const double biases[] = {0.5, -1, 2, 0.5, -1, 2};
    kind.map =
        std::make_shared<ElmMap>(HiddenLayer{rows, {std::begin(biases), std::end(biases)}}, origin);
  }
  Posterior& posterior = model.parts[0].posterior;
  posterior.active = {0, 1, 2, 3, 4, 5};
  posterior.mean = weight * Vector{{1, 1, 1, -1, -1, -1}};
  posterior.alpha = posterior.gamma = Vector::Ones(6);
  posterior.variance = Vector::Ones(7);
  return model;
}

TEST(ExportCPairs, PairsOfFloatsKeepWhatLargeWeightsLeave) {
  const Dataset data = random_data(40, 8);
  ExportedProgram program(std::get<DenseRows>(data.features));
  const ExportOptions paired{.real = ExportReal::single_precision};
  const ExportOptions plain{.real = ExportReal::single_precision,
                            .arithmetic = ExportArithmetic::plain};
  std::vector<Model> models;
  for (const char* map : {"rbf", "elm"}) {
    models.push_back(model_of_cancelling_weights(map, 2e4));
    program.add(models.back(), paired);
    program.add(models.back(), plain);
  }
  const auto printed = program.run();
  ASSERT_EQ(printed.size(), 4u);
  for (std::size_t m = 0; m < 2; ++m) {
    const Prediction prediction = predict(models[m], data, {});
    double by_pairs = 0, plainly = 0;
    for (Index i = 0; i < prediction.mean.size(); ++i) {
      by_pairs = std::max(by_pairs, std::abs(printed[2 * m][i][0] - prediction.mean[i]));
      plainly = std::max(plainly, std::abs(printed[2 * m + 1][i][0] - prediction.mean[i]));
    }
    EXPECT_LT(prediction.mean.cwiseAbs().maxCoeff(), 20) << "the weights cancel";
    EXPECT_LT(by_pairs, 1e-6);
    EXPECT_GT(plainly, 1e-4) << "in float they do so with an error";
    EXPECT_GT(export_c(models[m], plain).rounding, plainly);
    EXPECT_LT(export_c(models[m], paired).rounding, 1e-6);
  }
}

}  // namespace
}  // namespace ardent
