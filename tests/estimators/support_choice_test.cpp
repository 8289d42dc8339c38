#include "ardent/estimators/support_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ardent/estimators/trainer.h"
#include "ardent/model/model_file.h"
#include "problems/labelled.h"

namespace ardent {
namespace {

using problems::line;
using problems::two_classes;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Part& only_part(const Model& model) {
  return model.parts.at(0);
}

TEST(SupportChoice, ARegressionHasThePriceUnlessToldOtherwise) {
  const Dataset data = line(60, 80, 1);
  const Model priced = train(data, {.task = "regression", .support_prior = "auto"});
  EXPECT_EQ(priced.inputs, (std::vector<Index>{0, 2}));
  EXPECT_EQ(only_part(priced).report.candidates, 80);
  EXPECT_THAT(only_part(priced).report.notes, Contains(HasSubstr("beta-binomial (a regression)")));
  const Model alone = train(data, {.task = "regression", .support_prior = "none"});
  EXPECT_GT(alone.inputs.size(), 2u);
  EXPECT_EQ(only_part(alone).report.candidates, 0);
  EXPECT_THAT(only_part(alone).report.notes, IsEmpty());
}

TEST(SupportChoice, ClassesAreDecidedByHeldOutRows) {
  const Dataset data = two_classes(80, 60, 2);
  const Model chosen = train(data, {.support_prior = "auto"});
  EXPECT_THAT(only_part(chosen).report.notes, Contains(HasSubstr("of held-out rows")));
  const Model priced = train(data, {.support_prior = "beta-binomial"});
  const Model alone = train(data, {.support_prior = "none"});
  EXPECT_LT(priced.inputs.size(), alone.inputs.size());
  EXPECT_TRUE(chosen.inputs == priced.inputs || chosen.inputs == alone.inputs);
}

TEST(SupportChoice, FewCandidatesAndWideKernelsAreLeftAlone) {
  const Dataset data = two_classes(100, 4, 3);
  for (const char* map : {"linear", "rbf"}) {
    const Model chosen = train(data, {.map = map, .support_prior = "auto"});
    const Model alone = train(data, {.map = map, .support_prior = "none"});
    EXPECT_THAT(only_part(chosen).report.notes, Contains(HasSubstr("none (few candidates)")))
        << map;
    EXPECT_EQ(only_part(chosen).posterior.mean, only_part(alone).posterior.mean) << map;
  }
}

TEST(SupportChoice, ThePathHasNone) {
  const Model path = train(two_classes(80, 30, 4), {.engine = "path"});
  EXPECT_EQ(only_part(path).report.candidates, 0);
  EXPECT_TRUE(only_part(path).posterior.plug_in);
  EXPECT_THAT(only_part(path).report.notes, Contains(HasSubstr("path: lambda")));
}

TEST(SupportChoice, AModelFileKeepsWhatWasChosen) {
  const Model path =
      model_from_bytes(model_bytes(train(two_classes(80, 30, 4), {.engine = "path"})));
  EXPECT_TRUE(only_part(path).posterior.plug_in);
  EXPECT_THAT(only_part(path).report.notes, Contains(HasSubstr("path: lambda")));
  const Model priced = model_from_bytes(
      model_bytes(train(line(60, 80, 1), {.task = "regression", .support_prior = "auto"})));
  EXPECT_EQ(only_part(priced).report.candidates, 80);
}

}  // namespace
}  // namespace ardent
