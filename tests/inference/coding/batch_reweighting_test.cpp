// The loop over a batch on a device, with the processor's own pieces in the place of the device.
#include "ardent/inference/coding/batch_reweighting.h"

#include <gmock/gmock.h>

#include "ardent/base/error.h"
#include "ardent/inference/coding/active_posterior.h"
#include "ardent/inference/coding/batch_coder.h"
#include "ardent/inference/coding/make_dictionary.h"
#include "ardent/published/screening/screen.h"
#include "problems/random_matrix.h"

namespace ardent {
namespace {

using problems::dense_rows;
using problems::random_matrix;

/// How many signals each call was for.
struct Calls {
  std::vector<Index> solved, reweighted;
  Index batches = 0, least_squares = 0;
};

class FakeBatch final : public SignalBatch {
 public:
  FakeBatch(const Dictionary& dictionary, const Matrix& signals, const BatchLasso& lasso,
            Calls& calls)
      : dictionary_(dictionary),
        rows_(dictionary, std::size_t{1} << 28),
        lasso_(lasso),
        calls_(calls),
        all_(static_cast<std::size_t>(signals.cols())) {
    for (Index s = 0; s < signals.cols(); ++s) {
      One& one = all_[static_cast<std::size_t>(s)];
      one.y = signals.col(s);
      Matrix products;
      dictionary.correlate(one.y, products);
      one.rho = products.col(0);
    }
  }

  std::vector<Signal> signals() const override {
    std::vector<Signal> found;
    for (const One& one : all_) {
      Signal& signal = found.emplace_back();
      signal.norm = one.y.norm();
      signal.largest = one.rho.cwiseAbs().maxCoeff();
      signal.largest_cosine =
          one.rho.cwiseAbs().cwiseQuotient(dictionary_.norms()).maxCoeff(&signal.nearest);
    }
    return found;
  }
  void clear_codes(List which) override {
    for (const Index s : which) at(s).code = {};
  }
  void set_weights(List which, std::span<const double> lambdas, bool ones) override {
    for (std::size_t k = 0; k < which.size(); ++k) {
      One& one = at(which[k]);
      one.lambda = lambdas[k];
      one.weights =
          first_weights(dictionary_, one.lambda, ones ? CodeStart::ones : CodeStart::zero);
    }
  }
  std::vector<SolvedLasso> solve(List which) override {
    calls_.solved.push_back(std::ssize(which));
    std::vector<SolvedLasso> solved;
    for (const Index s : which) {
      One& one = at(s);
      RowCorrelations correlations(rows_, one.rho);
      LassoResult result = solve_working_sets(
          {dictionary_, one.y, one.rho, one.weights, lasso_.nonnegative}, correlations,
          {.tolerance = lasso_.tolerance, .nonnegative = lasso_.nonnegative}, one.code);
      one.code = std::move(result.code);
      solved.push_back({result.report.relative_gap, std::ssize(one.code.active),
                        result.report.rounds, result.report.status});
    }
    return solved;
  }
  std::vector<double> find_posteriors(List which, bool reweight) override {
    if (reweight) calls_.reweighted.push_back(std::ssize(which));
    std::vector<double> scales;
    for (const Index s : which) scales.push_back(find_posterior(at(s), reweight));
    return scales;
  }
  std::vector<LeastSquaresFit> fit_least_squares(List which) override {
    ++calls_.least_squares;
    std::vector<LeastSquaresFit> fits;
    for (const Index s : which) {
      const One& one = at(s);
      Matrix columns(one.y.size(), std::ssize(one.code.active));
      for (Index k = 0; k < columns.cols(); ++k) {
        Vector column = Vector::Zero(one.y.size());
        dictionary_.add_scaled(one.code.active[static_cast<std::size_t>(k)], 1, column);
        columns.col(k) = column;
      }
      Vector residual = one.y;
      if (columns.cols() > 0) {
        residual -= columns * (columns.transpose() * columns).llt().solve(columns.transpose() * one.y);
      }
      fits.push_back({residual.squaredNorm(), columns.cols()});
    }
    return fits;
  }
  std::vector<Code> codes(List which) const override {
    std::vector<Code> found;
    for (const Index s : which) {
      const One& one = all_[static_cast<std::size_t>(s)];
      found.push_back({one.code, one.variance});
    }
    return found;
  }

 private:
  struct One {
    Vector y, rho, weights, variance;
    double lambda = 0;
    SparseCode code;
  };
  One& at(Index s) { return all_[static_cast<std::size_t>(s)]; }

  double find_posterior(One& one, bool reweight) {
    const std::vector<Index>& support = one.code.active;
    const Vector gamma =
        one.lambda * one.code.theta.cwiseAbs().cwiseQuotient(Vector(one.weights(support)));
    const ActivePosterior posterior(gram_of(dictionary_, support, std::ssize(support)), gamma,
                                    one.lambda);
    one.variance = posterior.covariance().diagonal();
    const Vector mean = posterior.mean(one.rho(support));
    const Vector residual = one.y - dictionary_.combine(support, mean);
    if (reweight) {
      std::vector<GramRows::Row> rows = rows_.rows(support);
      std::vector<const Vector*> pointers;
      for (const auto& row : rows) pointers.push_back(row.get());
      one.weights =
          one.lambda * posterior.reweighting(dictionary_.norms(), support, pointers).cwiseSqrt();
    }
    return posterior.log_determinant() + residual.squaredNorm() / one.lambda +
           mean.cwiseAbs2().cwiseQuotient(gamma).sum();
  }

  const Dictionary& dictionary_;
  GramRows rows_;
  BatchLasso lasso_;
  Calls& calls_;
  std::vector<One> all_;
};

class FakeDictionary final : public DeviceDictionary {
 public:
  FakeDictionary(const Dictionary& dictionary, Calls& calls)
      : dictionary_(dictionary), calls_(calls) {}
  Index most_signals() const override { return 7; }
  std::unique_ptr<SignalBatch> batch(const Matrix& signals, const BatchLasso& lasso) override {
    ++calls_.batches;
    return std::make_unique<FakeBatch>(dictionary_, signals, lasso, calls_);
  }

 private:
  const Dictionary& dictionary_;
  Calls& calls_;
};

struct FakeAccelerator : Accelerator {
  std::string name() const override { return "a fake"; }
  std::unique_ptr<DeviceDictionary> take_dictionary(const Dictionary& dictionary,
                                                    std::string&) override {
    return std::make_unique<FakeDictionary>(dictionary, calls);
  }
  Calls calls;
};

struct Problem {
  Features atoms{dense_rows(random_matrix(60, 25, 1))};
  Matrix rows = random_matrix(10, 25, 2);
  Features signals;
  Problem() {
    rows.row(4).setZero();
    signals = Features(dense_rows(rows));
  }
};

TEST(BatchReweighting, GivesTheCodesOfSignalsAlone) {
  const Problem p;
  for (const CodeOptions& options :
       {CodeOptions{.lambda_ratio = 0.05, .code_start = CodeStart::ones, .max_outer = 1},
        CodeOptions{.lambda_ratio = 0.02, .lambda_steps = 3}, CodeOptions{.lambda = 0.3},
        CodeOptions{}, CodeOptions{.nonnegative = true}}) {
    const auto fake = std::make_shared<FakeAccelerator>();
    const CodedSignals there = BatchCoder(p.atoms, {options, false, 0, fake}).code(p.signals);
    const CodedSignals here = BatchCoder(p.atoms, {options}).code(p.signals);
    EXPECT_EQ(there.codes.columns, here.codes.columns);
    EXPECT_EQ(there.codes.offsets, here.codes.offsets);
    EXPECT_EQ(there.nearest, here.nearest);
    ASSERT_EQ(there.variances.size(), here.variances.size());
    for (std::size_t e = 0; e < here.variances.size(); ++e) {
      EXPECT_NEAR(there.codes.values[e], here.codes.values[e], 1e-7);
      EXPECT_NEAR(there.variances[e], here.variances[e], 1e-7);
    }
    for (std::size_t s = 0; s < here.reports.size(); ++s) {
      EXPECT_EQ(there.reports[s].outer, here.reports[s].outer);
      EXPECT_EQ(there.reports[s].status, here.reports[s].status);
      EXPECT_NEAR(there.reports[s].loss, here.reports[s].loss, 1e-7 * std::abs(here.reports[s].loss));
      EXPECT_EQ(there.reports[s].by_lambda.size(), here.reports[s].by_lambda.size());
    }
  }
}

TEST(BatchReweighting, SignalsThatAreDoneLeave) {
  const Problem p;
  const auto fake = std::make_shared<FakeAccelerator>();
  const CodedSignals coded =
      BatchCoder(p.atoms, {{.lambda = 0.3}, false, 0, fake}).code(p.signals);
  EXPECT_EQ(fake->calls.batches, 2);  // of 7 and of 3
  EXPECT_EQ(fake->calls.least_squares, 0);
  Index steps = 0;
  for (const SignalReport& report : coded.reports) steps += report.outer;
  Index solved = 0;
  for (const Index count : fake->calls.solved) solved += count;
  EXPECT_EQ(solved, steps);
  EXPECT_EQ(fake->calls.solved.front(), 7);
  EXPECT_EQ(fake->calls.solved[1], 6);  // the signal of zeros has its code
}

TEST(BatchReweighting, OneLassoIsOneSolve) {
  const Problem p;
  const auto fake = std::make_shared<FakeAccelerator>();
  const CodeOptions options{.lambda_ratio = 0.1, .code_start = CodeStart::ones, .max_outer = 1};
  BatchCoder(p.atoms, {options, false, 0, fake}).code(p.signals);
  EXPECT_THAT(fake->calls.solved, testing::ElementsAre(7, 3));
  EXPECT_THAT(fake->calls.reweighted, testing::IsEmpty());
}

TEST(BatchReweighting, AutomaticLambdaTakesThreeRounds) {
  const Problem p;
  const auto fake = std::make_shared<FakeAccelerator>();
  BatchCoder(p.atoms, {{}, false, 0, fake}).code(p.signals);
  EXPECT_EQ(fake->calls.least_squares, 2 * 3);
}

TEST(BatchReweighting, WhatTheDeviceHasNotIsRefused) {
  struct Empty : Accelerator {
    std::string name() const override { return "an empty device"; }
  };
  const Problem p;
  EXPECT_THAT([&] { BatchCoder(p.atoms, {{}, false, 0, std::make_shared<Empty>()}); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("an empty device")));
  BatchOptions either{.code = {}, .accelerator = std::make_shared<Empty>(), .processor_will_do = true};
  EXPECT_FALSE(BatchCoder(p.atoms, either).on_device());
  CodeOptions screened;
  use_screening({ScreenTest::dome}, screened);
  const auto fake = std::make_shared<FakeAccelerator>();
  EXPECT_THAT([&] { BatchCoder(p.atoms, {screened, false, 0, fake}); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("screening gap")));
  EXPECT_TRUE(BatchCoder(p.atoms, {{}, false, 0, fake}).on_device());
}

}  // namespace
}  // namespace ardent
