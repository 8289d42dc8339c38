#include "ardent/estimators/sparse_coder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/inference/coding/make_dictionary.h"
#include "problems/random_matrix.h"
#include "problems/thread_farm.h"

namespace ardent {
namespace {

using problems::dense_rows;
using problems::random_matrix;
using problems::sparse_rows;

Matrix spread(const SparseTable& table) {
  Matrix codes = Matrix::Zero(table.rows, table.cols);
  for (Index s = 0; s < table.rows; ++s) {
    for (auto e = table.offsets[s]; e < table.offsets[s + 1]; ++e) {
      codes(s, table.columns[e]) = table.values[e];
    }
  }
  return codes;
}

/// Signals of two atoms each.
struct CodingProblem {
  Matrix atoms = random_matrix(150, 30, 1);  // one per row
  Matrix signals = 0.05 * random_matrix(40, 30, 2);

  CodingProblem() {
    for (Index s = 0; s < 40; ++s) signals.row(s) += atoms.row(3 * s) - 0.7 * atoms.row(3 * s + 1);
  }
};

TEST(SparseCoder, SeveralProcessesCodeAsOneDoes) {
  // Batches are of two signals: a batch has 2^21 numbers, one for each atom and signal.
  const Matrix atoms = random_matrix(700000, 3, 1), signals = random_matrix(7, 3, 2);
  const auto code = [&](TaskFarm* farm) {
    SparseCoder coder(Features(dense_rows(atoms)), {.lambda = 0.5, .max_outer = 1});
    return coder.code(Features(dense_rows(signals)), {}, farm);
  };
  const CodedSignals alone = code(nullptr);
  ASSERT_GT(alone.codes.values.size(), 0u);
  for (const CodedSignals& coded : problems::ThreadFarm::run_in(2, code)) {
    EXPECT_EQ(coded.codes.offsets, alone.codes.offsets);
    EXPECT_EQ(coded.codes.columns, alone.codes.columns);
    EXPECT_EQ(coded.codes.values, alone.codes.values);
    EXPECT_EQ(coded.variances, alone.variances);
    EXPECT_EQ(coded.nearest, alone.nearest);
    for (std::size_t s = 0; s < 7; ++s) {
      EXPECT_EQ(coded.reports[s].steps.size(), alone.reports[s].steps.size());
      EXPECT_EQ(coded.reports[s].gap, alone.reports[s].gap);
    }
  }
}

TEST(SparseCoder, CodesEachSignalAsSparseBayesCodeDoes) {
  const CodingProblem p;
  SparseCoder coder(Features(dense_rows(p.atoms)), {.lambda = 0.05});
  const CodedSignals coded = coder.code(Features(dense_rows(p.signals)));
  const Matrix codes = spread(coded.codes);
  ASSERT_EQ(coded.reports.size(), 40u);
  std::size_t entry = 0;
  for (Index s = 0; s < 40; ++s) {
    const auto alone =
        sparse_bayes_code(coder.dictionary(), p.signals.row(s).transpose(), {.lambda = 0.05});
    EXPECT_EQ(coded.reports[s].nonzeros, std::ssize(alone.code.active));
    for (std::size_t k = 0; k < alone.code.active.size(); ++k, ++entry) {
      EXPECT_NEAR(codes(s, alone.code.active[k]), alone.code.theta[k], 1e-9);
      EXPECT_NEAR(coded.variances[entry], alone.variance[k], 1e-9);
    }
    EXPECT_GT(std::abs(codes(s, 3 * s)), 0.5);
    EXPECT_GT(std::abs(codes(s, 3 * s + 1)), 0.3);
  }
  EXPECT_EQ(entry, coded.codes.values.size());
}

TEST(SparseCoder, ABatchHasTheBitsOfSignalsAlone) {
  const CodingProblem p;
  const auto dictionary = make_dictionary(Features(dense_rows(p.atoms)));
  for (const CodeOptions& options :
       {CodeOptions{.lambda_ratio = 0.05, .code_start = CodeStart::ones, .max_outer = 1},
        CodeOptions{.lambda_ratio = 0.01, .lambda_steps = 3}, CodeOptions{}}) {
    // Without memory for them, no Gram rows are shared.
    BatchCoder coder(Features(dense_rows(p.atoms)), {.code = options, .gram_bytes = 0});
    const CodedSignals coded = coder.code(Features(dense_rows(p.signals)));
    const Matrix codes = spread(coded.codes);
    for (Index s = 0; s < 40; ++s) {
      const auto alone = sparse_bayes_code(*dictionary, p.signals.row(s).transpose(), options);
      EXPECT_EQ(coded.reports[s].nonzeros, std::ssize(alone.code.active));
      EXPECT_EQ(coded.reports[s].gap, alone.report.steps.back().relative_gap);
      EXPECT_EQ(coded.reports[s].loss, alone.report.steps.back().loss);
      for (std::size_t k = 0; k < alone.code.active.size(); ++k) {
        EXPECT_EQ(codes(s, alone.code.active[k]), alone.code.theta[k]);
      }
    }
  }
}

TEST(SparseCoder, OneLassoNeedsNoGramRows) {
  const CodingProblem p;
  SparseCoder coder(Features(dense_rows(p.atoms)),
                    {.method = "lasso", .lambda_ratio = 0.05, .gram_memory = 0});
  coder.code(Features(dense_rows(p.signals)));
  EXPECT_EQ(coder.gram_rows(), 0);
}

TEST(SparseCoder, SparseDataGiveTheCodesOfDenseData) {
  const CodingProblem p;
  const CoderOptions options{.lambda = 0.05, .gap = 1e-11};
  const Matrix signals = p.signals.cast<float>().cast<double>();  // what sparse rows hold
  SparseCoder dense(Features(dense_rows(p.atoms)), options);
  SparseCoder sparse(Features(sparse_rows(p.atoms)), options);
  const Matrix one = spread(dense.code(Features(dense_rows(signals))).codes);
  const Matrix other = spread(sparse.code(Features(sparse_rows(signals))).codes);
  EXPECT_LT((one - other).norm(), 1e-8);
}

TEST(SparseCoder, SameBitsForAnyThreadsAndAnyMemory) {
  const CodingProblem p;
  // 20 signals share rows from the start by the rule of sizes, 3 do not.
  for (const Index count : {3, 20}) {
    const Features signals(dense_rows(p.signals.topRows(count)));
    const auto code = [&](int threads, Index memory) {
      const ThreadScope scope(threads);
      CoderOptions options;
      options.gram_memory = memory;
      return SparseCoder(Features(dense_rows(p.atoms)), options).code(signals);
    };
    const CodedSignals base = code(1, 1);
    for (const int threads : {2, 8}) {
      const CodedSignals other = code(threads, 1);
      EXPECT_EQ(base.codes.columns, other.codes.columns);
      EXPECT_EQ(base.codes.values, other.codes.values);
      EXPECT_EQ(base.variances, other.variances);
    }
    const CodedSignals little = code(2, 0);
    EXPECT_LT((spread(base.codes) - spread(little.codes)).norm(), 1e-9);
  }
}

TEST(SparseCoder, UnitNormMakesUnitsIrrelevant) {
  const CodingProblem p;
  const CoderOptions options{.method = "lasso", .lambda_ratio = 0.2, .unit_norm = true};
  SparseCoder one(Features(dense_rows(p.atoms)), options);
  SparseCoder other(Features(dense_rows(1000 * p.atoms)), options);
  const Matrix codes = spread(one.code(Features(dense_rows(p.signals))).codes);
  const Matrix scaled = spread(other.code(Features(dense_rows(0.01 * p.signals))).codes);
  EXPECT_LT((codes - scaled).norm(), 1e-9);
}

TEST(SparseCoder, ReportsEveryOuterIterationAndEveryLambda) {
  const CodingProblem p;
  CoderOptions options{.lambda_ratio = 0.01, .lambda_steps = 4};
  options.screening = ScreenTest::two_hyperplane;
  const CodedSignals coded =
      SparseCoder(Features(dense_rows(p.atoms)), options).code(Features(dense_rows(p.signals)));
  for (const SignalReport& report : coded.reports) {
    EXPECT_EQ(report.by_lambda.size(), 4u);
    EXPECT_EQ(report.by_lambda.back().second, report.nonzeros);
    EXPECT_EQ(std::ssize(report.steps), report.outer);
    EXPECT_LE(report.gap, 1e-6);
    EXPECT_EQ(report.steps.back().loss, report.loss);
  }
}

TEST(SparseCoder, ProgressCanStopIt) {
  const CodingProblem p;
  SparseCoder coder(Features(dense_rows(p.atoms)), {});
  EXPECT_THROW(
      coder.code(Features(dense_rows(p.signals)), [](const ProgressEvent&) { return false; }),
      Error);
}

TEST(SparseCoder, SaysWhatIsWrongWithARequest) {
  const CodingProblem p;
  const auto message = [&](const Matrix& atoms, const Matrix& signals,
                           const CoderOptions& options) {
    try {
      SparseCoder(Features(dense_rows(atoms)), options).code(Features(dense_rows(signals)));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  Matrix bad = p.signals;
  bad(7, 3) = std::numeric_limits<double>::quiet_NaN();
  using testing::HasSubstr;
  EXPECT_THAT(message(p.atoms, p.signals.leftCols(29), {}),
              HasSubstr("the signals are 40 × 29, but the dictionary is 150 × 30"));
  EXPECT_THAT(message(p.atoms, bad, {}), HasSubstr("signal 8 has a number that is not finite"));
  EXPECT_THAT(message(p.atoms, Matrix(0, 30), {}), HasSubstr("no signals"));
  EXPECT_THAT(message(0 * p.atoms, p.signals, {}), HasSubstr("all 150 atoms"));
  EXPECT_THAT(message(p.atoms, p.signals, {.lambda = -1}), HasSubstr("lambda must be above 0"));
  EXPECT_THAT(message(p.atoms, p.signals, {.method = "lasso"}),
              HasSubstr("needs lambda or lambda-ratio"));
}

}  // namespace
}  // namespace ardent
