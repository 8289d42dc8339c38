#include "ardent/model/model_inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ardent/base/error.h"
#include "ardent/model/predict.h"
#include "problems/models.h"

namespace ardent {
namespace {

using problems::random_data;
using problems::random_model;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::string refusal(const Model& model, const Dataset& data) {
  try {
    predict(model, data);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ModelInputs, FurtherColumnsMustBeEmpty) {
  const Model model = random_model({.map = "linear", .scale = ScaleKind::rms});
  std::vector<double> wide(2 * 9, 0.0);
  wide[0] = 1;
  Dataset data{.features = DenseRows{2, 9, Buffer<double>::copy_of(wide)},
               .labels = {},
               .feature_names = {},
               .source = "wide.csv"};
  Dataset sparse = data;
  sparse.features = to_sparse(std::get<DenseRows>(data.features));
  EXPECT_EQ(refusal(model, data), "");
  EXPECT_EQ(refusal(model, sparse), "");
  wide[17] = 3;
  data.features = DenseRows{2, 9, Buffer<double>::copy_of(wide)};
  sparse.features = to_sparse(std::get<DenseRows>(data.features));
  const auto reported = AllOf(HasSubstr("wide.csv"), HasSubstr("2 × 9"), HasSubstr("8 features"),
                              HasSubstr("row 2"), HasSubstr("column 9"));
  EXPECT_THAT(refusal(model, data), reported);
  EXPECT_THAT(refusal(model, sparse), reported);
}

TEST(ModelInputs, LibsvmValuesBeyondTheModelAreIgnoredWithACount) {
  const Model model = random_model({.map = "linear", .scale = ScaleKind::rms});
  Dataset within = random_data(6, 8);
  const auto& dense = std::get<DenseRows>(within.features);
  std::vector<double> wide;
  for (Index i = 0; i < 6; ++i) {
    wide.insert(wide.end(), dense.row(i).begin(), dense.row(i).end());
    wide.insert(wide.end(), {i < 2 ? 7.0 : 0.0, i == 1 ? 5.0 : 0.0});
  }
  Dataset data = within;
  data.features = DenseRows{6, 10, Buffer<double>::copy_of(wide)};
  data.source = "wide.libsvm";
  EXPECT_THAT(refusal(model, data), HasSubstr("leave the further columns out"));
  data.absent_is_zero = true;
  const Prediction found = predict(model, data);
  EXPECT_EQ(found.probabilities, predict(model, within).probabilities);
  const auto counted = ::testing::ElementsAre(
      "wide.libsvm: 3 values in 2 rows with an index beyond the model's 8 features are ignored");
  EXPECT_THAT(found.warnings, counted);
  data.features = to_sparse(std::get<DenseRows>(data.features));
  EXPECT_THAT(predict(model, data).warnings, counted);
}

TEST(ModelInputs, AbsentLibsvmColumnsAreZeroHoweverDense) {
  const Model model = random_model({.map = "linear", .scale = ScaleKind::standard});
  const Dataset one{
      .features =
          DenseRows{1, 8, Buffer<double>::copy_of(std::vector<double>{1, 2, 0, 0, 0, 0, 0, 0})},
      .labels = {},
      .feature_names = {},
      .source = "whole"};
  Dataset narrow = one;
  narrow.features = DenseRows{1, 2, Buffer<double>::copy_of(std::vector<double>{1, 2})};
  EXPECT_THAT(refusal(model, narrow), HasSubstr("give it all of them"));
  narrow.absent_is_zero = true;
  EXPECT_EQ(predict(model, narrow).probabilities, predict(model, one).probabilities);
}

TEST(ModelInputs, GapsGetWhatTheModelHasForThem) {
  Model model = random_model({.map = "linear"});
  Dataset data = random_data(5, 8);
  std::vector<double> values(std::get<DenseRows>(data.features).values.begin(),
                             std::get<DenseRows>(data.features).values.end());
  const auto with = [&](double value) {
    values[model.inputs[1]] = value;
    data.features = DenseRows{5, 8, Buffer<double>::copy_of(values)};
  };
  with(0.25);
  const Matrix expected = predict(model, data).probabilities;
  with(std::nan(""));
  data.has_gaps = true;
  EXPECT_THAT(refusal(model, data), HasSubstr("trained without --missing"));
  model.scaling.fill = Vector::Constant(std::ssize(model.inputs), 0.25);
  EXPECT_EQ(predict(model, data).probabilities, expected);
}

TEST(ModelInputs, MissingColumnsAreZeroInSparseRowsAndRefusedInDenseOnes) {
  const Model model = random_model({.map = "linear", .scale = ScaleKind::rms});
  Dataset full = random_data(30, 8);
  std::vector<double> values(std::get<DenseRows>(full.features).values.begin(),
                             std::get<DenseRows>(full.features).values.end());
  std::vector<double> narrow;
  for (std::size_t i = 0; i < 30; ++i) {
    for (std::size_t k = 4; k < 8; ++k) values[i * 8 + k] = 0;
    narrow.insert(narrow.end(), values.begin() + static_cast<Index>(i * 8),
                  values.begin() + static_cast<Index>(i * 8 + 4));
  }
  full.features = DenseRows{30, 8, Buffer<double>::copy_of(values)};
  Dataset data = full;
  data.features = DenseRows{30, 4, Buffer<double>::copy_of(narrow)};
  EXPECT_THAT(refusal(model, data), AllOf(HasSubstr("30 × 4"), HasSubstr("8 features")));
  data.features = to_sparse(std::get<DenseRows>(data.features));
  const Matrix difference = predict(model, data).probabilities - predict(model, full).probabilities;
  EXPECT_LT(difference.cwiseAbs().maxCoeff(), 1e-6);
}

TEST(ModelInputs, NamedColumnsAreFoundInAnyOrderAmongOthers) {
  Model model = random_model({.map = "elm"});
  model.feature_names = {"n0", "n2", "n3", "n5", "n7"};
  Dataset data = random_data(25, 9);
  data.feature_names = {"n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7"};
  const Matrix expected = predict(model, data).probabilities;

  // Reversed, with one more column in front.
  const auto& dense = std::get<DenseRows>(data.features);
  std::vector<double> values;
  for (Index i = 0; i < dense.rows; ++i) {
    values.push_back(99);
    for (std::size_t k = 8; k-- > 0;) values.push_back(dense.row(i)[k]);
  }
  Dataset reordered = data;
  reordered.features = DenseRows{25, 9, Buffer<double>::copy_of(values)};
  reordered.feature_names = {"other", "n7", "n6", "n5", "n4", "n3", "n2", "n1", "n0"};
  EXPECT_EQ(predict(model, reordered).probabilities, expected);
  reordered.features = to_sparse(std::get<DenseRows>(reordered.features));
  EXPECT_LT((predict(model, reordered).probabilities - expected).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(ModelInputs, NamesThatDifferAreRefusedByTheFirstThatDoes) {
  Model model = random_model({});
  model.feature_names = {"n0", "n2", "n3", "n5", "n7"};
  Dataset data = random_data(5, 10);
  data.feature_names = {"n0", "n1", "n2", "height", "n4", "weight", "n6", "n7"};
  EXPECT_THAT(refusal(model, data),
              AllOf(HasSubstr("'n3'"), HasSubstr("column 4"), HasSubstr("'height'")));
  data.feature_names = {"n0", "n3", "n2", "n3", "n4", "n9", "n5", "n7"};
  EXPECT_THAT(refusal(model, data), HasSubstr("two of that name"));
  data.feature_names.clear();
  EXPECT_EQ(refusal(model, data), "");
}

}  // namespace
}  // namespace ardent
