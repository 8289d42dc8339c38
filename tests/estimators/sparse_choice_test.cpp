// What `auto` does with sparse data of two classes.
#include "ardent/estimators/sparse_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ardent/data/synth.h"
#include "ardent/estimators/trainer.h"
#include "ardent/model/model_file.h"
#include "ardent/model/predict.h"
#include "problems/labelled.h"

namespace ardent {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

/// Too large for a Hessian, yet quick; planted over many columns.
Dataset word_rows(Index sample = 1) {
  return make_synth(
             {.rows = 900, .columns = 20000, .nonzeros = 30, .relevant = 400, .sample = sample})
      .data;
}

/// The same words as counts.
Dataset word_counts() {
  Dataset data = word_rows();
  auto& sparse = std::get<SparseRows>(data.features);
  auto values = Buffer<float>::allocate(sparse.nonzeros());
  for (Index e = 0; e < sparse.nonzeros(); ++e) {
    values.mutable_data()[e] = static_cast<float>(1 + e % 3);
  }
  sparse.values = values;
  sparse.transpose.reset();
  return data;
}

Matrix probabilities(const Model& model, const Dataset& data, const PredictOptions& options = {}) {
  return predict(model, data, options).probabilities;
}

TEST(SparseChoice, TextIsShrunk) {
  const Model model = train(word_rows(), {});
  const Part& part = model.parts.at(0);
  EXPECT_EQ(part.report.engine, "shrinkage");
  EXPECT_THAT(part.report.notes, Contains(HasSubstr("shrinkage: one precision")));
  EXPECT_THAT(part.report.notes, Contains(HasSubstr("engine: shrinkage (l1 has")));
  EXPECT_EQ(model.scaling.kind, ScaleKind::none);
  EXPECT_GT(part.posterior.active.size(), 2000u);
  const Dataset fresh = word_rows(2);
  const Model loaded = model_from_bytes(model_bytes(model));
  EXPECT_EQ(probabilities(model, fresh), probabilities(loaded, fresh));
  EXPECT_EQ(probabilities(model, fresh), probabilities(model, fresh, {.plug_in = true}));
}

TEST(SparseChoice, WhoAsksForSomethingElseGetsIt) {
  const Dataset data = word_rows();
  EXPECT_TRUE(prefers_shrinkage(data, {}));
  EXPECT_FALSE(prefers_shrinkage(data, {.engine = "diagonal"}));
  EXPECT_FALSE(prefers_shrinkage(data, {.map = "rbf"}));
  EXPECT_FALSE(prefers_shrinkage(data, {.early_stop = "cv"}));
  EXPECT_FALSE(prefers_shrinkage(data, {.refit = true}));
  EXPECT_FALSE(prefers_shrinkage(data, {.support_prior = "none"}));
  EXPECT_FALSE(prefers_shrinkage(data, {.task = "regression"}));
  Dataset dense = data;
  dense.features = to_dense(data.features);
  EXPECT_FALSE(prefers_shrinkage(dense, {}));
  EXPECT_FALSE(prefers_shrinkage(
      make_synth({.rows = 200, .columns = 400, .nonzeros = 20, .relevant = 5}).data, {}));
}

TEST(SparseChoice, CountsAreScaledAsHeldOutRowsPrefer) {
  const ScaleDecision chosen = decide_scale(word_counts(), {});
  EXPECT_THAT(chosen.note, HasSubstr("log loss of held-out rows: none"));
  EXPECT_THAT(chosen.scale, ::testing::AnyOf("none", "tfidf"));
  EXPECT_EQ(decide_scale(word_rows(), {}).scale, "none") << "no counts";
  EXPECT_EQ(decide_scale(word_counts(), {.scale = "rms"}).scale, "rms");
  EXPECT_EQ(decide_scale(word_counts(), {.engine = "diagonal"}).scale, "auto");
}

TEST(SparseChoice, ColumnsInUnitsOfTheirOwnAreScaled) {
  Dataset data = word_rows();
  SparseRows rows = std::get<SparseRows>(data.features);
  Buffer<float> values = Buffer<float>::allocate(rows.values.size());
  for (std::size_t e = 0; e < rows.values.size(); ++e) {
    const double power = static_cast<double>(rows.columns[e] * 7919 % 13) - 6;
    values.mutable_data()[e] = static_cast<float>(rows.values[e] * std::pow(10, power));
  }
  rows.values = values;
  data.features = rows;
  EXPECT_EQ(decide_scale(data, {}).scale, "rms");
}

/// Beyond 2,000 weights no covariance is formed: the rule of prediction must not change there.
TEST(SparseChoice, NoOtherRuleOfPredictionBeyondTwoThousandWeights) {
  for (const Index columns : {1999, 2001}) {
    Dataset data = problems::two_classes(60, columns, 7);
    data.features = to_sparse(std::get<DenseRows>(data.features));
    const Model model = train(data, {.engine = "shrinkage", .scale = "none"});
    const Posterior& posterior = model.parts[0].posterior;
    ASSERT_EQ(std::ssize(posterior.active), columns);
    EXPECT_EQ(posterior.covariance.size() > 0, columns <= 2000);
    const Matrix difference =
        probabilities(model, data) - probabilities(model, data, {.plug_in = true});
    EXPECT_LT(difference.cwiseAbs().maxCoeff(), 1e-12);
  }
}

/// Few columns that say it all: shrinkage loses, and the path is asked.
TEST(SparseChoice, PlantedColumnsAreLeftToThePath) {
  const Dataset data =
      make_synth({.rows = 3000, .columns = 3000, .nonzeros = 40, .relevant = 4}).data;
  ASSERT_TRUE(prefers_shrinkage(data, {}));
  const Model model = train(data, {});
  const Part& part = model.parts.at(0);
  EXPECT_EQ(part.report.engine, "path");
  EXPECT_THAT(part.report.notes, Contains(HasSubstr("engine: path (log loss of held-out rows")));
  EXPECT_LT(part.posterior.active.size(), 200u);
  EXPECT_TRUE(part.posterior.plug_in);
}

}  // namespace
}  // namespace ardent
