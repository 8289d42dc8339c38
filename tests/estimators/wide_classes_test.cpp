#include "ardent/estimators/wide_classes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ardent/base/parallel.h"
#include "ardent/base/random.h"
#include "ardent/estimators/evaluation.h"
#include "ardent/estimators/trainer.h"
#include "ardent/model/model_file.h"
#include "ardent/model/predict.h"

namespace ardent {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr Index kClasses = 4;

/// Four classes; of each its own `own` columns are higher by `shift`.
Dataset expressions(Index rows, Index cols, Index own, double shift, std::uint64_t seed) {
  Random random(seed);
  Buffer<double> values = Buffer<double>::allocate(rows * cols);
  std::vector<std::string> names;
  for (Index i = 0; i < rows; ++i) {
    double* x = values.mutable_data() + i * cols;
    for (Index k = 0; k < cols; ++k) x[k] = random.normal();
    const Index c = i % kClasses;
    for (Index k = 0; k < own; ++k) x[c * own + k] += shift;
    names.push_back(std::to_string(c));
  }
  Dataset data;
  data.features = DenseRows{rows, cols, values};
  data.labels = make_labels(std::vector<std::string_view>(names.begin(), names.end()));
  data.source = "expressions";
  return data;
}

double log_loss(const Model& model, const Dataset& fresh) {
  return evaluate(model, fresh).classification.log_loss;
}

TEST(WideClasses, OneAgainstTheRestPredictsFreshRowsBetterThanPairs) {
  double chosen = 0, pairs = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Dataset data = expressions(60, 300, 4, 1.5, seed);
    const Dataset fresh = expressions(400, 300, 4, 1.5, 100 + seed);
    const Model model = train(data, {});
    ASSERT_EQ(std::ssize(model.parts), kClasses);
    EXPECT_EQ(model.parts[0].negative, -1);
    EXPECT_THAT(model.parts[0].report.notes, Contains(HasSubstr("classes: ovr by ")));
    chosen += log_loss(model, fresh);
    pairs += log_loss(train(data, {.multiclass = "ovo"}), fresh);
  }
  EXPECT_LT(chosen, 0.9 * pairs);
}

/// A hundred columns of each class, next to nothing in each.
TEST(WideClasses, ManyWeakColumnsAreShrunk) {
  const Dataset data = expressions(60, 500, 100, 0.4, 3);
  const Model model = train(data, {});
  EXPECT_THAT(model.parts[0].report.notes, Contains(HasSubstr("classes: ovr by shrinkage")));
  EXPECT_GT(model.parts[0].posterior.active.size(), 400u);
}

TEST(WideClasses, HasTheSameBytesForAnyNumberOfThreadsAndFromItsFile) {
  const Dataset data = expressions(50, 120, 3, 1.5, 5);
  const auto bytes = [&](int threads) {
    const ThreadScope scope(threads);
    return model_bytes(train(data, {}));
  };
  const std::string one = bytes(1);
  EXPECT_EQ(one, bytes(2));
  const Model loaded = model_from_bytes(one);
  EXPECT_EQ(loaded.options.at("multiclass"), "auto");
  const Dataset fresh = expressions(20, 120, 3, 1.5, 6);
  EXPECT_EQ(predict(loaded, fresh).probabilities, predict(train(data, {}), fresh).probabilities);
}

TEST(WideClasses, WhoAsksForSomethingElseGetsIt) {
  const Dataset data = expressions(40, 100, 3, 1.5, 7);
  EXPECT_TRUE(prefers_rest_of_wide(data, {}));
  EXPECT_FALSE(prefers_rest_of_wide(data, {.engine = "exact"}));
  EXPECT_FALSE(prefers_rest_of_wide(data, {.multiclass = "ovo"}));
  EXPECT_FALSE(prefers_rest_of_wide(data, {.support_prior = "none"}));
  EXPECT_FALSE(prefers_rest_of_wide(data, {.engine_options = {.keep_stages = true}}));
  EXPECT_FALSE(prefers_rest_of_wide(data, {.map = "rbf"}));
}

TEST(WideClasses, MoreRowsThanColumnsFewerThanFortyOrAClassOfOneRowArePairs) {
  EXPECT_FALSE(prefers_rest_of_wide(expressions(100, 100, 3, 1.5, 7), {}));
  EXPECT_FALSE(prefers_rest_of_wide(expressions(39, 100, 3, 1.5, 7), {}));
  Dataset data = expressions(40, 100, 3, 1.5, 7);
  EXPECT_TRUE(prefers_rest_of_wide(data, {}));
  data.weights.assign(40, 2.0);
  EXPECT_TRUE(prefers_rest_of_wide(data, {}));
  data.weights.assign(40, 3.0);
  EXPECT_FALSE(prefers_rest_of_wide(data, {})) << "as 120 rows";
  data.weights.assign(40, 1.5);
  for (std::size_t i = 4; i < 40; i += 4) data.weights[i] = 0;
  EXPECT_FALSE(prefers_rest_of_wide(data, {})) << "the first class has one row";
}

}  // namespace
}  // namespace ardent
