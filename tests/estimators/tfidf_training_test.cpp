// Training with tfidf scaling: a linear model that prunes nearly all columns must still divide by
// the lengths that all of them give the rows, before and after it went through a file.
#include <gtest/gtest.h>

#include <cmath>

#include "ardent/data/synth.h"
#include "ardent/estimators/trainer.h"
#include "ardent/model/model_file.h"
#include "ardent/model/predict.h"
#include "base/temporary_files.h"

namespace ardent {
namespace {

/// f = bias + Σ w·x' with x' = the whole of `data` scaled by the formula, df from `train`.
Vector scores_by_hand(const Model& model, const SparseRows& train, const SparseRows& data) {
  std::vector<double> df(train.cols, 0.0);
  for (const std::uint32_t k : train.columns) ++df[k];
  Vector weight = Vector::Zero(train.cols);
  const Posterior& posterior = model.parts[0].posterior;
  for (std::size_t a = 0; a < posterior.active.size(); ++a) {
    const Index column = model.inputs[posterior.active[a]];
    weight[column] = posterior.mean[a];
  }
  Vector f(data.rows);
  for (Index i = 0; i < data.rows; ++i) {
    double squares = 0, product = 0;
    const auto row = static_cast<std::size_t>(i);
    for (auto e = data.offsets[row]; e < data.offsets[row + 1]; ++e) {
      const auto k = data.columns[e];
      const double idf = std::log((1.0 + static_cast<double>(train.rows)) / (1 + df[k])) + 1;
      const double x = static_cast<double>(data.values[e]) * idf;
      squares += x * x;
      product += weight[k] * x;
    }
    f[i] = posterior.bias + product / std::sqrt(squares);
  }
  return f;
}

TEST(TfidfTraining, PrunedModelPredictsAsTheWholeDataScaledByHand) {
  SynthOptions options{.rows = 400, .columns = 600, .nonzeros = 20, .relevant = 10, .seed = 2};
  const Synth train_set = make_synth(options);
  options.sample = 2;
  const Synth test_set = make_synth(options);
  TrainOptions train_options;
  train_options.scale = "tfidf";
  const Model model = train(train_set.data, train_options);
  ASSERT_LT(model.inputs.size(), 150u) << "most columns are pruned";
  ASSERT_GE(model.inputs.size(), 3u);
  EXPECT_EQ(model.scaling.kind, ScaleKind::tfidf);

  const TemporaryFiles files;
  save_model(model, files.path("tfidf.model"));
  const Model loaded = load_model(files.path("tfidf.model"));
  for (const Synth* synth : {&train_set, &test_set}) {
    const Vector f = scores_by_hand(model, std::get<SparseRows>(train_set.data.features),
                                    std::get<SparseRows>(synth->data.features));
    ASSERT_GT(f.maxCoeff() - f.minCoeff(), 2) << "the weights matter";
    const Prediction before = predict(model, synth->data, {.plug_in = true});
    const Prediction after = predict(loaded, synth->data, {.plug_in = true});
    EXPECT_EQ(after.probabilities, before.probabilities);
    const Index positive = model.parts[0].positive;
    for (Index i = 0; i < f.size(); ++i) {
      EXPECT_NEAR(before.probabilities(i, positive), 1 / (1 + std::exp(-f[i])), 2e-6) << i;
    }
  }
}

}  // namespace
}  // namespace ardent
