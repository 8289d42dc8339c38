#include "ardent/estimators/grid_spec.h"

#include <gmock/gmock.h>

#include "ardent/base/error.h"

namespace ardent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> values(const std::string& axis) {
  return Grid(std::vector<std::string>{axis}).axes().front().values;
}

std::string refusal(const std::vector<std::string>& axes) {
  try {
    const Grid grid(axes);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(GridSpec, ItemsAreValuesPowersAndRanges) {
  EXPECT_THAT(values("sigma=3,0.5,1e-3,auto"), ElementsAre("3", "0.5", "0.001", "auto"));
  EXPECT_THAT(values("sigma=2^-3"), ElementsAre("0.125"));
  EXPECT_THAT(values("sigma=2^-2:2^2"), ElementsAre("0.25", "0.5", "1", "2", "4"));
  EXPECT_THAT(values("hidden=2^5:2^7,500"), ElementsAre("32", "64", "128", "500"));
  EXPECT_THAT(values("seed=1:5"), ElementsAre("1", "2", "3", "4", "5"));
  EXPECT_THAT(values("seed=7:7"), ElementsAre("7"));
  EXPECT_THAT(values("hidden=10:25:5"), ElementsAre("10", "15", "20", "25"));
  EXPECT_THAT(values("hidden=10:24:5"), ElementsAre("10", "15", "20"));
  EXPECT_THAT(values("map=linear,rbf,elm"), ElementsAre("linear", "rbf", "elm"));
  EXPECT_THAT(values("bias=on,off"), ElementsAre("on", "off"));
}

TEST(GridSpec, TheIssuesExampleHas220Points) {
  const Grid grid(std::vector<std::string>{"sigma=2^-5:2^5", "hidden=50,100,150,200", "seed=1:5"});
  EXPECT_EQ(grid.size(), 11 * 4 * 5);
  EXPECT_EQ(grid.axes()[0].values.front(), "0.03125");
  EXPECT_EQ(grid.axes()[0].values.back(), "32");
}

TEST(GridSpec, StepsOfATenthDoNotDriftAndReachTheEnd) {
  EXPECT_THAT(values("sigma=0.1:0.7:0.1"),
              ElementsAre("0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7"));
  EXPECT_EQ(values("sigma=0.01:1:0.01").size(), 100u);
  EXPECT_EQ(values("sigma=0.01:1:0.01").back(), "1");
}

TEST(GridSpec, TheLastAxisVariesFastest) {
  const Grid grid(std::vector<std::string>{"map=linear,elm", "hidden=5:7"});
  ASSERT_EQ(grid.size(), 6);
  EXPECT_THAT(grid.values(0), ElementsAre("linear", "5"));
  EXPECT_THAT(grid.values(1), ElementsAre("linear", "6"));
  EXPECT_THAT(grid.values(5), ElementsAre("elm", "7"));
  EXPECT_EQ(grid.name(4), "map=elm, hidden=6");
  TrainOptions base;
  base.scale = "rms";
  base.hidden = 99;
  const TrainOptions options = grid.options(base, 4);
  EXPECT_EQ(options.map, "elm");
  EXPECT_EQ(options.hidden, 6);
  EXPECT_EQ(options.scale, "rms");
}

TEST(GridSpec, EveryOptionOfTrainingMayBeAGrid) {
  TrainOptions options;
  const Schema table = schema(options);
  for (const Option& option : table.options()) {
    EXPECT_THAT(values(option.name + "=" + option.get()), ElementsAre(option.get()));
  }
}

TEST(GridSpec, RefusalsNameOptionItemAndRule) {
  EXPECT_THAT(refusal({"sigma"}), HasSubstr("NAME=LIST"));
  EXPECT_THAT(refusal({"sigm=1"}), HasSubstr("there is no option 'sigm'; there are: task, map"));
  EXPECT_EQ(refusal({"sigma=1,-2"}),
            "--grid sigma: item '-2': --sigma must be auto or a number > 0, not '-2'");
  EXPECT_THAT(refusal({"hidden=1.5"}), HasSubstr("item '1.5': --hidden must be a whole number"));
  EXPECT_THAT(refusal({"hidden=2^0.5"}), HasSubstr("item '2^0.5': --hidden must be"));
  EXPECT_THAT(refusal({"map=linear,rfb"}), HasSubstr("item 'rfb': --map must be one of linear"));
  EXPECT_THAT(refusal({"sigma="}), HasSubstr("item ''"));
  EXPECT_THAT(refusal({"sigma=1,,2"}), HasSubstr("item ''"));
  EXPECT_THAT(refusal({"sigma=2^"}), HasSubstr("item '2^'"));
  EXPECT_THAT(refusal({"sigma=2^5000"}), HasSubstr("item '2^5000'"));
  EXPECT_THAT(refusal({}), HasSubstr("at least one"));
}

TEST(GridSpec, RangesThatMakeNoSenseAreRefused) {
  EXPECT_THAT(refusal({"seed=5:1"}), HasSubstr("a <= b"));
  EXPECT_THAT(refusal({"seed=1:5:0"}), HasSubstr("step > 0"));
  EXPECT_THAT(refusal({"seed=1:5:-1"}), HasSubstr("step > 0"));
  EXPECT_THAT(refusal({"sigma=0.5:2.5"}), HasSubstr("a:b (whole numbers) or a:b:step"));
  EXPECT_THAT(refusal({"sigma=1:2:nan"}), HasSubstr("step > 0"));
  EXPECT_THAT(refusal({"sigma=1:inf:1"}), HasSubstr("a <= b"));
  EXPECT_THAT(refusal({"sigma=2^3:2^1"}), HasSubstr("whole numbers a <= b"));
  EXPECT_THAT(refusal({"sigma=2^0.5:2^3"}), HasSubstr("whole numbers a <= b"));
  EXPECT_THAT(refusal({"sigma=2^1:8"}), HasSubstr("a range is"));
  EXPECT_THAT(refusal({"sigma=2^1:2^9:2"}), HasSubstr("a range is"));
  EXPECT_THAT(refusal({"seed=1:2:3:4"}), HasSubstr("two or three"));
  EXPECT_THAT(refusal({"map=linear:rbf"}), HasSubstr("a range is"));
}

TEST(GridSpec, HugeRangesAndProductsAreRefusedBeforeTheyAreMade) {
  EXPECT_THAT(refusal({"seed=0:9223372036854775807"}), HasSubstr("more than 100000 values"));
  EXPECT_THAT(refusal({"sigma=1:1e300:1e-300"}), HasSubstr("more than 100000 values"));
  EXPECT_THAT(refusal({"sigma=1:1e9:0.5"}), HasSubstr("more than 100000 values"));
  EXPECT_THAT(refusal({"seed=1:1000", "hidden=1:101"}), HasSubstr("101000 points"));
  EXPECT_EQ(refusal({"seed=1:1000", "hidden=1:100"}), "accepted");
  EXPECT_THAT(values("seed=1:9223372036854775807:9223372036854775805"),
              ElementsAre("1", "9223372036854775806"));
}

TEST(GridSpec, TheSameOptionOrValueTwiceIsRefused) {
  EXPECT_THAT(refusal({"sigma=1,1.0"}), HasSubstr("the value 1 is named twice"));
  EXPECT_THAT(refusal({"seed=1:5,3"}), HasSubstr("item '3': the value 3 is named twice"));
  EXPECT_THAT(refusal({"sigma=1", "sigma=2"}), HasSubstr("--grid sigma is given twice"));
}

}  // namespace
}  // namespace ardent
