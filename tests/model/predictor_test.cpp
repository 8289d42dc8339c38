#include "ardent/predictor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#include <thread>

#include "ardent/model/predict.h"
#include "ardent/model/public_model.h"
#include "base/temporary_files.h"
#include "problems/models.h"

namespace ardent {
namespace {

using problems::ModelKind;
using problems::random_data;
using problems::random_model;
using testing::HasSubstr;

std::vector<ModelKind> served_kinds() {
  std::vector<ModelKind> kinds;
  for (const char* map : {"linear", "rbf", "elm"}) {
    kinds.push_back({.map = map});
    kinds.push_back({.map = map, .classes = 4});
    kinds.push_back({.map = map, .classes = 4, .pairs = true});
    kinds.push_back({.map = map, .classes = 0});
    kinds.push_back({.map = map, .classes = 0, .covariance = false, .bias = false});
  }
  kinds.push_back({.map = "rbf", .sparse_centres = true, .scale = ScaleKind::rms});
  return kinds;
}

void expect_served(const Model& model, const Dataset& data, const v0::PredictOptions& options) {
  const v0::Predictor predictor(published(model), options);
  const Prediction expected = predict(model, data, internal_options(options));
  for (Index i = 0; i < data.rows(); ++i) {
    const auto row = std::get<DenseRows>(data.features).row(i);
    if (model.task == Task::regression) {
      const v0::RowMoments found = predictor.moments(row);
      EXPECT_NEAR(found.mean, expected.mean[i], 1e-12);
      EXPECT_NEAR(found.variance, expected.variance[i], 1e-12 * (1 + expected.variance[i]));
      EXPECT_EQ(predictor.mean(row), found.mean);
      continue;
    }
    std::vector<double> p(predictor.labels().size());
    EXPECT_EQ(predictor.classify(row, p), expected.classes[i]);
    EXPECT_EQ(predictor.classify(row), expected.classes[i]);
    for (std::size_t c = 0; c < p.size(); ++c) {
      EXPECT_NEAR(p[c], expected.probabilities(i, c), 1e-12);
    }
  }
}

TEST(Predictor, PredictsAsTheLibraryRowByRow) {
  for (const ModelKind& kind : served_kinds()) {
    SCOPED_TRACE(kind.map + " " + std::to_string(kind.classes));
    Model model = random_model(kind);
    expect_served(model, random_data(30, 3), {});
    expect_served(model, random_data(30, 4), {.moderated = true});
    expect_served(model, random_data(30, 5), {.plug_in = true});
    model.temperature = 2.5;
    if (kind.classes > 2) expect_served(model, random_data(30, 6), {});
  }
}

TEST(Predictor, ThreadsShareOne) {
  const Model model = random_model({.map = "rbf", .classes = 4, .pairs = true});
  const v0::Predictor predictor(published(model));
  const Dataset data = random_data(50, 7);
  const auto& rows = std::get<DenseRows>(data.features);
  std::vector<std::vector<double>> found(4, std::vector<double>(200));
  std::vector<std::thread> threads;
  for (std::vector<double>& own : found) {
    threads.emplace_back([&] {
      for (Index i = 0; i < 50; ++i)
        predictor.classify(rows.row(i), std::span(own).subspan(4 * i, 4));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<double>& own : found) EXPECT_EQ(own, found[0]);
}

TEST(Predictor, RefusesWhatItCannotPredict) {
  const v0::Predictor classes(published(random_model({.map = "rbf"})));
  const v0::Predictor regression(published(random_model({.classes = 0})));
  std::vector<double> row(8, 1.0), p(3);
  EXPECT_THAT(message_of([&] { classes.classify(std::span(row).first(7)); }),
              HasSubstr("the row has 7 numbers, but the model was trained with 8 features"));
  EXPECT_THAT(message_of([&] { classes.classify(row, p); }), HasSubstr("room for 3"));
  EXPECT_THAT(message_of([&] { classes.mean(row); }), HasSubstr("the model is a classification"));
  EXPECT_THAT(message_of([&] { regression.classify(row); }), HasSubstr("is a regression"));
  row[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(message_of([&] { classes.classify(row); }), HasSubstr("column 3 of the row is nan"));
  Model masks = random_model({});
  masks.parts.clear();
  masks.kind = DoublySparseModel{};
  EXPECT_THAT(message_of([&] { v0::Predictor(published(masks)); }), HasSubstr("doubly-sparse"));
}

}  // namespace
}  // namespace ardent
