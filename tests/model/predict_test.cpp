#include "ardent/model/predict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ardent/base/parallel.h"
#include "ardent/model/combine.h"
#include "problems/models.h"

namespace ardent {
namespace {

using problems::map_of;
using problems::ModelKind;
using problems::random_data;
using problems::random_model;

/// Row-wise arithmetic with nothing but loops.
struct ByHand {
  const Model& model;
  const DenseRows& data;  // all 8 features

  std::vector<double> basis(Index i) const {
    std::vector<double> x;
    for (std::size_t k = 0; k < model.inputs.size(); ++k) {
      const double value = data.row(i)[model.inputs[k]];
      const auto s = static_cast<Index>(k);
      x.push_back((value - model.scaling.offset[s]) * model.scaling.factor[s]);
    }
    if (map_name(model) == "linear") return x;
    std::vector<double> phi;
    const bool rbf = map_name(model) == "rbf";
    const DenseRows points =
        rbf ? to_dense(map_of<RbfMap>(model).centres()) : map_of<ElmMap>(model).layer().weights;
    for (Index b = 0; b < points.rows; ++b) {
      double distance = 0, product = 0;
      for (std::size_t k = 0; k < x.size(); ++k) {
        distance += (x[k] - points.row(b)[k]) * (x[k] - points.row(b)[k]);
        product += x[k] * points.row(b)[k];
      }
      const double sigma = rbf ? map_of<RbfMap>(model).sigma() : 1;
      const double bias =
          rbf ? 0 : map_of<ElmMap>(model).layer().biases.at(static_cast<std::size_t>(b));
      phi.push_back(rbf ? std::exp(-distance / (sigma * sigma))
                        : 1 / (1 + std::exp(-product - bias)));
    }
    return phi;
  }

  /// φ of the part's weights, 1 for the bias at the end.
  std::vector<double> own_basis(Index i, const Posterior& posterior) const {
    const std::vector<double> phi = basis(i);
    std::vector<double> own;
    for (const Index k : posterior.active) own.push_back(phi[k]);
    if (posterior.has_bias) own.push_back(1);
    return own;
  }

  double mean(Index i, const Posterior& posterior) const {
    const std::vector<double> phi = own_basis(i, posterior);
    double f = posterior.bias;
    for (Index k = 0; k < posterior.mean.size(); ++k) {
      f += phi[k] * posterior.mean[k];
    }
    return f;
  }

  double variance(Index i, const Posterior& posterior) const {
    const std::vector<double> phi = own_basis(i, posterior);
    double v = 0;
    for (std::size_t a = 0; a < phi.size(); ++a) {
      for (std::size_t b = 0; b < phi.size(); ++b) {
        const auto r = static_cast<Index>(a), c = static_cast<Index>(b);
        const bool full = posterior.covariance.size() > 0;
        const double s = full ? posterior.covariance(r, c) : a == b ? posterior.variance[r] : 0;
        v += phi[a] * s * phi[b];
      }
    }
    return v;
  }

  double probability(Index i, const Posterior& posterior, bool plug_in) const {
    const bool joint = posterior.covariance.size() > 0;  // without it, probabilities are plug-in
    const double v = plug_in || !joint ? 0 : variance(i, posterior);
    return 1 / (1 + std::exp(-mean(i, posterior) / std::sqrt(1 + std::numbers::pi * v / 8)));
  }
};

TEST(Predict, TwoClassProbabilitiesMatchArithmeticByHandForEveryMap) {
  const Dataset data = random_data(50, 1);
  const auto& dense = std::get<DenseRows>(data.features);
  for (const ModelKind& kind :
       {ModelKind{.map = "linear"}, ModelKind{.map = "rbf"}, ModelKind{.map = "elm"},
        ModelKind{.map = "rbf", .sparse_centres = true},
        ModelKind{.map = "elm", .covariance = false}, ModelKind{.map = "linear", .bias = false}}) {
    const Model model = random_model(kind);
    const ByHand by_hand{model, dense};
    for (const bool plug_in : {false, true}) {
      const Prediction prediction = predict(model, data, {.plug_in = plug_in});
      for (Index i = 0; i < data.rows(); ++i) {
        const double p = by_hand.probability(i, model.parts[0].posterior, plug_in);
        ASSERT_NEAR(prediction.probabilities(i, 1), p, 1e-12);  // class 1 is the positive one
        ASSERT_NEAR(prediction.probabilities(i, 0), 1 - p, 1e-12);
        ASSERT_EQ(prediction.classes[i], p >= 0.5 ? 1u : 0u);
      }
    }
  }
}

TEST(Predict, PredictorsMatchArithmeticByHandForEveryMap) {
  const Dataset data = random_data(50, 1);
  const auto& dense = std::get<DenseRows>(data.features);
  for (const ModelKind& kind :
       {ModelKind{.map = "linear"}, ModelKind{.map = "rbf", .classes = 3},
        ModelKind{.map = "elm", .covariance = false}, ModelKind{.map = "linear", .bias = false}}) {
    const Model model = random_model(kind);
    const ByHand by_hand{model, dense};
    const Latent found = latent(model, data);
    ASSERT_EQ(found.moments.mean.cols(), std::ssize(model.parts));
    EXPECT_TRUE(found.draws.empty());
    for (Index p = 0; p < found.moments.mean.cols(); ++p) {
      const Posterior& posterior = model.parts[p].posterior;
      for (Index i = 0; i < data.rows(); ++i) {
        ASSERT_NEAR(found.moments.mean(i, p), by_hand.mean(i, posterior), 1e-12);
        ASSERT_NEAR(found.moments.variance(i, p), by_hand.variance(i, posterior), 1e-12);
      }
    }
  }
}

TEST(Predict, SparseAndDenseRowsPredictTheSame) {
  Dataset data = random_data(60, 2);
  for (const ModelKind& kind :
       {ModelKind{.map = "linear", .scale = ScaleKind::rms},
        ModelKind{.map = "linear", .covariance = false, .scale = ScaleKind::none},
        ModelKind{.map = "linear", .covariance = false, .scale = ScaleKind::standard},
        ModelKind{.map = "rbf", .scale = ScaleKind::none},
        ModelKind{.map = "rbf", .sparse_centres = true, .scale = ScaleKind::none},
        ModelKind{.map = "elm", .scale = ScaleKind::rms}}) {
    const Model model = random_model(kind);
    const Prediction dense = predict(model, data);
    const Dataset sparse{.features = to_sparse(std::get<DenseRows>(data.features)),
                         .labels = {},
                         .feature_names = {},
                         .source = "sparse"};
    for (const bool plug_in : {false, true}) {
      const Matrix difference = predict(model, data, {plug_in}).probabilities -
                                predict(model, sparse, {plug_in}).probabilities;
      EXPECT_LT(difference.cwiseAbs().maxCoeff(), 1e-6);  // scaled sparse values are float32
    }
  }
}

TEST(Predict, RegressionGivesMeanAndVarianceWithNoise) {
  const Dataset data = random_data(40, 3);
  for (const bool covariance : {true, false}) {
    const Model model = random_model({.map = "rbf", .classes = 0, .covariance = covariance});
    const ByHand by_hand{model, std::get<DenseRows>(data.features)};
    const Posterior& posterior = model.parts[0].posterior;
    const Prediction prediction = predict(model, data, {.plug_in = true});  // says nothing here
    EXPECT_TRUE(prediction.classes.empty());
    for (Index i = 0; i < data.rows(); ++i) {
      EXPECT_NEAR(prediction.mean[i], by_hand.mean(i, posterior), 1e-12);
      EXPECT_NEAR(prediction.variance[i], by_hand.variance(i, posterior) + posterior.noise_variance,
                  1e-12);
    }
  }
}

TEST(Predict, TheMeanIsTheSameWithoutItsVariance) {
  const Dataset data = random_data(9000, 4);
  for (const char* map : {"linear", "rbf", "elm"}) {
    const Model model = random_model({.map = map, .classes = 0});
    const Prediction both = predict(model, data);
    const Prediction mean = predict(model, data, {.variance = false});
    EXPECT_EQ(mean.mean, both.mean) << map;
    EXPECT_EQ(mean.variance.size(), 0);
    EXPECT_EQ(both.variance.size(), 9000);
  }
}

// More than two classes: σ(mean) is combined, or where asked for the posterior's averages.
TEST(Predict, OneAgainstRestNormalisesThePartsProbabilities) {
  const Dataset data = random_data(40, 4);
  const Model model = random_model({.map = "elm", .classes = 4});
  const ByHand by_hand{model, std::get<DenseRows>(data.features)};
  for (const bool moderated : {false, true}) {
    const Prediction prediction = predict(model, data, {.moderated = moderated});
    for (Index i = 0; i < data.rows(); ++i) {
      Vector p(4);
      for (Index c = 0; c < 4; ++c) {
        const Posterior& posterior = model.parts[c].posterior;
        p[c] = by_hand.probability(i, posterior, !moderated);
      }
      p /= p.sum();
      Index best = 0;
      p.maxCoeff(&best);
      EXPECT_LT((prediction.probabilities.row(i).transpose() - p).cwiseAbs().maxCoeff(), 1e-12);
      EXPECT_EQ(prediction.classes[i], best);
    }
  }
}

TEST(Predict, OfEquallyLikelyClassesTheFirstIsChosen) {
  Model model = random_model({.map = "elm", .classes = 3});
  for (Part& part : model.parts) {
    part.posterior.mean.setZero();
    part.posterior.bias = -1000;  // σ underflows to 0 for every class
  }
  const Prediction prediction = predict(model, random_data(2, 11), {.plug_in = true});
  EXPECT_EQ(prediction.probabilities, Matrix::Constant(2, 3, 1.0 / 3));
  EXPECT_EQ(prediction.classes, (std::vector<std::uint32_t>{0, 0}));
}

TEST(Predict, PairsAreCoupled) {
  const Dataset data = random_data(20, 5);
  const Model model = random_model({.map = "rbf", .classes = 4, .pairs = true});
  const ByHand by_hand{model, std::get<DenseRows>(data.features)};
  for (const bool moderated : {false, true}) {
    const Prediction prediction = predict(model, data, {.moderated = moderated});
    for (Index i = 0; i < data.rows(); ++i) {
      Matrix r = Matrix::Zero(4, 4);
      for (const Part& part : model.parts) {
        const double p = by_hand.probability(i, part.posterior, !moderated);
        r(part.positive, part.negative) = p;
        r(part.negative, part.positive) = 1 - p;
      }
      const Vector difference = prediction.probabilities.row(i).transpose() - couple_pairs(r);
      EXPECT_LT(difference.cwiseAbs().maxCoeff(), 1e-10);
      EXPECT_NEAR(prediction.probabilities.row(i).sum(), 1, 1e-12);
    }
  }
}

TEST(Predict, SameBitsForAnyNumberOfThreadsOverManyBlocks) {
  const Dataset data = random_data(20000, 6);
  for (const ModelKind& kind : {ModelKind{.map = "rbf", .classes = 3, .pairs = true},
                                ModelKind{.map = "linear", .covariance = false}}) {
    const Model model = random_model(kind);
    const ThreadScope one(1);
    const Prediction serial = predict(model, data);
    for (const int count : {2, 8}) {
      const ThreadScope several(count);
      EXPECT_EQ(predict(model, data).probabilities, serial.probabilities);
    }
  }
}

TEST(Predict, BiasAloneIsAModel) {
  Model model = random_model({.map = "rbf"});
  model.kind =
      EvidenceModel{std::make_shared<RbfMap>(DenseRows{0, 5, {}}, 1.7, std::vector<Index>{})};
  Posterior& posterior = model.parts[0].posterior;
  posterior = {};
  posterior.has_bias = true;
  posterior.bias = 0.7;
  posterior.variance = Vector::Constant(1, 2.0);
  posterior.covariance = Matrix::Constant(1, 1, 2.0);
  const Prediction prediction = predict(model, random_data(3, 7));
  EXPECT_DOUBLE_EQ(prediction.probabilities(2, 1), moderated(0.7, 2.0));
}

TEST(Predict, NoRowsGiveAnEmptyPrediction) {
  const Dataset none{
      .features = DenseRows{0, 8, {}}, .labels = {}, .feature_names = {}, .source = ""};
  EXPECT_EQ(predict(random_model({}), none).probabilities.rows(), 0);
}

}  // namespace
}  // namespace ardent
