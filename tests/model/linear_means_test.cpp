#include "ardent/model/linear_means.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ardent/model/predict.h"
#include "problems/models.h"

namespace ardent {
namespace {

using problems::ModelKind;
using problems::random_data;
using problems::random_model;

TEST(LinearMeans, ClassesNeedNoProbabilities) {
  const Dataset data = random_data(9000, 4);
  for (const ModelKind& kind : {ModelKind{.map = "linear"}, ModelKind{.map = "rbf"}}) {
    const Model model = random_model(kind);
    for (const bool plug_in : {false, true}) {
      const Prediction both = predict(model, data, {.plug_in = plug_in});
      const Prediction classes = predict(model, data, {.plug_in = plug_in, .probabilities = false});
      EXPECT_EQ(classes.classes, both.classes);
      EXPECT_EQ(classes.probabilities.size(), 0);
    }
  }
  // f of next to nothing: σ rounds to ½, which counts as positive.
  Model model = random_model({.map = "linear", .scale = ScaleKind::none});
  Posterior& posterior = model.parts[0].posterior;
  posterior.mean.setZero();
  for (const double f : {-1e-14, -1e-15, -1e-16, -1e-17, 0.0, 1e-17}) {
    posterior.bias = f;
    EXPECT_EQ(predict(model, data, {.plug_in = true, .probabilities = false}).classes,
              predict(model, data, {.plug_in = true}).classes)
        << f;
  }
}

TEST(LinearMeans, HaveTheSameBitsWhereverTheRowsLie) {
  const Dataset data = random_data(100, 5);
  const auto& rows = std::get<DenseRows>(data.features);
  for (const ScaleKind scale : {ScaleKind::none, ScaleKind::standard}) {
    const Model model = random_model({.map = "linear", .classes = 0, .scale = scale});
    const Vector wanted = predict(model, data, {.variance = false}).mean;
    for (const Index shift : {1, 2, 3, 5}) {
      auto memory = Buffer<double>::allocate(rows.values.size() + shift);
      std::ranges::copy(rows.values.span(), memory.mutable_data() + shift);
      const auto owner = std::make_shared<Buffer<double>>(std::move(memory));
      Dataset moved = data;
      moved.features =
          DenseRows{rows.rows, rows.cols,
                    Buffer<double>::view(owner, owner->data() + shift, std::ssize(rows.values))};
      EXPECT_EQ(predict(model, moved, {.variance = false}).mean, wanted);
    }
  }
}

}  // namespace
}  // namespace ardent
