// Codes on a card beside those of the processor.
#include <gmock/gmock.h>

#include "ardent/base/error.h"
#include "ardent/cuda/accelerator_for.h"
#include "ardent/inference/coding/batch_coder.h"
#include "ardent/inference/coding/duality_gap.h"
#include "ardent/inference/coding/make_dictionary.h"
#include "ardent/published/screening/screen.h"
#include "inference/coding/hazardous_problems.h"
#include "problems/random_matrix.h"

namespace ardent {
namespace {

using problems::dense_rows;
using problems::random_matrix;
using problems::sparse_rows;

std::shared_ptr<Accelerator> card() {
  return accelerator_for(Device::cuda);
}

CodedSignals codes(const Features& atoms, const Features& signals, const CodeOptions& code,
                   bool on_card) {
  BatchOptions options{.code = code};
  if (on_card) options.accelerator = card();
  return BatchCoder(atoms, options).code(signals);
}

SparseCode code_of(const CodedSignals& coded, Index signal) {
  SparseCode code;
  const auto begin = coded.codes.offsets[signal], end = coded.codes.offsets[signal + 1];
  code.active.assign(coded.codes.columns.begin() + begin, coded.codes.columns.begin() + end);
  code.theta = Eigen::Map<const Vector>(coded.codes.values.data() + begin, end - begin);
  return code;
}

Matrix spread(const CodedSignals& coded) {
  Matrix all = Matrix::Zero(coded.codes.rows, coded.codes.cols);
  for (Index s = 0; s < coded.codes.rows; ++s) {
    const SparseCode code = code_of(coded, s);
    for (Index k = 0; k < code.theta.size(); ++k) all(s, code.active[k]) = code.theta[k];
  }
  return all;
}

/// As the processor computes it from nothing but the code, penalties being λ.
DualityGap gap_of(const Dictionary& dictionary, const Vector& signal, const SparseCode& code,
                  double lambda, bool nonnegative) {
  Matrix products;
  dictionary.correlate(signal, products);
  const Vector rho = products.col(0);
  Vector weights = Vector::Constant(dictionary.cols(), lambda);
  for (Index i = 0; i < weights.size(); ++i) {
    if (dictionary.norms()[i] == 0) weights[i] = kNeverUsed;
  }
  return duality_gap({dictionary, signal, rho, weights, nonnegative}, code);
}

/// Signals of a few atoms each, with noise; atoms that have much in common, as images have.
struct Problem {
  Matrix atoms = random_matrix(300, 40, 1).cwiseAbs();
  Matrix signals = 0.1 * random_matrix(70, 40, 2);

  Problem() {
    for (Index s = 0; s < 70; ++s) {
      signals.row(s) += atoms.row(3 * s) + 0.6 * atoms.row(3 * s + 1) + 0.3 * atoms.row(s);
    }
  }
};

CodeOptions lasso(double ratio, double tolerance) {
  return {
      .lambda_ratio = ratio, .code_start = CodeStart::ones, .max_outer = 1, .tolerance = tolerance};
}

TEST(CodesOnCard, AreCertifiedAndAgreeWithTheProcessors) {
  const Problem p;
  const Features atoms(dense_rows(p.atoms)), signals(dense_rows(p.signals));
  const auto dictionary = make_dictionary(atoms);
  for (const bool nonnegative : {false, true}) {
    for (const double ratio : {1.0, 0.5, 0.1, 0.003}) {
      CodeOptions options = lasso(ratio, 1e-6);
      options.nonnegative = nonnegative;
      const CodedSignals there = codes(atoms, signals, options, true);
      const CodedSignals here = codes(atoms, signals, options, false);
      for (Index s = 0; s < 70; ++s) {
        const Vector signal = p.signals.row(s).transpose();
        EXPECT_NEAR(there.reports[s].lambda, here.reports[s].lambda,
                    1e-12 * here.reports[s].lambda);
        EXPECT_EQ(there.reports[s].status, Status::converged);
        EXPECT_EQ(there.nearest[s], here.nearest[s]);
        const double lambda = here.reports[s].lambda;
        const DualityGap one = gap_of(*dictionary, signal, code_of(there, s), lambda, nonnegative);
        const DualityGap other = gap_of(*dictionary, signal, code_of(here, s), lambda, nonnegative);
        EXPECT_LE(one.relative(), 1.001e-6);
        EXPECT_NEAR(one.relative(), there.reports[s].gap, 1e-9);
        const double rounding = 1e-14 * std::abs(one.primal);
        EXPECT_NEAR(one.primal, other.primal, one.gap + other.gap + rounding);
      }
    }
  }
}

TEST(CodesOnCard, WithSmallGapsAreTheProcessors) {
  const Problem p;
  const Features atoms(dense_rows(p.atoms)), signals(dense_rows(p.signals));
  for (const double ratio : {0.5, 0.1, 0.01}) {
    const CodedSignals there = codes(atoms, signals, lasso(ratio, 1e-13), true);
    const CodedSignals here = codes(atoms, signals, lasso(ratio, 1e-13), false);
    EXPECT_LT((spread(there) - spread(here)).cwiseAbs().maxCoeff(), 1e-8);
    ASSERT_EQ(there.codes.columns, here.codes.columns);
    for (std::size_t e = 0; e < here.variances.size(); ++e) {
      EXPECT_NEAR(there.variances[e], here.variances[e], 1e-7 * here.variances[e]);
    }
    for (Index s = 0; s < 70; ++s) {
      EXPECT_NEAR(there.reports[s].loss, here.reports[s].loss,
                  1e-7 * std::abs(here.reports[s].loss));
    }
  }
}

TEST(CodesOnCard, HaveTheSameBitsAgainAndWhateverTheBatch) {
  const Problem p;
  const Features atoms(dense_rows(p.atoms));
  for (const CodeOptions& options : {lasso(0.05, 1e-6), CodeOptions{}}) {
    const CodedSignals whole = codes(atoms, Features(dense_rows(p.signals)), options, true);
    const CodedSignals again = codes(atoms, Features(dense_rows(p.signals)), options, true);
    EXPECT_EQ(whole.codes.columns, again.codes.columns);
    EXPECT_EQ(whole.codes.values, again.codes.values);
    EXPECT_EQ(whole.variances, again.variances);
    const Matrix all = spread(whole);
    for (const Index count : {Index{1}, Index{13}}) {
      const Matrix some = p.signals.middleRows(40, count);
      const CodedSignals part = codes(atoms, Features(dense_rows(some)), options, true);
      EXPECT_EQ(spread(part), all.middleRows(40, count));
      EXPECT_EQ(part.reports[0].loss, whole.reports[40].loss);
    }
  }
}

TEST(CodesOnCard, OfNothingAreNothing) {
  Problem p;
  p.signals.row(1).setZero();
  p.atoms.row(7).setZero();
  const Features atoms(dense_rows(p.atoms)), signals(dense_rows(p.signals.topRows(3)));
  for (const CodeOptions& options :
       {CodeOptions{.lambda = 1e3, .code_start = CodeStart::ones, .max_outer = 1}, CodeOptions{}}) {
    const CodedSignals there = codes(atoms, signals, options, true);
    EXPECT_EQ(there.reports[1].nonzeros, 0);
    EXPECT_EQ(there.nearest[1], -1);
    EXPECT_EQ(there.reports[1].status, Status::converged);
    if (options.lambda > 0) {
      EXPECT_EQ(there.codes.values.size(), 0u);
    }
  }
}

TEST(CodesOnCard, OfHazardousProblemsAreCertified) {
  int converged = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const problems::CodingProblem p = problems::hazardous_problem(seed);
    const Features atoms(dense_rows(p.phi.transpose()));
    const Features signals(dense_rows(p.signal.transpose()));
    const double ratios[] = {1, 0.8, 0.3, 0.05, 1e-3, 1e-6};
    CodeOptions options = lasso(ratios[seed % 6], 1e-6);
    options.nonnegative = seed % 5 == 0;
    const CodedSignals there = codes(atoms, signals, options, true);
    const CodedSignals here = codes(atoms, signals, options, false);
    EXPECT_EQ(there.reports[0].status, here.reports[0].status) << "seed " << seed;
    if (here.reports[0].status != Status::converged || here.reports[0].gap > 1e-6) continue;
    const DualityGap gap = gap_of(*p.dictionary, p.signal, code_of(there, 0),
                                  there.reports[0].lambda, options.nonnegative);
    EXPECT_LE(gap.relative(), 1.01e-6) << "seed " << seed;
    ++converged;
  }
  EXPECT_GT(converged, 130);
}

TEST(CodesOnCard, ReweightedAreTheProcessors) {
  const Problem p;
  const Features atoms(dense_rows(p.atoms)), signals(dense_rows(p.signals));
  const CodeOptions cases[] = {
      {.lambda = 0.05, .tolerance = 1e-12},
      {.lambda_ratio = 0.02, .lambda_steps = 3, .tolerance = 1e-12},
      {.lambda = 0.05, .code_start = CodeStart::ones, .max_outer = 4, .tolerance = 1e-12},
      {.tolerance = 1e-12, .nonnegative = true},
      {.tolerance = 1e-12}};
  for (const CodeOptions& options : cases) {
    const CodedSignals there = codes(atoms, signals, options, true);
    const CodedSignals here = codes(atoms, signals, options, false);
    EXPECT_LT((spread(there) - spread(here)).cwiseAbs().maxCoeff(), 1e-7);
    for (Index s = 0; s < 70; ++s) {
      EXPECT_NEAR(there.reports[s].lambda, here.reports[s].lambda, 1e-7 * here.reports[s].lambda);
      EXPECT_NEAR(there.reports[s].loss, here.reports[s].loss,
                  1e-7 * std::abs(here.reports[s].loss));
      EXPECT_EQ(there.reports[s].outer, here.reports[s].outer);
      EXPECT_EQ(there.reports[s].by_lambda.size(), here.reports[s].by_lambda.size());
    }
  }
}

TEST(CodesOnCard, OverSparseAtomsAreThoseOverDense) {
  const Problem p;
  const Matrix signals = p.signals.cast<float>().cast<double>();
  const Matrix atoms = p.atoms.cast<float>().cast<double>();
  const CodedSignals dense =
      codes(Features(dense_rows(atoms)), Features(dense_rows(signals)), lasso(0.1, 1e-6), true);
  const CodedSignals sparse =
      codes(Features(sparse_rows(atoms)), Features(sparse_rows(signals)), lasso(0.1, 1e-6), true);
  EXPECT_EQ(dense.codes.values, sparse.codes.values);
}

TEST(CodesOnCard, LargeCodesAreCertified) {
  const Matrix atoms = random_matrix(900, 500, 3);
  const Matrix signals = random_matrix(5, 500, 4);
  const Features rows(dense_rows(atoms)), to_code(dense_rows(signals));
  const auto dictionary = make_dictionary(rows);
  const CodedSignals there = codes(rows, to_code, lasso(0.01, 1e-6), true);
  for (Index s = 0; s < 5; ++s) {
    EXPECT_GT(there.reports[s].nonzeros, 300);
    EXPECT_LE(gap_of(*dictionary, signals.row(s).transpose(), code_of(there, s),
                     there.reports[s].lambda, false)
                  .relative(),
              1.001e-6);
  }
}

}  // namespace
}  // namespace ardent
