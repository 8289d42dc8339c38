#include "ardent/base/option_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ardent/base/error.h"
#include "ardent/estimators/train_options.h"

namespace ardent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

enum class Colour { red, green };

struct Fields {
  double width = 0;
  double part = 0.5;
  double limit = INFINITY;
  double low = 1, high = 3;
  Index count = 3;
  std::uint64_t seed = 7;
  bool bias = true;
  std::string kind = "a";
  Colour colour = Colour::green;
  std::string file = "";
};

Schema schema(Fields& fields) {
  Schema schema;
  schema.add("width", fields.width, "", above(0), "auto");
  schema.add("part", fields.part, "", {.low = 0, .low_is_in = true, .high = 1});
  schema.add("limit", fields.limit, "", any_number(), "none", INFINITY);
  schema.add_range("reach", fields.low, fields.high, "", above(0));
  schema.add("kind", fields.kind, "", {"a", "b", "c"});
  schema.add("bias", fields.bias, "");
  schema.group("b", {where("kind", {"b"})});
  schema.add("count", fields.count, "", 1);
  schema.add("colour", fields.colour, "", {"red", "green"}).needing(where("bias", {"on"}));
  schema.group("c", {unless("kind", {"a"})});
  schema.add("seed", fields.seed, "").also_in("published");
  schema.group("");
  schema.add_text("file", fields.file, "", "FILE");
  return schema;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string refusal(const std::string& name, const std::string& text,
                    Spelling spelling = Spelling::flag) {
  Fields fields;
  Schema table = schema(fields);
  table.spell(spelling);
  return message_of([&] { table.set(name, text); });
}

TEST(Schema, DefaultsComeFromTheFields) {
  Fields fields;
  const auto values = schema(fields).values();
  EXPECT_EQ(values.at("width"), "auto");
  EXPECT_EQ(values.at("limit"), "none");
  EXPECT_EQ(values.at("reach"), "1:3");
  EXPECT_EQ(values.at("count"), "3");
  EXPECT_EQ(values.at("seed"), "7");
  EXPECT_EQ(values.at("bias"), "on");
  EXPECT_EQ(values.at("kind"), "a");
  EXPECT_EQ(values.at("colour"), "green");
}

TEST(Schema, SetsFieldsAndReadsThemBack) {
  Fields fields, copy;
  Schema table = schema(fields), copied = schema(copy);
  table.set("width", "0.1");
  table.set("part", "0");
  table.set("limit", "-5");
  table.set("reach", "0.3:0.7");
  table.set("count", "12");
  table.set("seed", "18446744073709551615");
  table.set("bias", "off");
  table.set("kind", "b");
  table.set("colour", "red");
  table.set("file", "a b");
  for (const auto& [name, text] : table.values()) copied.set(name, text);
  EXPECT_EQ(copy.width, 0.1);  // the text goes back to the very same double
  EXPECT_EQ(copy.part, 0);
  EXPECT_EQ(copy.limit, -5);
  EXPECT_EQ(copy.low, 0.3);
  EXPECT_EQ(copy.high, 0.7);
  EXPECT_EQ(copy.count, 12);
  EXPECT_EQ(copy.seed, ~std::uint64_t{0});
  EXPECT_FALSE(copy.bias);
  EXPECT_EQ(copy.kind, "b");
  EXPECT_EQ(copy.colour, Colour::red);
  EXPECT_EQ(copy.file, "a b");
  table.set("reach", "2");
  EXPECT_EQ(fields.low, fields.high);
}

TEST(Schema, RefusalsNameOptionRuleAndValue) {
  EXPECT_EQ(refusal("width", "-1"), "--width must be auto or a number > 0, not '-1'");
  EXPECT_EQ(refusal("width", "nan"), "--width must be auto or a number > 0, not 'nan'");
  EXPECT_EQ(refusal("width", "1x"), "--width must be auto or a number > 0, not '1x'");
  EXPECT_EQ(refusal("part", "1"), "--part must be a number >= 0 and < 1, not '1'");
  EXPECT_EQ(refusal("reach", "3:1"), "--reach must be a number > 0, or low:high, not '3:1'");
  EXPECT_EQ(refusal("reach", "0:1"), "--reach must be a number > 0, or low:high, not '0:1'");
  EXPECT_EQ(refusal("count", "0"), "--count must be a whole number >= 1, not '0'");
  EXPECT_EQ(refusal("bias", "yes"), "--bias must be on or off, not 'yes'");
  EXPECT_EQ(refusal("kind", "d"), "--kind must be one of a, b, c, not 'd'");
  EXPECT_EQ(refusal("colour", "blue"), "--colour must be one of red, green, not 'blue'");
  EXPECT_THAT(refusal("size", "1"), HasSubstr("there is no option 'size'"));
  EXPECT_EQ(refusal("count", "0", Spelling::plain), "count must be a whole number >= 1, not '0'");
  EXPECT_EQ(refusal("bias", "yes", Spelling::keyword),
            "fit_intercept= must be True or False, not 'yes'");
  Fields fields;
  EXPECT_EQ(message_of([&] { schema(fields).set("count", "0"); }).substr(0, 5), "count");
  EXPECT_EQ(fields.count, 3);
}

TEST(Schema, KeywordsAreScikitLearnsWhereItHasThem) {
  EXPECT_EQ(keyword_of("alpha-max"), "alpha_max");
  EXPECT_EQ(keyword_of("lambda"), "lam");
  EXPECT_EQ(keyword_of("seed"), "random_state");
  EXPECT_EQ(keyword_of("bias"), "fit_intercept");
  EXPECT_EQ(keyword_of("max-stages"), "max_iter");
  EXPECT_EQ(keyword_of("tolerance"), "tol");
  EXPECT_EQ(keyword_of("outer-tolerance"), "outer_tolerance");
}

TEST(Schema, ValidationFindsFieldsThatBreakTheirRule) {
  EXPECT_NO_THROW(validate_fields(Fields{}));
  EXPECT_EQ(message_of([] { validate_fields(Fields{.part = 1}); }),
            "part must be a number >= 0 and < 1, not '1'");
  EXPECT_EQ(message_of([] { validate_fields(Fields{.low = 4}); }),
            "reach must be a number > 0, or low:high, not '4:3'");
}

std::string idle(std::vector<std::pair<std::string, std::string>> given,
                 Spelling spelling = Spelling::flag) {
  Fields fields;
  Schema table = schema(fields);
  table.spell(spelling);
  for (const auto& [name, text] : given) table.set(name, text);
  return message_of([&] { table.refuse_idle(); });
}

TEST(Schema, GivenOptionsWithoutEffectAreRefusedWithAWordOnWhereTheyBelong) {
  EXPECT_EQ(idle({}), "accepted");
  EXPECT_EQ(idle({{"width", "2"}}), "accepted");
  // Given counts, even with the default's value.
  EXPECT_EQ(idle({{"count", "3"}}), "--count belongs to the kind b; the kind is a");
  EXPECT_EQ(idle({{"count", "3"}, {"kind", "b"}}), "accepted");
  EXPECT_EQ(idle({{"seed", "1"}}), "--seed belongs to the kind b or c; the kind is a");
  EXPECT_EQ(idle({{"seed", "1"}, {"kind", "c"}}), "accepted");
  EXPECT_EQ(idle({{"kind", "b"}, {"colour", "red"}, {"bias", "off"}}),
            "--colour belongs to --bias on; --bias is off");
  EXPECT_EQ(idle({{"seed", "1"}}, Spelling::keyword),
            "random_state= belongs to the kind b or c; the kind is a");
}

TEST(Schema, FixingAnOptionLeavesWhatHasAnEffectThen) {
  const auto names = [](const char* kind) {
    Fields fields;
    Schema table = schema(fields);
    table.fix("kind", kind);
    EXPECT_EQ(fields.kind, kind);
    if (std::string(kind) == "b") {
      EXPECT_TRUE(table.option("count").groups.empty());
    }
    std::vector<std::string> left;
    for (const Option& option : table.options()) left.push_back(option.name);
    return left;
  };
  EXPECT_THAT(names("a"), ElementsAre("width", "part", "limit", "reach", "bias", "file"));
  EXPECT_THAT(names("b"), ElementsAre("width", "part", "limit", "reach", "bias", "count", "colour",
                                      "seed", "file"));
}

TEST(Schema, AStructWithinAStructJoinsTheGroupAndItsConditions) {
  Fields fields;
  std::string map = "x";
  Schema outer;
  outer.add("map", map, "", {"x", "y"});
  outer.group("y", {where("map", {"y"})});
  outer.include(schema(fields));
  EXPECT_THAT(outer.option("width").groups, ElementsAre("y"));
  EXPECT_THAT(outer.option("seed").groups, ElementsAre("y", "c", "published"));
  outer.set("count", "1");
  EXPECT_EQ(message_of([&] { outer.refuse_idle(); }), "count belongs to the map y; the map is x");
  map = "y";
  EXPECT_EQ(message_of([&] { outer.refuse_idle(); }), "count belongs to the kind b; the kind is a");
}

TEST(Schema, EveryTrainingDefaultIsAcceptedByItsOwnRule) {
  TrainOptions options;
  Schema table = schema(options);
  for (const auto& [name, text] : table.values()) EXPECT_NO_THROW(table.set(name, text)) << name;
}

// A condition on an option that does not exist, or a value that it cannot have, would never hold.
TEST(Schema, EveryConditionOfTrainingNamesAnOptionAndItsValues) {
  TrainOptions options;
  Schema table = schema(options);
  for (const Option& option : table.options()) {
    for (const Condition& condition : option.needs) {
      for (const std::string& value : condition.values) {
        EXPECT_TRUE(table.option(condition.option).set(value)) << option.name << ' ' << value;
      }
    }
  }
}

}  // namespace
}  // namespace ardent
