// --memory of convert and train: the same files, in a limited part of memory.
#include <gmock/gmock.h>

#include "cli/command_runner.h"

namespace ardent::cli_test {
namespace {

using testing::HasSubstr;

TEST_F(CommandTest, WithLittleMemoryTheSameFilesAreWritten) {
  // A cache of 17 MB, which --memory 16M leaves on disk.
  ASSERT_EQ(ardent("synth --rows 4000 --columns 20000 --nonzeros 250 -o rows.libsvm").status, 0);
  ASSERT_EQ(ardent("convert rows.libsvm -o free.cache --memory none").status, 0);
  const Outcome convert = ardent("convert rows.libsvm -o rows.cache --memory 16M");
  ASSERT_EQ(convert.status, 0) << convert.err;
  EXPECT_THAT(convert.err, HasSubstr("large arrays are left on disk"));
  EXPECT_TRUE(slurp(path("free.cache")) == slurp(path("rows.cache")));

  const std::string train = "train rows.cache --engine diagonal --max-stages 5 ";
  ASSERT_EQ(ardent(train + "--memory none -o free.model").status, 0);
  const Outcome limited = ardent(train + "--memory 16M -o limited.model --json");
  ASSERT_EQ(limited.status, 0) << limited.err;
  EXPECT_TRUE(slurp(path("free.model")) == slurp(path("limited.model")));
}

TEST_F(CommandTest, MemoryThatCannotBeIsRefused) {
  const Outcome wrong = ardent("train " + data("breast_cancer.csv") + " --memory 3X");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("memory must be 16M at least, written as 500M, 2G or 1.5T"));
  EXPECT_EQ(ardent("train " + data("breast_cancer.csv") + " --memory 16M").status, 0)
      << "what fits needs no disk";
}

}  // namespace
}  // namespace ardent::cli_test
