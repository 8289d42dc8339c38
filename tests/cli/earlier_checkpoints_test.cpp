// Trainings that version 0.2 was killed in go on: tests/models/write.py has killed them.
#include <gmock/gmock.h>

#include "cli/command_runner.h"

namespace ardent::cli_test {
namespace {

using testing::HasSubstr;

class EarlierCheckpoints : public CommandTest {
 protected:
  /// The training goes on from the checkpoint to the model of one that was not killed. Not to the
  /// bit: the file has the rounding of the build that wrote it.
  void expect_goes_on(const std::string& training, const std::string& checkpoint,
                      const std::string& rows, const std::string& resume) {
    const Outcome whole = ardent(training + " --checkpoint whole.run -o whole.model");
    ASSERT_EQ(whole.status, 0) << whole.err;
    write("run", slurp(earlier_ + checkpoint));
    const std::string again = " --checkpoint run" + resume;
    EXPECT_THAT(ardent(training + " --seed 9" + again).err, HasSubstr("other data or "));
    const Outcome rest = ardent(training + again + " -o rest.model");
    ASSERT_EQ(rest.status, 0) << rest.err;
    expect_same_predictions("rest.model", "whole.model", rows);
  }

  const std::string earlier_ = ARDENT_SOURCE "/tests/models/0.2/";
};

TEST_F(EarlierCheckpoints, GoOn) {
#ifdef ARDENT_NATIVE
  GTEST_SKIP() << "the checkpoints have the default build's data: the native build scales them to "
                  "other last bits";
#endif
  const std::string rows = "'" ARDENT_SOURCE "/tests/models/0.1/";
  const std::string measures = rows + "measures.csv'", iris = rows + "iris.csv'";
  expect_goes_on("masks " + measures + " --chains 2 --burn-in 10 --sweeps 20 --draws 3",
                 "masks.checkpoint", measures, "");
  expect_goes_on("train " + iris + " --engine sequential --map rbf --sigma 1 --checkpoint-stages 1",
                 "train.checkpoint", iris, " --resume");
}

}  // namespace
}  // namespace ardent::cli_test
