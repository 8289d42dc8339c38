#include "ardent/base/option_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ardent/base/error.h"
#include "ardent/estimators/train_options.h"

namespace ardent {
namespace {

struct Fields {
  double width = 0;
  Index count = 3;
  std::uint64_t seed = 7;
  bool bias = true;
  std::string kind = "a";
};

OptionTable table_of(Fields& fields) {
  OptionTable table;
  table.add("width", fields.width, "", 0, "auto");
  table.add("count", fields.count, "", 1);
  table.add("seed", fields.seed, "");
  table.add("bias", fields.bias, "");
  table.add("kind", fields.kind, "", {"a", "b"});
  return table;
}

std::string refusal(OptionTable& table, const std::string& name, const std::string& text) {
  try {
    table.set(name, text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(OptionTable, DefaultsComeFromTheFields) {
  Fields fields;
  const auto values = table_of(fields).values();
  EXPECT_EQ(values.at("width"), "auto");
  EXPECT_EQ(values.at("count"), "3");
  EXPECT_EQ(values.at("seed"), "7");
  EXPECT_EQ(values.at("bias"), "on");
  EXPECT_EQ(values.at("kind"), "a");
}

TEST(OptionTable, SetsFieldsAndReadsThemBack) {
  Fields fields, copy;
  OptionTable table = table_of(fields), copied = table_of(copy);
  table.set("width", "0.1");
  table.set("count", "12");
  table.set("seed", "18446744073709551615");
  table.set("bias", "off");
  table.set("kind", "b");
  for (const auto& [name, text] : table.values()) copied.set(name, text);
  EXPECT_EQ(copy.width, 0.1);  // the text goes back to the very same double
  EXPECT_EQ(copy.count, 12);
  EXPECT_EQ(copy.seed, ~std::uint64_t{0});
  EXPECT_FALSE(copy.bias);
  EXPECT_EQ(copy.kind, "b");
}

TEST(OptionTable, RefusalsNameOptionRuleAndValue) {
  Fields fields;
  OptionTable table = table_of(fields);
  EXPECT_EQ(refusal(table, "width", "-1"), "--width must be auto or a number > 0, not '-1'");
  EXPECT_EQ(refusal(table, "width", "nan"), "--width must be auto or a number > 0, not 'nan'");
  EXPECT_EQ(refusal(table, "width", "1x"), "--width must be auto or a number > 0, not '1x'");
  EXPECT_EQ(refusal(table, "count", "0"), "--count must be a whole number >= 1, not '0'");
  EXPECT_EQ(refusal(table, "bias", "yes"), "--bias must be on or off, not 'yes'");
  EXPECT_EQ(refusal(table, "kind", "c"), "--kind must be one of a, b, not 'c'");
  EXPECT_THAT(refusal(table, "size", "1"), testing::HasSubstr("there is no option 'size'"));
  EXPECT_EQ(fields.count, 3);
}

TEST(OptionTable, EveryTrainingDefaultIsAcceptedByItsOwnRule) {
  TrainOptions options;
  OptionTable table = option_table(options);
  for (const auto& [name, text] : table.values()) EXPECT_NO_THROW(table.set(name, text)) << name;
}

}  // namespace
}  // namespace ardent
