#include "ardent/data/synth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "ardent/base/parallel.h"
#include "ardent/data/zipf.h"
#include "base/temporary_files.h"

namespace ardent {
namespace {

using ::testing::HasSubstr;

SynthOptions small() {
  return {.rows = 4000, .columns = 20000, .nonzeros = 40, .relevant = 30, .seed = 7};
}

/// The planted f of each row, from the truth as it is reported.
Vector planted_scores(const Synth& synth) {
  const auto& rows = std::get<SparseRows>(synth.data.features);
  Vector weight = Vector::Zero(rows.cols);
  for (std::size_t j = 0; j < synth.truth.columns.size(); ++j) {
    weight[synth.truth.columns[j]] = synth.truth.weights[j];
  }
  Vector f(rows.rows);
  for (Index i = 0; i < rows.rows; ++i) {
    const auto row = static_cast<std::size_t>(i);
    f[i] = synth.truth.intercept;
    for (auto e = rows.offsets[row]; e < rows.offsets[row + 1]; ++e) {
      f[i] += weight[rows.columns[e]] * static_cast<double>(rows.values[e]);
    }
  }
  return f;
}

std::vector<Index> document_frequencies(const SparseRows& rows) {
  std::vector<Index> frequency(rows.cols, 0);
  for (const std::uint32_t k : rows.columns) ++frequency[k];
  return frequency;
}

TEST(Synth, RowsAscendWithinBoundsAndHaveUnitLength) {
  const Synth synth = make_synth(small());
  const auto& rows = std::get<SparseRows>(synth.data.features);
  ASSERT_EQ(rows.rows, 4000);
  ASSERT_EQ(rows.cols, 20000);
  for (std::size_t i = 0; i < 4000; ++i) {
    const auto begin = rows.offsets[i], end = rows.offsets[i + 1];
    ASSERT_GE(end - begin, 20u);
    ASSERT_LE(end - begin, 60u);
    double squares = 0;
    for (auto e = begin; e < end; ++e) {
      ASSERT_LT(rows.columns[e], 20000u);
      if (e > begin) {
        ASSERT_LT(rows.columns[e - 1], rows.columns[e]);
      }
      ASSERT_GT(rows.values[e], 0);
      squares += static_cast<double>(rows.values[e]) * static_cast<double>(rows.values[e]);
    }
    ASSERT_NEAR(squares, 1, 1e-5);
  }
  // Lengths are uniform on 20 … 60: the mean of 4,000 has a standard error of 0.19.
  EXPECT_NEAR(static_cast<double>(rows.nonzeros()) / 4000, 40, 0.8);
}

TEST(Synth, DocumentFrequenciesHaveAHeavyTailAndNoOrderOfColumns) {
  const Synth synth = make_synth(small());
  std::vector<Index> frequency = document_frequencies(std::get<SparseRows>(synth.data.features));
  const auto half = frequency.begin() + 10000;
  const auto first = std::accumulate(frequency.begin(), half, Index{0});
  const auto second = std::accumulate(half, frequency.end(), Index{0});
  EXPECT_NEAR(static_cast<double>(first) / static_cast<double>(first + second), 0.5, 0.1);
  std::sort(frequency.rbegin(), frequency.rend());
  EXPECT_GT(frequency[0], 4000 / 4);
  EXPECT_LT(frequency[0], 4000);
  // By 1/(r + 10), rank 1000 is 51 times rarer than rank 10 (which distinct words blunt), and the
  // median word is in few rows.
  EXPECT_GT(frequency[10], 25 * frequency[1000]);
  EXPECT_LT(frequency[10], 75 * frequency[1000]);
  EXPECT_LT(frequency[10000], 10);
}

TEST(Synth, ToldBayesFiguresAreThoseOfTheToldTruth) {
  const Synth synth = make_synth(small());
  const Vector f = planted_scores(synth);
  double accuracy = 0, loss = 0;
  for (const double x : f) {
    const double p = 1 / (1 + std::exp(-x));
    accuracy += std::max(p, 1 - p) / 4000;
    loss -= (p * std::log(p) + (1 - p) * std::log(1 - p)) / 4000;
  }
  EXPECT_NEAR(synth.bayes_accuracy, accuracy, 1e-10);
  EXPECT_NEAR(synth.bayes_log_loss, loss, 1e-10);
}

TEST(Synth, LabelsFollowTheProbabilitiesAndTheAccuracyAskedFor) {
  SynthOptions options = small();
  options.rows = 20000;
  for (const double asked : {0.75, 0.9}) {
    options.bayes_accuracy = asked;
    const Synth synth = make_synth(options);
    EXPECT_NEAR(synth.bayes_accuracy, asked, 0.01);
    const Vector f = planted_scores(synth);
    double right = 0, positive = 0, expected = 0;
    for (Index i = 0; i < f.size(); ++i) {
      const double label = synth.data.labels.numbers[i];
      ASSERT_EQ(std::abs(label), 1);
      right += label * f[i] > 0;
      positive += label > 0;
      expected += 1 / (1 + std::exp(-f[i]));
    }
    // Four standard errors of a share of 20,000.
    EXPECT_NEAR(right / 20000, synth.bayes_accuracy, 4 * 0.0031);
    EXPECT_NEAR(positive / 20000, expected / 20000, 4 * 0.0035);
    EXPECT_NEAR(positive / 20000, 0.5, 0.1);
  }
}

TEST(Synth, RelevantColumnsAreFrequentDistinctAndOfBothSigns) {
  const Synth synth = make_synth(small());
  const auto& truth = synth.truth;
  ASSERT_EQ(truth.columns.size(), 30u);
  EXPECT_EQ(std::ranges::adjacent_find(truth.columns, std::greater_equal<>{}), truth.columns.end());
  const auto frequency = document_frequencies(std::get<SparseRows>(synth.data.features));
  for (const Index k : truth.columns) EXPECT_GT(frequency[k], 4000 / 200);
  EXPECT_EQ(std::ranges::count_if(truth.weights, [](double w) { return w > 0; }), 15);
}

TEST(Synth, SamplesShareTheTruthAndDifferInTheRows) {
  const Synth train = make_synth(small());
  SynthOptions options = small();
  options.sample = 2;
  options.rows = 1000;
  const Synth test = make_synth(options);
  EXPECT_EQ(test.truth.columns, train.truth.columns);
  EXPECT_EQ(test.truth.weights, train.truth.weights);
  EXPECT_EQ(test.truth.intercept, train.truth.intercept);
  const auto& a = std::get<SparseRows>(train.data.features).columns;
  const auto& b = std::get<SparseRows>(test.data.features).columns;
  EXPECT_FALSE(std::equal(b.begin(), b.begin() + 100, a.begin()));
  options.seed = 8;
  EXPECT_NE(make_synth(options).truth.columns, train.truth.columns);
}

TEST(Synth, SameBitsForAnyNumberOfThreads) {
  const auto made = [](int count) {
    const ThreadScope threads(count);
    return make_synth(small());
  };
  const Synth serial = made(1);
  const auto& rows = std::get<SparseRows>(serial.data.features);
  for (const int count : {2, 8}) {
    const Synth synth = made(count);
    const auto& others = std::get<SparseRows>(synth.data.features);
    EXPECT_TRUE(std::ranges::equal(others.offsets.span(), rows.offsets.span()));
    EXPECT_TRUE(std::ranges::equal(others.columns.span(), rows.columns.span()));
    EXPECT_TRUE(std::ranges::equal(others.values.span(), rows.values.span()));
    EXPECT_EQ(synth.data.labels.numbers, serial.data.labels.numbers);
    EXPECT_EQ(synth.truth.weights, serial.truth.weights);
    EXPECT_EQ(synth.bayes_accuracy, serial.bayes_accuracy);
  }
}

TEST(Synth, SmallestAndFullestShapesAreMade) {
  const Synth tiny =
      make_synth({.rows = 1, .columns = 4, .nonzeros = 1, .relevant = 1, .bayes_accuracy = 0.6});
  EXPECT_EQ(tiny.data.rows(), 1);
  const Synth full = make_synth({.rows = 300, .columns = 40, .nonzeros = 10, .relevant = 10});
  EXPECT_EQ(full.truth.columns.size(), 10u);
}

TEST(Synth, OptionsOutOfRangeAreRefusedByName) {
  const auto refusal = [](auto change) {
    SynthOptions options = small();
    change(options);
    return message_of([&] { make_synth(options); });
  };
  EXPECT_THAT(refusal([](auto& o) { o.rows = 0; }), HasSubstr("rows must be"));
  EXPECT_THAT(refusal([](auto& o) { o.columns = 3; }), HasSubstr("columns must be"));
  EXPECT_THAT(refusal([](auto& o) { o.columns = Index{1} << 32; }), HasSubstr("4294967294"));
  EXPECT_THAT(refusal([](auto& o) { o.nonzeros = 5001; }),
              HasSubstr("nonzeros must be from 1 to 5000"));
  EXPECT_THAT(refusal([](auto& o) { o.relevant = 0; }), HasSubstr("relevant must be"));
  EXPECT_THAT(refusal([](auto& o) { o.sample = 0; }), HasSubstr("sample must be"));
  EXPECT_THAT(refusal([](auto& o) { o.bayes_accuracy = 1; }), HasSubstr("bayes-accuracy"));
  EXPECT_THAT(refusal([](auto& o) { o.bayes_accuracy = std::nan(""); }),
              HasSubstr("bayes-accuracy"));
}

TEST(ZipfLaw, RanksInvertTheDistributionAndSumToOne) {
  const ZipfLaw law(1000);
  double sum = 0;
  for (Index r = 0; r < 1000; ++r) {
    EXPECT_EQ(law.rank(law.below(r) + 0.5 * law.probability(r)), r);
    sum += law.probability(r);
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_EQ(law.rank(0), 0);
  EXPECT_EQ(law.rank(1 - 0x1p-53), 999);
  const Index common = law.at_least(0.005);
  EXPECT_NEAR(law.probability(common), 0.005, 0.0005);
}

}  // namespace
}  // namespace ardent
