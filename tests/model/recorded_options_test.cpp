#include "ardent/model/recorded_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ardent/model/model_file.h"
#include "base/temporary_files.h"
#include "problems/models.h"

namespace ardent {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(RecordedOptions, NamesAndValuesOfEarlierVersionsAreReadAsTheyAreNow) {
  EXPECT_THAT(
      with_current_names({{"path", "on"}, {"start", "ones"}, {"vote", "refit"}, {"xi", "1"}}),
      ElementsAre(Pair("code-start", "ones"), Pair("keep-stages", "on"), Pair("vote", "residual"),
                  Pair("xi", "1")));
  const RecordedOptions now{{"keep-stages", "on"}, {"vote", "coefficients"}};
  EXPECT_EQ(with_current_names(now), now);
}

TEST(RecordedOptions, AModelFileOfAnEarlierVersionIsReadThatWay) {
  const TemporaryFiles files;
  Model model = problems::random_model({});
  model.options = {{"path", "on"}, {"refit", "on"}, {"start", "zero"}, {"vote", "refit"}};
  save_model(model, files.path("old.model"));
  EXPECT_THAT(load_model(files.path("old.model")).options,
              ElementsAre(Pair("code-start", "zero"), Pair("keep-stages", "on"),
                          Pair("refit", "on"), Pair("vote", "residual")));
}

}  // namespace
}  // namespace ardent
