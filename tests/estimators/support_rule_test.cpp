// A rule that several models share, and what has no choice.
#include "ardent/estimators/support_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ardent/estimators/trainer.h"
#include "ardent/model/model_file.h"
#include "ardent/model/predict.h"
#include "problems/labelled.h"

namespace ardent {
namespace {

using problems::line;
using problems::two_classes;
using ::testing::Contains;
using ::testing::HasSubstr;

TEST(SupportRule, TheCommonRuleIsThatOfMostWithTheMiddleStop) {
  const SupportRule priced{SupportChoice::beta_binomial};
  const auto path = [](Index step, Index reweighting) {
    return SupportRule{.path = PathPlace{step, reweighting}};
  };
  const SupportRule common = common_rule({path(50, 0), priced, path(10, 1), path(30, 2), priced});
  ASSERT_TRUE(common.path);
  EXPECT_EQ(common.path->step, 30);
  EXPECT_EQ(common.path->reweighting, 1);
  EXPECT_FALSE(common_rule({path(50, 0), priced, priced}).path);
  EXPECT_EQ(common_rule({priced, SupportRule{}}).prior, SupportChoice::beta_binomial);
}

/// Five classes make ten pairs.
TEST(SupportRule, OfManyPairsFiveChooseForAll) {
  const Index n = 250, m = 20, classes = 5;
  Random random(5);
  Buffer<double> values = Buffer<double>::allocate(n * m);
  std::vector<std::string> names;
  for (Index i = 0; i < n; ++i) {
    double* x = values.mutable_data() + i * m;
    for (Index k = 0; k < m; ++k) x[k] = random.normal();
    x[i % classes] += 2;
    names.push_back(std::to_string(i % classes));
  }
  Dataset data;
  data.features = DenseRows{n, m, values};
  data.labels = make_labels(std::vector<std::string_view>(names.begin(), names.end()));
  const Model model = train(data, {.multiclass = "ovo"});
  ASSERT_EQ(model.parts.size(), 10u);
  int own = 0, followed = 0;
  for (const Part& part : model.parts) {
    for (const std::string& note : part.report.notes) {
      if (!note.starts_with("support prior")) continue;
      own += note.find("log loss of held-out rows") != note.npos;
      followed += note.find("as the folds of most models chose") != note.npos;
    }
  }
  EXPECT_EQ(own, 5);
  EXPECT_EQ(followed, 5);
}

TEST(SupportRule, KernelsAreLeftAlone) {
  const Dataset data = two_classes(100, 20, 3);
  const Model chosen = train(data, {.map = "rbf"});
  const Model alone = train(data, {.map = "rbf", .support_prior = "none"});
  EXPECT_EQ(chosen.parts.at(0).posterior.mean, alone.parts.at(0).posterior.mean);
}

TEST(SupportRule, ThePathHasNone) {
  const Model path = train(two_classes(80, 30, 4), {.engine = "path"});
  EXPECT_EQ(path.parts.at(0).report.candidates, 0);
  EXPECT_TRUE(path.parts.at(0).posterior.plug_in);
  EXPECT_THAT(path.parts.at(0).report.notes, Contains(HasSubstr("path: lambda")));
}

TEST(SupportRule, AModelFileKeepsWhatWasChosen) {
  const Model path =
      model_from_bytes(model_bytes(train(two_classes(80, 30, 4), {.engine = "path"})));
  EXPECT_TRUE(path.parts.at(0).posterior.plug_in);
  EXPECT_THAT(path.parts.at(0).report.notes, Contains(HasSubstr("path: lambda")));
  const Model priced = model_from_bytes(model_bytes(
      train(line(60, 80, 1), {.task = "regression", .support_prior = "beta-binomial"})));
  EXPECT_EQ(priced.parts.at(0).report.candidates, 80);
}

}  // namespace
}  // namespace ardent
