#include "ardent/design/design.h"

#include <gmock/gmock.h>

#include "ardent/design/dense.h"
#include "tests/design/brute_force.h"

namespace ardent {
namespace {

using testing::HasSubstr;

template <class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no InputError";
}

class WrongSizes : public testing::Test {
 protected:
  DenseDesign design{problems::random_matrix(5, 3, 1)};
  Vector vector;
  Matrix matrix;
};

TEST_F(WrongSizes, AreRefusedWithTheShapeOfTheDesign) {
  const Vector of_four = Vector::Ones(4);
  EXPECT_THAT(message_of([&] { design.multiply(of_four, vector); }),
              HasSubstr("w has 4 entries but the design is 5 × 3: 3 are needed"));
  EXPECT_THAT(message_of([&] { design.multiply_transposed(of_four, vector); }),
              HasSubstr("5 are needed"));
  EXPECT_THAT(message_of([&] { design.weighted_square_norms(of_four, vector); }),
              HasSubstr("5 are needed"));
  EXPECT_THAT(message_of([&] { design.weighted_gram(of_four, matrix); }),
              HasSubstr("5 are needed"));
  EXPECT_THAT(message_of([&] { design.weighted_outer(of_four, matrix); }),
              HasSubstr("3 are needed"));
  EXPECT_THAT(message_of([&] { design.scale_columns(of_four); }), HasSubstr("3 are needed"));
}

TEST_F(WrongSizes, ColumnsOutsideTheDesignAreRefused) {
  EXPECT_THAT(message_of([&] {
                design.columns(std::vector<Index>{0, 3});
              }),
              HasSubstr("column 3 was asked for, but the design is 5 × 3"));
  EXPECT_THAT(message_of([&] { design.keep(std::vector<Index>{-1}); }), HasSubstr("column -1"));
}

TEST_F(WrongSizes, KeepRefusesColumnsThatDoNotAscend) {
  EXPECT_THAT(message_of([&] {
                design.keep(std::vector<Index>{2, 0});
              }),
              HasSubstr("must ascend, but 0 follows 2"));
  EXPECT_THAT(message_of([&] {
                design.keep(std::vector<Index>{1, 1, 2});
              }),
              HasSubstr("must ascend"));
  EXPECT_EQ(design.cols(), 3);
}

TEST(DesignScaling, ScalesMultiplyAndSurvivePruning) {
  DenseDesign design(Matrix::Ones(2, 3));
  design.scale_columns(Vector{{2, 3, 5}});
  design.scale_columns(Vector{{1, 10, 1}});
  design.keep(std::vector<Index>{1, 2});
  EXPECT_EQ(design.columns(std::vector<Index>{0, 1}), (Matrix{{30, 5}, {30, 5}}));
}

}  // namespace
}  // namespace ardent
