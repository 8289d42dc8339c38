#include "ardent/model/path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ardent/model/predict.h"
#include "model/model_bytes.h"

namespace ardent {
namespace {

using problems::random_data;
using problems::random_model;
using ::testing::HasSubstr;
using ModelPath = ModelFile;

Model with_path() {
  Model model = random_model({.map = "linear", .classes = 3, .pairs = true});
  double bias = 0;
  for (Part& part : model.parts) {
    part.report.path = {{{0, 1, 2, 3, 4}, Vector{{1, 2, 3, 4, 5}}, bias += 0.5},
                        {{1, 4}, Vector{{-2, 1}}, bias += 0.5}};
  }
  model.parts[1].report.path.pop_back();
  return model;
}

TEST_F(ModelPath, SurvivesTheRoundTrip) {
  const Model model = with_path();
  save_model(model, path_);
  const Model loaded = load_model(path_);
  ASSERT_EQ(path_stages(loaded), 2);
  for (std::size_t p = 0; p < model.parts.size(); ++p) {
    const auto& path = model.parts[p].report.path;
    const auto& other = loaded.parts[p].report.path;
    ASSERT_EQ(path.size(), other.size());
    for (std::size_t s = 0; s < path.size(); ++s) {
      EXPECT_EQ(path[s].active, other[s].active);
      EXPECT_EQ(path[s].mean, other[s].mean);
      EXPECT_EQ(path[s].bias, other[s].bias);
    }
  }
}

TEST_F(ModelPath, StageHasItsOwnWeightsAndAShorterPathEndsAsItIs) {
  const Model second = at_stage(with_path(), 2);
  EXPECT_EQ(second.parts[0].posterior.active, (std::vector<Index>{1, 4}));
  EXPECT_EQ(second.parts[1].posterior.mean.size(), 5);
  EXPECT_EQ(second.parts[0].posterior.bias, 1.0);
  const Prediction prediction = predict(second, random_data(7, 1));
  EXPECT_LT((prediction.probabilities.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-12);
  save_model(second, path_);
  EXPECT_EQ(load_model(path_).parts[0].posterior.mean, second.parts[0].posterior.mean);
}

TEST_F(ModelPath, StagesThatAreNotThereAreRefusedWithThoseThatAre) {
  const auto refused = [](const Model& model, Index stage) -> std::string {
    try {
      at_stage(model, stage);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refused(with_path(), 3), HasSubstr("stages 1 to 2, not 3"));
  EXPECT_THAT(refused(with_path(), 0), HasSubstr("not 0"));
  EXPECT_THAT(refused(random_model({}), 1), HasSubstr("keep-stages on"));
}

TEST_F(ModelPath, PathOfWeightsThatDoNotExistIsRefused) {
  Model model = with_path();
  model.parts[0].report.path[1].active = {1, 5};
  EXPECT_THROW(save_model(model, path_), InputError);
  model = with_path();
  model.parts[2].report.path[0].mean[3] = std::nan("");
  EXPECT_THROW(save_model(model, path_), InputError);
}

TEST_F(ModelPath, FileCutOffOrChangedUnderAValidChecksumNeverCrashes) {
  const std::string bytes = bytes_of(with_path());
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x41);
    write(with_checksums(changed));
    try {
      predict(at_stage(load_model(path_), 1), random_data(2, 1));
    } catch (const InputError&) {
    }
  }
  EXPECT_NE(refusal(bytes.substr(0, bytes.size() - 64)), "");
}

}  // namespace
}  // namespace ardent
