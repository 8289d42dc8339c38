#include "ardent/estimators/dictionary_training.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <fstream>
#include <set>
#include <sstream>

#include "ardent/base/error.h"
#include "ardent/base/random.h"
#include "ardent/estimators/evaluation.h"
#include "ardent/inference/coding/make_dictionary.h"
#include "ardent/inference/coding/weighted_lasso.h"
#include "ardent/model/model_file.h"
#include "base/temporary_files.h"
#include "problems/random_matrix.h"

namespace ardent {
namespace {

/// Rows of three classes, each near a line of its own in 12 dimensions; lengths differ.
Dataset lines(Index rows, std::uint64_t seed, double noise = 0.3) {
  const Matrix directions = problems::random_matrix(3, 12, 99);
  Matrix x = noise * problems::random_matrix(rows, 12, seed);
  std::vector<std::string_view> labels;
  Random random(seed, 1);
  for (Index i = 0; i < rows; ++i) {
    x.row(i) += directions.row(i % 3);
    x.row(i) *= std::exp(random.normal());
    labels.push_back(i % 3 == 0 ? "red" : i % 3 == 1 ? "green" : "blue");
  }
  Dataset data;
  data.features = problems::dense_rows(x);
  data.labels = make_labels(labels);
  data.source = "lines";
  return data;
}

TrainOptions dictionary_options() {
  TrainOptions options;
  options.map = "dictionary";
  return options;
}

DictionaryModel dictionary_of(const Model& model) {
  return std::get<DictionaryModel>(model.kind);
}

TEST(DictionaryTraining, ClassesOfTheAtomsVote) {
  const Dataset training = lines(90, 1);
  const Dataset test = lines(60, 2);
  TrainOptions options = dictionary_options();
  options.coder.method = "lasso";
  options.coder.lambda_ratio = 0.2;
  options.vote = "coefficients";
  const Model model = train(training, options);
  const Prediction prediction = predict(model, test);
  // The same by hand: unit rows, one LASSO, sums of |θ| by class.
  const auto dictionary = make_dictionary(training.features, true);
  const auto truth = encode(training.labels, model.classes);
  double nonzeros = 0;
  for (Index i = 0; i < 60; ++i) {
    const auto row = std::get<DenseRows>(test.features).row(i);
    const Vector y = Eigen::Map<const Vector>(row.data(), 12).normalized();
    Matrix rho;
    dictionary->correlate(y, rho);
    const auto lasso =
        weighted_lasso(*dictionary, y, Vector::Ones(90), 0.2 * rho.cwiseAbs().maxCoeff());
    Vector sums = Vector::Zero(3);
    for (std::size_t k = 0; k < lasso.code.active.size(); ++k) {
      sums[truth[lasso.code.active[k]]] += std::abs(lasso.code.theta[k]);
    }
    nonzeros += static_cast<double>(lasso.code.active.size());
    Index best = 0;
    sums.maxCoeff(&best);
    EXPECT_EQ(prediction.classes[i], best);
    const Vector expected = 0.99 * sums / sums.sum() + Vector::Constant(3, 0.01 / 3);
    EXPECT_LT((prediction.probabilities.row(i).transpose() - expected).norm(), 1e-6);
    EXPECT_NEAR(prediction.probabilities.row(i).sum(), 1, 1e-12);
  }
  EXPECT_NEAR(prediction.active, nonzeros / 60, 1e-12);
  EXPECT_TRUE(prediction.warnings.empty());
  const Evaluation evaluation = evaluate(model, test);
  EXPECT_GT(evaluation.classification.accuracy, 0.9);
  EXPECT_EQ(evaluation.active, prediction.active);
  EXPECT_EQ(evaluation.total, 90);
}

TEST(DictionaryTraining, TheClassThatExplainsTheRowAloneWins) {
  const Dataset training = lines(300, 1);
  const Dataset test = lines(60, 2);
  TrainOptions options = dictionary_options();
  options.coder.method = "lasso";
  options.coder.lambda_ratio = 0.2;
  const Model model = train(training, options);
  const double c = dictionary_of(model).sharpness;
  EXPECT_GT(c, 0.25);
  EXPECT_LT(c, 256);
  const Prediction prediction = predict(model, test);
  // The same by hand: one LASSO, then least squares (by QR) over each class's atoms in the code.
  const auto dictionary = make_dictionary(training.features, true);
  const auto truth = encode(training.labels, model.classes);
  for (Index i = 0; i < 60; ++i) {
    const auto row = std::get<DenseRows>(test.features).row(i);
    const Vector y = Eigen::Map<const Vector>(row.data(), 12).normalized();
    Matrix rho;
    dictionary->correlate(y, rho);
    const auto lasso =
        weighted_lasso(*dictionary, y, Vector::Ones(300), 0.2 * rho.cwiseAbs().maxCoeff());
    Vector p = Vector::Ones(3);
    for (Index k = 0; k < 3; ++k) {
      Matrix own(12, 0);
      for (const Index atom : lasso.code.active) {
        if (truth[atom] != k) continue;
        own.conservativeResize(12, own.cols() + 1);
        const auto values = std::get<DenseRows>(training.features).row(atom);
        own.rightCols(1) = Eigen::Map<const Vector>(values.data(), 12);
      }
      if (own.cols() > 0) {
        p[k] = std::pow((y - own * own.colPivHouseholderQr().solve(y)).squaredNorm(), -c);
      }
    }
    const Vector expected = 0.99 * p / p.sum() + Vector::Constant(3, 0.01 / 3);
    EXPECT_LT((prediction.probabilities.row(i).transpose() - expected).norm(), 1e-6);
  }
  // The sharpness was fitted on training rows; on test rows it beats the published shares.
  options.vote = "coefficients";
  const double published = evaluate(train(training, options), test).classification.log_loss;
  EXPECT_LT(evaluate(model, test).classification.log_loss, published);
}

TEST(DictionaryTraining, FewRowsGiveAGuessedSharpness) {
  EXPECT_EQ(dictionary_of(train(lines(18, 1), dictionary_options())).sharpness, 5);
}

TEST(DictionaryTraining, SomeTensOfRowsAreHeldOutByFolds) {
  Model model = train(lines(90, 1, 1.5), dictionary_options());
  const Dataset fresh = lines(300, 2, 1.5);
  const double loss = evaluate(model, fresh).classification.log_loss;
  std::get<DictionaryModel>(model.kind).sharpness = 5;
  EXPECT_LT(loss, 0.9 * evaluate(model, fresh).classification.log_loss);
}

TEST(DictionaryTraining, AModelFilePredictsTheSameBits) {
  const TemporaryFiles files;
  TrainOptions options = dictionary_options();
  options.atoms = 30;
  options.coder.lambda = 0.01;
  options.coder.nonnegative = true;
  const Model model = train(lines(90, 3), options);
  save_model(model, files.path("a.model"));
  const Model loaded = load_model(files.path("a.model"));
  EXPECT_EQ(dictionary_of(loaded).classes, dictionary_of(model).classes);
  EXPECT_EQ(dictionary_of(loaded).coding.lambda, 0.01);
  EXPECT_TRUE(dictionary_of(loaded).coding.nonnegative);
  const Dataset test = lines(30, 4);
  EXPECT_EQ(predict(loaded, test).probabilities, predict(model, test).probabilities);
  save_model(loaded, files.path("b.model"));
  const auto slurp = [&](const std::string& name) {
    std::ifstream file(files.path(name), std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  };
  EXPECT_EQ(slurp("a.model"), slurp("b.model"));
}

TEST(DictionaryTraining, AtomsAreDrawnEvenlyAndZerosLeftOut) {
  Dataset data = lines(60, 5);
  auto rows = std::get<DenseRows>(data.features);
  for (Index k = 0; k < 12; ++k) rows.values.mutable_data()[7 * 12 + k] = 0;  // row 8 is zero
  TrainOptions options = dictionary_options();
  options.atoms = 10;
  const Model model = train(data, options);
  const std::vector<std::uint32_t> classes = dictionary_of(model).classes;
  const std::multiset<std::uint32_t> counts(classes.begin(), classes.end());
  EXPECT_EQ(counts.count(0), 4u);
  EXPECT_EQ(counts.count(1), 3u);
  EXPECT_EQ(counts.count(2), 3u);
  EXPECT_EQ(origin(train(data, options)), origin(model));
  options.seed = 2;
  EXPECT_NE(origin(train(data, options)), origin(model));
  options.atoms = 0;
  const Model all = train(data, options);
  EXPECT_EQ(all.total, 59);
  EXPECT_FALSE(std::ranges::binary_search(origin(all), 7));
}

TEST(DictionaryTraining, ARowWithoutACodeTakesTheNearestAtomAndIsCounted) {
  TrainOptions options = dictionary_options();
  options.coder.lambda_ratio = 1;  // every code is zero
  const Dataset test = lines(30, 7, 0.05);
  const Model model = train(lines(30, 6, 0.05), options);
  const Prediction prediction = predict(model, test);
  ASSERT_EQ(prediction.warnings.size(), 1u);
  EXPECT_THAT(prediction.warnings[0], ::testing::HasSubstr("30 of 30 rows have the code zero"));
  EXPECT_EQ(evaluate(model, test).classification.accuracy, 1);
  // A row of zeros is near nothing: every class is as likely.
  Dataset silent = test;
  silent.features = problems::dense_rows(Matrix::Zero(1, 12));
  silent.labels = {};
  const Prediction even = predict(model, silent);
  EXPECT_NEAR(even.probabilities(0, 0), 1.0 / 3, 1e-12);
}

TEST(DictionaryTraining, RefusesWhatItCannotDo) {
  Dataset data = lines(30, 8);
  TrainOptions options = dictionary_options();
  options.task = "regression";
  EXPECT_THROW(train(data, options), InputError);
  options = dictionary_options();
  options.coder.method = "lasso";
  EXPECT_THAT(message_of([&] { train(data, options); }),
              ::testing::HasSubstr("needs lambda or lambda-ratio"));
  options = dictionary_options();
  Model model = train(data, options);
  std::get<DictionaryModel>(model.kind).classes[3] = 9;
  const TemporaryFiles files;
  EXPECT_THROW(save_model(model, files.path("bad.model")), InputError);
  model = train(data, options);
  std::get<DictionaryModel>(model.kind).classes.pop_back();
  EXPECT_THROW(save_model(model, files.path("bad.model")), InputError);
}

}  // namespace
}  // namespace ardent
