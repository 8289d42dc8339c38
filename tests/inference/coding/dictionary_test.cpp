#include "ardent/inference/coding/dictionary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/inference/coding/column_products.h"
#include "ardent/inference/coding/gram_rows.h"
#include "ardent/inference/coding/make_dictionary.h"
#include "ardent/inference/coding/projected_dictionary.h"
#include "problems/random_matrix.h"

namespace ardent {
namespace {

using problems::dense_rows;
using problems::random_matrix;
using problems::random_vector;
using problems::sparse_rows;

/// The same atoms, dense, sparse and as a projection that leaves them alone.
struct Forms {
  Matrix phi;
  std::vector<std::unique_ptr<Dictionary>> all;
};

Forms forms(Index rows, Index cols, double density) {
  Forms f{random_matrix(rows, cols, 1, density), {}};
  f.all.push_back(make_dictionary(Features(dense_rows(f.phi.transpose()))));
  f.all.push_back(make_dictionary(Features(sparse_rows(f.phi.transpose()))));
  f.all.push_back(std::make_unique<ProjectedDictionary>(*f.all[0], Matrix(rows, 0)));
  return f;
}

TEST(Dictionary, EveryFormAnswersAsTheMatrixDoes) {
  for (const Index rows : {1, 7, 16, 61}) {
    const Forms f = forms(rows, 37, 0.4);
    const Matrix& phi = f.phi;
    const Matrix signals = random_matrix(rows, 6, 2);
    const std::vector<Index> atoms{3, 0, 36, 17, 18};
    const Vector theta = random_vector(5, 3);
    for (const auto& dictionary : f.all) {
      EXPECT_EQ(dictionary->rows(), rows);
      EXPECT_EQ(dictionary->cols(), 37);
      EXPECT_LT((dictionary->norms() - phi.colwise().norm().transpose()).norm(), 1e-13);
      Matrix products;
      dictionary->correlate(signals, products);
      EXPECT_LT((products - phi.transpose() * signals).norm(), 1e-12);
      Matrix gram(37, 5);
      dictionary->gram_rows(atoms, gram);
      EXPECT_LT((gram - phi.transpose() * phi(Eigen::all, atoms)).norm(), 1e-12);
      EXPECT_NEAR(dictionary->dot(17, signals.col(0)), phi.col(17).dot(signals.col(0)), 1e-13);
      EXPECT_LT((dictionary->combine(atoms, theta) - phi(Eigen::all, atoms) * theta).norm(), 1e-13);
      const std::vector<Index> some{30, 2, 5, 6, 7, 8};
      const Vector listed = dictionary->correlate_some(some, signals.col(1));
      EXPECT_EQ(listed, Vector(products.col(1)(some)));
      const std::vector<Index> first{0, 1, 2, 3, 4, 5, 6, 7, 8, 31, 32, 36}, second{30, 31, 35};
      const Vector v = signals.col(2), w = signals.col(3);
      Vector of_first, of_second, of_none;
      dictionary->correlate_lists(std::vector<ListedProducts>{
          {first, v, of_first}, {{}, v, of_none}, {second, w, of_second}});
      EXPECT_EQ(of_first, Vector(products.col(2)(first)));
      EXPECT_EQ(of_second, Vector(products.col(3)(second)));
      EXPECT_EQ(of_none.size(), 0);
    }
  }
}

TEST(Dictionary, UnitNormScalesEveryAtomButZeros) {
  Matrix phi = 8 * random_matrix(12, 9, 4, 0.8);  // exact in float32
  phi.col(4).setZero();
  for (const Features& atoms :
       {Features(dense_rows(phi.transpose())), Features(sparse_rows(phi.transpose()))}) {
    const auto dictionary = make_dictionary(atoms, true);
    for (Index i = 0; i < 9; ++i) {
      EXPECT_NEAR(dictionary->norms()[i], i == 4 ? 0 : 1, 1e-14);
      const double expected =
          i == 4 ? 0 : phi.col(i).dot(phi.col(0)) / phi.col(0).norm() / phi.col(i).norm();
      Vector column = Vector::Zero(12);
      dictionary->add_scaled(0, 1, column);
      EXPECT_NEAR(dictionary->dot(i, column), expected, 1e-13);
    }
  }
}

TEST(Dictionary, AnEntryHasTheSameBitsInAnyCompany) {
  const Forms f = forms(45, 700, 0.5);
  for (const auto& dictionary : f.all) {
    std::vector<Index> atoms;
    for (Index j = 0; j < 23; ++j) atoms.push_back(31 * j);
    Matrix together(700, 23);
    dictionary->gram_rows(atoms, together);
    Matrix alone(700, 1);
    for (Index k = 0; k < 23; ++k) {
      dictionary->gram_rows({&atoms[k], 1}, alone);
      ASSERT_EQ(alone.col(0), together.col(k)) << k;
    }
    const ThreadScope eight(8);
    Matrix again(700, 23);
    dictionary->gram_rows(atoms, again);
    EXPECT_EQ(again, together);
  }
}

TEST(Dictionary, ProjectionLeavesNothingOfTheSpan) {
  Matrix phi = random_matrix(15, 10, 5);
  phi.col(9) = phi.col(0) - 2 * phi.col(1);  // in the span of the first two
  phi.col(8) = 1e5 * phi.col(0) + 1e-3 * phi.col(8);
  const auto whole = make_dictionary(Features(dense_rows(phi.transpose())));
  const Matrix q = orthonormal_span(*whole, std::vector<Index>{0, 1, 9});
  ASSERT_EQ(q.cols(), 2);
  const ProjectedDictionary rest(*whole, q);
  for (const Index i : {0, 1, 9}) EXPECT_EQ(rest.norms()[i], 0);
  const Matrix left = phi - q * (q.transpose() * phi);
  for (Index i = 2; i < 8; ++i) EXPECT_NEAR(rest.norms()[i], left.col(i).norm(), 1e-13);
  EXPECT_NEAR(rest.norms()[8], left.col(8).norm(), 1e-6 * left.col(8).norm());
  EXPECT_LT((q.transpose() * rest.project(phi)).norm(), 1e-10);
}

TEST(Dictionary, RefusesWhatCannotCode) {
  const auto message = [](const Matrix& phi) -> std::string {
    try {
      make_dictionary(Features(dense_rows(phi.transpose())));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  Matrix bad = random_matrix(4, 3, 6);
  bad(2, 1) = std::numeric_limits<double>::quiet_NaN();
  using testing::HasSubstr;
  EXPECT_THAT(message(bad), HasSubstr("atom 2 of the dictionary has a number that is not finite"));
  EXPECT_THAT(message(Matrix::Zero(4, 3)), HasSubstr("all 3 atoms of the dictionary are zero"));
  EXPECT_THAT(message(Matrix(4, 0)), HasSubstr("0 × 4"));
  EXPECT_EQ(message(Matrix::Constant(2, 2, 1e200)), "");  // squares overflow, lengths do not
}

TEST(ColumnProducts, EveryShapeOfTile) {
  for (const Index length : {1, 5, 8, 9, 40}) {
    for (const Index a : {1, 3, 4, 33, 300}) {
      for (const Index b : {1, 4, 6}) {
        const Matrix left = random_matrix(length, a, 7);
        const Matrix right = random_matrix(length, b, 8);
        Matrix out(a + 2, b);  // a wider stride than needed
        column_products(left.data(), a, right.data(), b, length, out.data(), a + 2);
        EXPECT_LT((out.topRows(a) - left.transpose() * right).norm(), 1e-11);
      }
    }
  }
}

TEST(GramRows, AreComputedOnceWhileTheyFit) {
  const Forms f = forms(10, 20, 1);
  GramRows rows(*f.all[0], 3 * 20 * sizeof(double));
  const Matrix gram = f.phi.transpose() * f.phi;
  const auto ask = [&](std::vector<Index> atoms) {
    const auto got = rows.rows(atoms);
    for (std::size_t k = 0; k < atoms.size(); ++k) {
      EXPECT_LT((*got[k] - gram.col(atoms[k])).norm(), 1e-12);
    }
    return rows.computed();
  };
  EXPECT_EQ(ask({1, 2, 3}), 3);
  EXPECT_EQ(ask({3, 2}), 3);
  EXPECT_EQ(ask({4}), 4);  // 1, used longest ago, goes
  EXPECT_EQ(ask({2, 3}), 4);
  EXPECT_EQ(ask({1}), 5);
  EXPECT_EQ(ask({4}), 6);
  GramRows none(*f.all[0], 0);
  EXPECT_EQ(none.rows(std::vector<Index>{5}).size(), 1u);
  none.rows(std::vector<Index>{5});
  EXPECT_EQ(none.computed(), 2);
}

// Eigen begins some sums at an aligned address: where an array lies must not change the bits.
TEST(Dictionary, NormsDoNotDependOnTheAddressOfTheAtoms) {
  const Index rows = 29, length = 103;
  const DenseRows atoms = dense_rows(random_matrix(rows, length, 5));
  const Vector norms = make_dictionary(Features(atoms))->norms();
  for (std::size_t shift = 1; shift < 8; ++shift) {
    auto memory =
        std::make_shared<Buffer<double>>(Buffer<double>::allocate(atoms.values.size() + 8));
    double* to = memory->mutable_data() + shift;
    std::copy(atoms.values.begin(), atoms.values.end(), to);
    const DenseRows moved{rows, length, Buffer<double>::view(memory, to, atoms.values.size())};
    EXPECT_EQ(make_dictionary(Features(moved))->norms(), norms) << shift;
  }
}

}  // namespace
}  // namespace ardent
