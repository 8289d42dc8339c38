#include "ardent/imaging/psf_dictionary.h"

#include <gtest/gtest.h>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/base/random.h"

namespace ardent {
namespace {

/// Every atom as an image, by the PSF itself.
Matrix dense(const PsfDictionary& dictionary, Index width, Index height) {
  Matrix atoms(width * height, dictionary.cols());
  for (Index j = 0; j < dictionary.cols(); ++j) {
    Image image = blank_image(width, height);
    add_source(dictionary.source(j), image);
    atoms.col(j) = Eigen::Map<const Vector>(image.pixels.data(), image.size());
  }
  return atoms;
}

TEST(PsfDictionary, FactoredProductsEqualThoseOfTheAtoms) {
  const PsfDictionary dictionary(PsfGrid{11, 8, 1, 2.5, 1.4, 0.9});
  const Matrix atoms = dense(dictionary, 11, 8);
  EXPECT_LT((atoms.colwise().norm().array() - 1).abs().maxCoeff(), 1e-12);
  const Matrix signals = Matrix::Random(88, 3);
  Matrix products;
  dictionary.correlate(signals, products);
  EXPECT_LT((products - atoms.transpose() * signals).cwiseAbs().maxCoeff(), 1e-12);
  const std::vector<Index> some{0, 7, dictionary.cols() / 2, dictionary.cols() - 1};
  Matrix rows(dictionary.cols(), 4);
  dictionary.gram_rows(some, rows);
  for (Index k = 0; k < 4; ++k) {
    const Index j = some[k];
    EXPECT_LT((rows.col(k) - atoms.transpose() * atoms.col(j)).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_NEAR(dictionary.dot(j, signals.col(0)), products(j, 0), 1e-12);
    Vector v = signals.col(1);
    dictionary.add_scaled(j, -2.5, v);
    EXPECT_LT((v - signals.col(1) + 2.5 * atoms.col(j)).cwiseAbs().maxCoeff(), 1e-12);
  }
  const Vector picked = dictionary.correlate_some(some, signals.col(2));
  for (Index k = 0; k < 4; ++k) {
    EXPECT_EQ(picked[k], products(some[k], 2));
  }
}

TEST(PsfDictionary, KnownWidthIsOneLevelThatReachesBothBorders) {
  const PsfDictionary dictionary(PsfGrid{9, 9, 1.5, 1.5});
  EXPECT_EQ(dictionary.source(0).x, 1);
  EXPECT_EQ(dictionary.source(dictionary.cols() - 1).y, 9);
  EXPECT_EQ(dictionary.source(0).sigma, 1.5);
  EXPECT_EQ(PsfDictionary(PsfGrid{1, 1, 1, 1}).cols(), 1);
  EXPECT_THROW(PsfDictionary(PsfGrid{0, 4, 1, 2}), InputError);
  EXPECT_THROW(PsfDictionary(PsfGrid{4, 4, 2, 1}), InputError);
  const PsfGrid near{.width = 9, .height = 9, .sigma_low = 3, .sigma_high = 3, .most = 1};
  EXPECT_EQ(PsfDictionary(near).cols(), 81);  // every pixel, and not every 1.5
}

TEST(StackDictionary, ProductsAreThoseOfItsAtoms) {
  const PsfDictionary dictionary(PsfGrid{8, 7, 1, 1.6, 1.4, 0.9, 6, 1.5, 2.5});
  const Index n = dictionary.cols();
  Matrix atoms = Matrix::Zero(dictionary.rows(), n);
  for (Index j = 0; j < n; ++j) {
    Image stack = blank_image(8, 7, 6);
    add_source(dictionary.source(j), stack);
    atoms.col(j) = Eigen::Map<const Vector>(stack.pixels.data(), stack.size());
    Vector added = Vector::Zero(dictionary.rows());
    dictionary.add_scaled(j, 1, added);
    ASSERT_LT((added - atoms.col(j)).norm(), 1e-12) << j;
  }
  EXPECT_LT((atoms.colwise().norm().array() - 1).abs().maxCoeff(), 1e-12);
  Random random(1);
  Vector signal(dictionary.rows());
  for (double& value : signal) value = random.normal();
  Matrix products;
  dictionary.correlate(signal, products);
  EXPECT_LT((products.col(0) - atoms.transpose() * signal).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_NEAR(dictionary.dot(n / 2, signal), products(n / 2, 0), 1e-12);
  const std::vector<Index> some{0, n / 3, n - 1};
  Matrix rows(n, 3);
  dictionary.gram_rows(some, rows);
  EXPECT_LT((rows - atoms.transpose() * atoms(Eigen::all, some)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(SamplePsfs, AtomsAreUnitImagesOfTheSourcesDrawn) {
  for (const bool normal : {false, true}) {
    const SampledPsfs sampled = sample_psfs(50, {28, 20, 1, 3}, normal, 4);
    ASSERT_EQ(sampled.sources.size(), 50u);
    for (std::size_t k = 0; k < 50; ++k) {
      const Source& source = sampled.sources[k];
      EXPECT_GE(source.x, 1);
      EXPECT_LE(source.x, 28);
      EXPECT_GE(source.sigma, 1);
      EXPECT_LE(source.sigma, 3);
      const auto atom = sampled.atoms.row(static_cast<Index>(k));
      double sum = 0;
      for (const double value : atom) sum += value * value;
      EXPECT_NEAR(sum, 1, 1e-12);
    }
  }
}

}  // namespace
}  // namespace ardent
