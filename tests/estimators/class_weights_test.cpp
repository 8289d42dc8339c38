#include "ardent/estimators/class_weights.h"

#include <gmock/gmock.h>

#include "ardent/estimators/trainer.h"
#include "ardent/model/model_file.h"
#include "base/temporary_files.h"
#include "problems/models.h"

namespace ardent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

Dataset labelled(std::vector<double> labels) {
  Dataset data = problems::random_data(std::ssize(labels), 3);
  data.labels = make_labels(std::move(labels));
  return data;
}

TEST(ClassWeights, AreNamedOneByOne) {
  EXPECT_TRUE(parse_class_weights("none").empty());
  EXPECT_TRUE(parse_class_weights("balanced").empty());
  EXPECT_THAT(parse_class_weights("1=5,-1=0.5"), ElementsAre(Pair("1", 5), Pair("-1", 0.5)));
  EXPECT_THAT(parse_class_weights("a=b=2"), ElementsAre(Pair("a=b", 2)));
  for (const char* wrong : {"", "1", "1=", "=2", "1=0", "1=-1", "1=x", "1=2,", "1=1e300"}) {
    EXPECT_FALSE(is_class_weight(wrong)) << wrong;
    EXPECT_THAT(message_of([&] { parse_class_weights(wrong); }), HasSubstr("class_weight must be"));
  }
}

TEST(ClassWeights, MultiplyTheRowsWeights) {
  Dataset data = labelled({1, -1, 1, 2});
  apply_class_weights({{"+1", 5}, {"2", 3}}, make_classes(data.labels), data);
  EXPECT_THAT(data.weights, ElementsAre(5, 1, 5, 3));
  apply_class_weights({{"-1", 0.5}}, make_classes(data.labels), data);
  EXPECT_THAT(data.weights, ElementsAre(5, 0.5, 5, 3));
}

TEST(ClassWeights, OfNoClassOrTwiceAreRefused) {
  Dataset data = labelled({1, -1, 1});
  const ClassTable classes = make_classes(data.labels);
  EXPECT_THAT(message_of([&] {
                apply_class_weights({{"7", 5}}, classes, data);
              }),
              HasSubstr("names '7', and no row has that label"));
  EXPECT_THAT(message_of([&] {
                apply_class_weights({{"1", 5}, {"+1", 2}}, classes, data);
              }),
              HasSubstr("two class weights name the class '+1'"));
}

TEST(ClassWeights, TrainTheModelOfTheSameRowWeights) {
  Dataset data = problems::random_data(60, 4);
  std::vector<double> labels, weights;
  for (Index i = 0; i < 60; ++i) {
    labels.push_back(i % 3 == 0 ? 1 : -1);
    weights.push_back(i % 3 == 0 ? 5 : 0.5);
  }
  data.labels = make_labels(labels);
  const Model by_class = train(data, {.class_weight = "1=5,-1=0.5"});
  data.weights = weights;
  const Model by_row = train(data, {});
  EXPECT_EQ(by_class.parts[0].posterior.mean, by_row.parts[0].posterior.mean);
  EXPECT_EQ(by_class.options.at("class-weight"), "1=5,-1=0.5");
}

TEST(ClassWeights, RowWeightsBeyondTheLargestAreRefused) {
  Dataset data = labelled({1, -1, 1, -1});
  for (const double weight : {1e300, -1.0, double(NAN)}) {
    data.weights = {1, weight, 1, 1};
    EXPECT_THAT(message_of([&] { train(data, {}); }),
                HasSubstr("weights must be >= 0 and at most 1e+15"));
  }
}

}  // namespace
}  // namespace ardent
