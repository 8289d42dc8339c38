// The enumerators of include/ardent/options.h are the options' words.
#include <gtest/gtest.h>

#include "ardent/base/error.h"
#include "ardent/base/given_options.h"
#include "ardent/estimators/coder_options.h"
#include "ardent/estimators/train_options.h"

namespace ardent {
namespace {

/// The words of an option are those of the enumerators, in order.
template <class Options>
void expect_words(const std::string& option, const std::vector<std::string>& enumerators) {
  Options options;
  Schema fields = schema(options);
  EXPECT_EQ(fields.option(option).choices, enumerators) << option;
}

template <class Options, class Enum>
std::string word(const std::string& option, Enum value) {
  Options options;
  Schema fields = schema(options);
  GivenOptions(fields).set(option, std::optional(value));
  return fields.option(option).get();
}

TEST(PublicOptions, EnumeratorsAreTheWordsOfTheSchema) {
  expect_words<TrainOptions>("engine", {"auto", "exact", "diagonal", "dqn", "probes", "sequential",
                                        "growing", "path", "shrinkage", "thinned"});
  expect_words<TrainOptions>("scale", {"auto", "minmax", "standard", "rms", "tfidf", "none"});
  expect_words<TrainOptions>("task", {"auto", "classification", "regression"});
  expect_words<CoderOptions>("method", {"sbl", "lasso"});

  EXPECT_EQ(word<TrainOptions>("map", v0::Map::linear), "linear");
  EXPECT_EQ(word<TrainOptions>("map", v0::Map::rbf), "rbf");
  EXPECT_EQ(word<TrainOptions>("map", v0::Map::elm), "elm");
  EXPECT_EQ(word<TrainOptions>("map", v0::Map::doubly_sparse), "doubly-sparse");
  EXPECT_EQ(word<TrainOptions>("map", v0::Map::dictionary), "dictionary");
  EXPECT_EQ(word<TrainOptions>("engine", v0::Engine::automatic), "auto");
  EXPECT_EQ(word<TrainOptions>("engine", v0::Engine::dqn), "dqn");
  EXPECT_EQ(word<TrainOptions>("engine", v0::Engine::shrinkage), "shrinkage");
  EXPECT_EQ(word<TrainOptions>("engine", v0::Engine::thinned), "thinned");
  EXPECT_EQ(word<TrainOptions>("scale", v0::Scale::rms), "rms");
  EXPECT_EQ(word<TrainOptions>("scale", v0::Scale::none), "none");
  EXPECT_EQ(word<TrainOptions>("task", v0::Task::regression), "regression");
  EXPECT_EQ(word<CoderOptions>("method", v0::CodingMethod::lasso), "lasso");
}

TEST(PublicOptions, FieldsAreTextsThatTheSchemaTakesBack) {
  TrainOptions options;
  Schema fields = schema(options);
  GivenOptions(fields)
      .set("map", std::optional(v0::Map::rbf))
      .set("sigma", std::optional(0.1))
      .set("centres", std::optional<Index>(7))
      .set("bias", std::optional(false))
      .set("seed", std::optional<std::uint64_t>(18446744073709551615U))
      .finish({{"alpha-max", "1e5"}});
  EXPECT_EQ(options.map, "rbf");
  EXPECT_EQ(options.sigma, 0.1);
  EXPECT_EQ(options.centres, 7);
  EXPECT_FALSE(options.engine_options.bias);
  EXPECT_EQ(options.seed, 18446744073709551615U);
  EXPECT_EQ(options.engine_options.alpha_max, 1e5);
  EXPECT_EQ(options.hidden, TrainOptions{}.hidden);  // not given: the default
}

TEST(PublicOptions, AnOptionWithoutEffectIsRefused) {
  TrainOptions options;
  Schema fields = schema(options);
  GivenOptions given(fields);
  given.set("hidden", std::optional<Index>(10));  // the map is linear
  EXPECT_THROW(given.finish({}), InputError);
}

}  // namespace
}  // namespace ardent
