// Models whose scaling has unit rows: the row's length counts columns that are no inputs.
#include <gmock/gmock.h>

#include <cmath>

#include "ardent/model/predict.h"
#include "model/model_bytes.h"

namespace ardent {
namespace {

using nlohmann::json;
using problems::random_data;
using problems::random_model;
using ::testing::AllOf;
using ::testing::HasSubstr;

const std::vector<float> kFactors{1.5F, 2, 1, 3.25F, 1, 1.75F, 4, 1.125F};

Model tfidf_model(const std::string& map = "linear") {
  Model model = random_model({.map = map, .bias = true, .scale = ScaleKind::rms});
  model.scaling.kind = ScaleKind::tfidf;
  model.scaling.every_factor = Buffer<float>::copy_of(kFactors);
  for (std::size_t k = 0; k < model.inputs.size(); ++k) {
    model.scaling.factor[k] = kFactors[model.inputs[k]];
  }
  return model;
}

/// σ(bias + Σ w·x·factor/length) of each row, with nothing but loops.
Vector plug_in_by_hand(const Model& model, const DenseRows& data) {
  const Posterior& posterior = model.parts[0].posterior;
  Vector p(data.rows);
  for (Index i = 0; i < data.rows; ++i) {
    double squares = 0;
    for (std::size_t k = 0; k < 8; ++k) {
      const double x = data.row(i)[k] * static_cast<double>(kFactors[k]);
      squares += x * x;
    }
    const double length = squares > 0 ? std::sqrt(squares) : 1;
    double f = posterior.bias;
    for (std::size_t a = 0; a < posterior.active.size(); ++a) {
      const auto column = static_cast<std::size_t>(model.inputs[posterior.active[a]]);
      f += posterior.mean[a] * data.row(i)[column] * static_cast<double>(kFactors[column]) / length;
    }
    p[i] = 1 / (1 + std::exp(-f));
  }
  return p;
}

TEST(TfidfModel, PredictionDividesByTheLengthOfTheWholeRow) {
  const Model model = tfidf_model();
  Dataset data = random_data(300, 4);
  const DenseRows dense = std::get<DenseRows>(data.features);
  const Vector expected = plug_in_by_hand(model, dense);
  const Index positive = model.parts[0].positive;
  const Matrix p = predict(model, data, {.plug_in = true}).probabilities;
  EXPECT_LT((p.col(positive) - expected).cwiseAbs().maxCoeff(), 1e-12);
  data.features = to_sparse(dense);
  const Matrix q = predict(model, data, {.plug_in = true}).probabilities;
  EXPECT_LT((q.col(positive) - expected).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(TfidfModel, ColumnsBeyondTrainingAreRefusedAndMissingSparseOnesAreZero) {
  const Model model = tfidf_model();
  std::vector<double> values(2 * 9, 1.0);
  Dataset data;
  data.features = DenseRows{2, 9, Buffer<double>::copy_of(values)};
  EXPECT_THROW(predict(model, data), InputError);
  values[8] = values[17] = 0;
  values[7] = values[16] = 0;
  const DenseRows wide{2, 9, Buffer<double>::copy_of(values)};
  data.features = wide;
  const Matrix expected = predict(model, data).probabilities;
  SparseRows narrow = to_sparse(wide);
  narrow.cols = 7;
  data.features = narrow;
  EXPECT_LT((predict(model, data).probabilities - expected).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(TfidfModel, NamedColumnsInAnotherOrderAreRefusedBecauseTheLengthNeedsThemAll) {
  Model model = tfidf_model();
  model.feature_names = {"n0", "n2", "n3", "n5", "n7"};
  Dataset data = random_data(5, 9);
  data.source = "mixed.csv";
  data.feature_names = {"n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7"};
  EXPECT_NO_THROW(predict(model, data));
  std::swap(data.feature_names[2], data.feature_names[3]);
  try {
    predict(model, data);
    FAIL() << "wrong lengths went unnoticed";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("mixed.csv"), HasSubstr("all 8 training columns")));
  }
}

class TfidfModelFile : public ModelFile {};

TEST_F(TfidfModelFile, RoundTripPredictsTheSameBits) {
  const Dataset data = random_data(100, 5);
  for (const char* map : {"linear", "rbf", "elm"}) {
    const Model model = tfidf_model(map);
    save_model(model, path_);
    const Model loaded = load_model(path_);
    EXPECT_EQ(loaded.scaling.kind, ScaleKind::tfidf);
    EXPECT_TRUE(std::ranges::equal(loaded.scaling.every_factor, kFactors));
    EXPECT_EQ(predict(loaded, data).probabilities, predict(model, data).probabilities);
  }
}

TEST_F(TfidfModelFile, OtherScalingsStoreNoFactorsOfUnusedColumns) {
  EXPECT_THAT(bytes_of(tfidf_model()), HasSubstr("scaling.every_factor"));
  EXPECT_THAT(bytes_of(random_model({.scale = ScaleKind::rms})),
              ::testing::Not(HasSubstr("every_factor")));
}

TEST_F(TfidfModelFile, FactorsThatContradictTheModelAreRefused) {
  const std::string bytes = bytes_of(tfidf_model());
  ASSERT_EQ(refusal(bytes), "");
  EXPECT_THAT(refusal(with_number(bytes, "scaling.every_factor", 1, std::nanf(""))),
              HasSubstr("not above zero and finite"));
  EXPECT_THAT(refusal(with_number(bytes, "scaling.every_factor", 1, 0.0F)),
              HasSubstr("not above zero and finite"));
  EXPECT_THAT(refusal(with_number(bytes, "scaling.every_factor", 2, 7.0F)), HasSubstr("column 3"));
  EXPECT_THAT(refusal(with_number(bytes, "scaling.offset", 0, 1.0)), HasSubstr("column 1"));
  json fewer = about_of(bytes);
  fewer["features"] = 9;
  EXPECT_THAT(refusal(with_about(bytes, fewer)), HasSubstr("8 factors"));
  json absent = header_json(bytes);
  absent["scaling.other"] = absent["scaling.every_factor"];
  absent.erase("scaling.every_factor");
  EXPECT_THAT(refusal(with_header(bytes, absent)), HasSubstr("every_factor is missing"));
  Model stray = random_model({.scale = ScaleKind::rms});
  stray.scaling.every_factor = Buffer<float>::copy_of(kFactors);
  EXPECT_THROW(save_model(stray, path_), InputError);
}

}  // namespace
}  // namespace ardent
