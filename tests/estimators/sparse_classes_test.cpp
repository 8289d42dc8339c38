// What `auto` does with sparse data of more than two classes: a planted topic model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "ardent/base/parallel.h"
#include "ardent/base/random.h"
#include "ardent/estimators/evaluation.h"
#include "ardent/estimators/sparse_choice.h"
#include "ardent/estimators/trainer.h"
#include "ardent/model/model_file.h"
#include "ardent/model/predict.h"

namespace ardent {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr Index kTopicWords = 13000;  // with 900 rows too many for a Hessian

template <class T>
Buffer<T> filled_buffer(const std::vector<T>& values) {
  auto buffer = Buffer<T>::allocate(values.size());
  std::copy(values.begin(), values.end(), buffer.mutable_data());
  return buffer;
}

/// Counts of 60 words a row. This share of them is of the 600 that its class has; the others are
/// any.
Dataset topic_rows(const std::vector<double>& class_of_row, std::uint64_t seed,
                   double share = 0.1) {
  Random random(seed);
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  for (const double c : class_of_row) {
    std::map<Index, int> counts;
    for (int word = 0; word < 60; ++word) {
      const bool own = random.uniform() < share;
      ++counts[own ? 20 * random.below(600) + static_cast<Index>(c) : random.below(kTopicWords)];
    }
    for (const auto& [column, count] : counts) {
      columns.push_back(static_cast<std::uint32_t>(column));
      values.push_back(static_cast<float>(count));
    }
    offsets.push_back(columns.size());
  }
  Dataset data;
  data.features =
      SparseRows{std::ssize(class_of_row), kTopicWords,           filled_buffer(offsets),
                 filled_buffer(columns),   filled_buffer(values), nullptr};
  data.labels = make_labels(class_of_row);
  data.source = "topics";
  return data;
}

std::vector<double> evenly(Index rows, Index classes) {
  std::vector<double> result;
  for (Index i = 0; i < rows; ++i) result.push_back(static_cast<double>(i % classes));
  return result;
}

std::vector<std::string> engines(const Model& model) {
  std::vector<std::string> result;
  for (const Part& part : model.parts) result.push_back(part.report.engine);
  return result;
}

TEST(SparseClasses, EachIsShrunkAgainstTheRest) {
  const Dataset data = topic_rows(evenly(900, 4), 1), fresh = topic_rows(evenly(400, 4), 2);
  const Model model = train(data, {});
  ASSERT_EQ(model.parts.size(), 4u);
  for (const Part& part : model.parts) EXPECT_EQ(part.negative, -1);
  EXPECT_THAT(engines(model), Each("shrinkage"));
  EXPECT_THAT(model.parts[0].report.notes, Contains(HasSubstr("classes: ovr at temperature")));
  EXPECT_THAT(model.parts[0].report.notes, Contains(HasSubstr("scale: ")));
  const Matrix p = predict(model, fresh).probabilities;
  EXPECT_GE(p.minCoeff(), 0);
  EXPECT_LT((p.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-12);
  EXPECT_EQ(predict(model_from_bytes(model_bytes(model)), fresh).probabilities, p);
  const auto scores = evaluate(model, fresh).classification;
  const auto converged = evaluate(train(data, {.engine = "diagonal"}), fresh).classification;
  EXPECT_LT(scores.log_loss, converged.log_loss - 0.1);
  EXPECT_GT(scores.accuracy, converged.accuracy);
}

/// Of no use where it made the probabilities of fresh rows worse.
TEST(SparseClasses, TheTemperatureHelpsFreshRows) {
  const Dataset fresh = topic_rows(evenly(600, 10), 4, 0.25);
  Model model = train(topic_rows(evenly(1000, 10), 3, 0.25), {});
  EXPECT_LT(model.temperature, 1) << "each is shrunk towards one in ten";
  const double with = evaluate(model, fresh).classification.log_loss;
  model.temperature = 1;
  EXPECT_LT(with, evaluate(model, fresh).classification.log_loss);
}

TEST(SparseClasses, FiveOfManyChooseTheStrengthForAll) {
  const Dataset data = topic_rows(evenly(960, 12), 5);
  const auto bytes = [&](int threads) {
    const ThreadScope scope(threads);
    return model_bytes(train(data, {}));
  };
  const auto once = bytes(1);
  EXPECT_EQ(once, bytes(2));
  const Model model = model_from_bytes(once);
  ASSERT_EQ(model.parts.size(), 12u);
  std::map<double, int> strengths;
  for (const Part& part : model.parts) ++strengths[part.posterior.alpha[0]];
  int most = 0;
  for (const auto& [alpha, count] : strengths) most = std::max(most, count);
  EXPECT_GE(most, 8) << "seven that follow, and the one in the middle";
}

TEST(SparseClasses, ARowAloneInItsClassIsAClass) {
  std::vector<double> classes = evenly(900, 3);
  classes.push_back(3);
  const Dataset data = topic_rows(classes, 6);
  const Model model = train(data, {});
  ASSERT_EQ(model.parts.size(), 4u);
  EXPECT_THAT(engines(model), Each("shrinkage"));
  EXPECT_THAT(model.parts[3].report.notes, Contains(HasSubstr("as the folds of other models")));
  EXPECT_THAT(model.parts[0].report.notes,
              Not(Contains(HasSubstr("as the folds of other models"))));
  EXPECT_LT((predict(model, data).probabilities.rowwise().sum().array() - 1).abs().maxCoeff(),
            1e-12);
}

TEST(SparseClasses, PairsForWhoAsksForThem) {
  const Model model = train(topic_rows(evenly(900, 3), 7), {.multiclass = "ovo"});
  ASSERT_EQ(model.parts.size(), 3u);
  for (const Part& part : model.parts) EXPECT_GE(part.negative, 0);
  EXPECT_THAT(engines(model), Each("shrinkage"));
  EXPECT_EQ(model.temperature, 1);
}

}  // namespace
}  // namespace ardent
