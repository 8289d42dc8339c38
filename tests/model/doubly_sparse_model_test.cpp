#include "ardent/model/doubly_sparse_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ardent/model/model_check.h"
#include "ardent/model/predict.h"
#include "model/model_bytes.h"

namespace ardent {
namespace {

/// Two draws over two of three features, centres (1, 0) and (0, 2).
Model two_draws(Task task) {
  Model model;
  model.task = task;
  model.features = 3;
  model.inputs = {0, 2};
  model.scaling = {ScaleKind::none, Vector::Zero(2), Vector::Ones(2)};
  DoublySparseModel doubly_sparse;
  doubly_sparse.centres = DenseRows{2, 2, Buffer<double>::copy_of(std::vector<double>{1, 0, 0, 2})};
  doubly_sparse.origin = {4, 7};
  model.total = 9;
  model.options = {{"sampler", "collapsed"}};
  Part part;
  if (task == Task::classification) {
    model.classes = {{"yes", "no"}, {}, 0};
    part.positive = 0;
    part.negative = 1;
  }
  doubly_sparse.samples = {{{{{0, 1}, {1, 0}, Eigen::Vector2d(2, -1), 0.5, 0.3, 0.1},
                             {{1}, {0}, Vector::Constant(1, 3), -0.25, 0.7, 0.2}},
                            {0.5, 1}}};
  model.kind = doubly_sparse;
  part.posterior.has_bias = true;
  part.posterior.variance = Vector::Zero(1);
  if (task == Task::regression) part.posterior.noise_variance = 0.15;
  model.parts = {part};
  return model;
}

DoublySparseModel::Sample& sample(Model& model) {
  return std::get<DoublySparseModel>(model.kind).samples[0];
}

Dataset one_row(std::vector<double> x) {
  Dataset data;
  const auto cols = std::ssize(x);
  data.features = DenseRows{1, cols, Buffer<double>::copy_of(x)};
  data.source = "row";
  return data;
}

/// f of the two draws at x = (0.5, ·, 1).
const double kFirst = 0.5 + 2 * std::exp(-0.3 * (0.25 + 1)) - std::exp(-0.3 * (0.25 + 1));
const double kSecond = -0.25 + 3 * std::exp(-0.7 * 1.0);

double sigmoid(double f) {
  return 1 / (1 + std::exp(-f));
}

TEST(KernelDraws, ProbabilityIsTheMeanOverDraws) {
  const Model model = two_draws(Task::classification);
  const Dataset row = one_row({0.5, 99, 1});
  EXPECT_NEAR(predict(model, row).probabilities(0, 0), (sigmoid(kFirst) + sigmoid(kSecond)) / 2,
              1e-14);
  EXPECT_NEAR(predict(model, row, {.plug_in = true}).probabilities(0, 0),
              sigmoid((kFirst + kSecond) / 2), 1e-14);
}

TEST(KernelDraws, PredictorsAreShownDrawByDraw) {
  const Latent found = latent(two_draws(Task::classification), one_row({0.5, 99, 1}));
  ASSERT_EQ(found.draws.size(), 1u);
  EXPECT_NEAR(found.draws[0](0, 0), kFirst, 1e-14);
  EXPECT_NEAR(found.draws[0](0, 1), kSecond, 1e-14);
  EXPECT_NEAR(found.moments.mean(0, 0), (kFirst + kSecond) / 2, 1e-14);
  EXPECT_NEAR(found.moments.variance(0, 0), std::pow((kFirst - kSecond) / 2, 2), 1e-14);
}

TEST(KernelDraws, RegressionAddsSpreadOverDrawsAndNoise) {
  const Prediction prediction = predict(two_draws(Task::regression), one_row({0.5, 99, 1}));
  EXPECT_NEAR(prediction.mean[0], (kFirst + kSecond) / 2, 1e-14);
  EXPECT_NEAR(prediction.variance[0], std::pow((kFirst - kSecond) / 2, 2) + 0.15, 1e-14);
}

TEST(KernelDraws, KeptIsTheMeanOverDraws) {
  EXPECT_EQ(mean_active(two_draws(Task::regression)), 1.5);
}

TEST(KernelDraws, ADrawWithoutInputsOrCentresIsLegitimate) {
  Model model = two_draws(Task::classification);
  sample(model).draws = {{{}, {0}, Vector::Constant(1, 2), 1, 0.3, 0}, {{0}, {}, {}, -4, 1, 0}};
  EXPECT_NO_THROW(check_model(model));
  EXPECT_NEAR(predict(model, one_row({0.5, 99, 1})).probabilities(0, 0),
              (sigmoid(3) + sigmoid(-4)) / 2, 1e-14);
}

TEST(KernelDraws, DrawsThatContradictTheModelAreRefused) {
  const auto refused = [](auto&& spoil) {
    Model model = two_draws(Task::classification);
    spoil(model, sample(model).draws[1]);
    EXPECT_THROW(check_model(model), InputError);
  };
  refused([](Model&, KernelDraw& draw) { draw.inputs = {2}; });
  refused([](Model&, KernelDraw& draw) { draw.inputs = {-1}; });
  refused([](Model&, KernelDraw& draw) { draw.centres = {2}; });
  refused([](Model&, KernelDraw& draw) { draw.weights.resize(3); });
  refused([](Model&, KernelDraw& draw) { draw.delta = -1; });
  refused([](Model&, KernelDraw& draw) { draw.delta = std::nan(""); });
  refused([](Model&, KernelDraw& draw) { draw.bias = std::nan(""); });
  refused([](Model&, KernelDraw& draw) { draw.scales = {1, 2}; });
  refused([](Model&, KernelDraw& draw) { draw.scales = {-1}; });
  refused([](Model&, KernelDraw& draw) { draw.scales = {std::nan("")}; });
  refused([](Model& model, KernelDraw&) { sample(model).inclusion = {0.5}; });
  refused([](Model& model, KernelDraw&) { sample(model).inclusion = {0.5, 1.5}; });
  refused([](Model& model, KernelDraw&) { sample(model).draws.clear(); });
  refused(
      [](Model& model, KernelDraw&) { std::get<DoublySparseModel>(model.kind).samples.clear(); });
  refused([](Model& model, KernelDraw&) { std::get<DoublySparseModel>(model.kind).origin = {4}; });
}

using DrawsFile = ModelFile;

TEST_F(DrawsFile, AModelIsReadBackAndPredictsTheSameBits) {
  for (const Task task : {Task::classification, Task::regression}) {
    Model model = two_draws(task);
    save_model(model, path_);
    Model read_back = load_model(path_);
    EXPECT_EQ(map_name(read_back), "doubly-sparse");
    EXPECT_EQ(sample(read_back).inclusion, sample(model).inclusion);
    ASSERT_EQ(sample(read_back).draws.size(), 2u);
    EXPECT_EQ(sample(read_back).draws[0].inputs, sample(model).draws[0].inputs);
    EXPECT_EQ(sample(read_back).draws[0].centres, sample(model).draws[0].centres);
    const Dataset row = one_row({0.5, 99, 1});
    const Prediction a = predict(model, row), b = predict(read_back, row);
    EXPECT_EQ(a.probabilities, b.probabilities);
    EXPECT_EQ(a.mean, b.mean);
    EXPECT_EQ(a.variance, b.variance);
  }
}

TEST_F(DrawsFile, WidthsOfFeaturesCountAndAreReadBack) {
  Model model = two_draws(Task::regression);
  sample(model).draws[0].scales = {2, 0.5};
  sample(model).draws[1].scales = {3};
  const Dataset row = one_row({0.5, 99, 1});
  const double distance = 2 * 0.25 + 0.5 * 1;  // from both centres
  const double first = 0.5 + std::exp(-0.3 * distance), second = -0.25 + 3 * std::exp(-0.7 * 3);
  EXPECT_NEAR(predict(model, row).mean[0], (first + second) / 2, 1e-14);
  save_model(model, path_);
  Model read_back = load_model(path_);
  EXPECT_EQ(sample(read_back).draws[0].scales, sample(model).draws[0].scales);
  EXPECT_EQ(predict(read_back, row).mean, predict(model, row).mean);
}

TEST_F(DrawsFile, CutOffAtAnyByteIsRefused) {
  const std::string bytes = bytes_of(two_draws(Task::classification));
  for (std::size_t size = 0; size < bytes.size(); size += 3) {
    ASSERT_NE(refusal(bytes.substr(0, size)), "") << "cut to " << size << " bytes";
  }
}

TEST_F(DrawsFile, AnyByteChangedUnderAValidChecksumNeverCrashesLoadingOrPrediction) {
  const std::string bytes = bytes_of(two_draws(Task::classification));
  const Dataset row = one_row({0.5, 99, 1});
  Random random(3);
  for (std::size_t at = 8; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ static_cast<int>(1u << random.below(8)));
    write(with_checksums(changed));
    try {
      predict(load_model(path_), row);
    } catch (const InputError&) {
      continue;
    }
  }
}

}  // namespace
}  // namespace ardent
