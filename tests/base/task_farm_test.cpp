#include "ardent/base/task_farm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ardent/base/types.h"
#include "problems/thread_farm.h"

namespace ardent {
namespace {

using problems::ThreadFarm;

struct Result {
  double number = 0;
  std::string text;
  std::vector<Index> list;
  Matrix matrix;
  std::vector<std::string> several;
};

template <class Stream, class AResult>
void describe(Stream& stream, AResult& result) {
  stream.field("number", result.number);
  stream.field("text", result.text);
  stream.list("list", result.list);
  stream.matrix("matrix", result.matrix);
  stream.each("several", result.several, [](auto& s, auto& one) { s.field("one", one); });
}

Result result_of(Index k) {
  const auto number = static_cast<double>(k);
  return {number, std::string(static_cast<std::size_t>(k), 'x'), std::vector<Index>(k, k),
          Matrix::Constant(k, 2, number), {"", "two"}};
}

TEST(TaskFarm, EveryProcessHasAllResultsInTheirOrder) {
  const auto describe_result = [](auto& stream, auto& result) { describe(stream, result); };
  const auto results = ThreadFarm::run_in(3, [&](TaskFarm* farm) {
    return dealt_out<Result>(farm, 7, result_of, describe_result);
  });
  for (const auto& of_process : results) {
    ASSERT_EQ(of_process.size(), 7u);
    for (Index k = 0; k < 7; ++k) {
      const Result wanted = result_of(k);
      EXPECT_EQ(of_process[k].number, wanted.number);
      EXPECT_EQ(of_process[k].text, wanted.text);
      EXPECT_EQ(of_process[k].list, wanted.list);
      EXPECT_EQ(of_process[k].matrix.cwiseEqual(wanted.matrix).count(), 2 * k);
      EXPECT_EQ(of_process[k].several, wanted.several);
    }
  }
}

TEST(TaskFarm, ANumberOfTheLeaderIsThatOfAll) {
  const auto numbers = ThreadFarm::run_in(2, [](TaskFarm* farm) {
    return number_of_leader(farm, farm->leads() ? 1.5 : 2.5);
  });
  EXPECT_THAT(numbers, testing::ElementsAre(1.5, 1.5));
  EXPECT_EQ(number_of_leader(nullptr, 2.5), 2.5);
}

TEST(Packed, AMessageThatIsCutOffIsAnError) {
  Packer packer;
  packer.list("list", std::vector<double>{1, 2, 3});
  const std::string cut = packer.bytes().substr(0, packer.bytes().size() - 1);
  std::vector<double> list;
  EXPECT_THROW(Unpacker(cut).list("list", list), Error);
}

}  // namespace
}  // namespace ardent
