// Training by every map on nasty data, prediction of nasty rows, and the model through its file.
#include <gtest/gtest.h>

#include <cmath>

#include "abuse/abuse_run.h"
#include "abuse/nasty_problem.h"
#include "ardent/estimators/trainer.h"
#include "ardent/model/model_file.h"
#include "ardent/model/predict.h"

namespace ardent {
namespace {

void expect_proper_prediction(const Prediction& found, bool regression, const std::string& story) {
  if (regression) {
    EXPECT_TRUE(found.mean.allFinite()) << story << "\n  " << found.mean.transpose();
    EXPECT_TRUE(found.variance.allFinite() && (found.variance.array() >= 0).all())
        << story << "\n  " << found.variance.transpose();
    return;
  }
  EXPECT_TRUE((found.probabilities.array() >= 0).all() && (found.probabilities.array() <= 1).all())
      << story << "\n  " << found.probabilities;
  for (Index i = 0; i < found.probabilities.rows(); ++i) {
    EXPECT_NEAR(found.probabilities.row(i).sum(), 1, 1e-9) << story;
  }
}

void shorten_chains(TrainOptions& options) {
  options.doubly_sparse.chains = 1;
  options.doubly_sparse.burn_in = 3;
  options.doubly_sparse.sweeps = 4;
  options.doubly_sparse.draws = 2;
}

TrainOptions nasty_train_options(const std::string& map, bool regression, Random& random) {
  TrainOptions options;
  options.map = map;
  options.task = regression ? "regression" : "classification";
  const std::array scales{"auto", "minmax", "standard", "rms", "none", "tfidf"};
  options.scale = abuse::pick(random, scales);
  options.hidden = 12;
  const std::array widths{0.0, 1e-200, 1e-3, 1.0, 1e3, 1e160};
  if (map == "rbf") options.sigma = abuse::pick(random, widths);
  const std::array deltas{0.0, 0.0, 1e-200, 1e3, 1e200};
  if (map == "doubly-sparse") options.doubly_sparse.delta = abuse::pick(random, deltas);
  if (random.below(8) == 0) options.class_weight = regression ? "none" : "balanced";
  if (random.below(8) == 0) options.engine_options.bias = map == "dictionary";
  if (map == "dictionary" && random.below(3) == 0) options.coder.method = "lasso";
  if (options.coder.method == "lasso") options.coder.lambda_ratio = 0.1;
  shorten_chains(options);
  return options;
}

/// Three classes of two, or the problem's own two.
Dataset nasty_dataset(const abuse::NastyProblem& problem, bool regression, Random& random) {
  abuse::NastyProblem own = problem;
  if (!regression && random.below(4) == 0) {
    for (Index i = 0; i < own.classes.size(); i += 3) own.classes[i] = 2;
  }
  return abuse::dataset_of(own, regression);
}

class MapAbuse : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Maps, MapAbuse, ::testing::ValuesIn(map_names()), [](const auto& map) {
  std::string name = map.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST_P(MapAbuse, TrainsAndPredictsOrSaysWhyNot) {
  abuse::run_abuse(GetParam().c_str(), 220, [&](std::uint64_t seed, std::string& story) {
    const abuse::NastyProblem problem = abuse::nasty_problem(seed);
    Random random(seed, 2);
    const bool regression = GetParam() != "dictionary" && random.below(2) == 0;
    const TrainOptions options = nasty_train_options(GetParam(), regression, random);
    story = fmt::format("{} {}, scale {}, sigma {:g}, {}", GetParam(),
                        regression ? "regression" : "classification", options.scale, options.sigma,
                        problem.story);
    const Dataset data = nasty_dataset(problem, regression, random);
    const Model model = train(data, options, abuse::patience());
    const Prediction found = predict(model, data);
    expect_proper_prediction(found, regression, story);
    const Model read = model_from_bytes(model_bytes(model));
    EXPECT_EQ(predict(read, data).mean, found.mean) << story;
    EXPECT_EQ(predict(read, data).probabilities, found.probabilities) << story;
    Dataset others = data;
    const double factor = abuse::pick(random, std::array{0.0, -3.0, 1e6, 1e-200});
    others.features = abuse::dense_rows(factor * problem.x);
    expect_proper_prediction(predict(model, others), regression, story + " (other rows)");
  });
}

}  // namespace
}  // namespace ardent
