// A Predictor that serves eight threads for long: the same answers, no more memory.
#include "ardent/predictor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "ardent/model/public_model.h"
#include "problems/models.h"
#include "soak/soak_run.h"

namespace ardent {
namespace {

constexpr int kThreads = 8;
constexpr Index kRows = 64;

/// The probabilities of a row, or mean and variance.
void answer(const v0::Predictor& predictor, std::span<const double> row,
            std::vector<double>& found) {
  if (predictor.labels().empty()) {
    const v0::RowMoments moments = predictor.moments(row);
    found[0] = moments.mean;
    found[1] = moments.variance;
  } else {
    predictor.classify(row, found);
  }
}

/// `rounds` times all rows by every thread; how many answers were others than the first ones.
std::int64_t serve(const v0::Predictor& predictor, const DenseRows& rows, std::int64_t rounds) {
  const std::size_t numbers = predictor.labels().empty() ? 2 : predictor.labels().size();
  std::vector<std::vector<double>> right(kRows, std::vector<double>(numbers));
  for (Index i = 0; i < kRows; ++i) answer(predictor, rows.row(i), right[i]);
  std::atomic<std::int64_t> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      std::vector<double> found(numbers);
      for (std::int64_t round = 0; round < rounds; ++round) {
        for (Index i = 0; i < kRows; ++i) {
          answer(predictor, rows.row(i), found);
          if (found != right[i]) ++wrong;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return wrong;
}

TEST(Soak, AnyNumberOfPredictionsByEightThreadsTakeNoMemory) {
  // Of each of the models; `make soak` makes it 10⁸ in all.
  constexpr std::int64_t kEach = 250000;
  const std::vector<problems::ModelKind> kinds{{.map = "linear"},
                                               {.map = "rbf"},
                                               {.map = "rbf", .classes = 0},
                                               {.map = "elm", .classes = 3, .pairs = true}};
  std::vector<v0::Predictor> predictors;
  for (const auto& kind : kinds) predictors.emplace_back(published(problems::random_model(kind)));
  Random random(2);
  const DenseRows rows = problems::random_dense(random, kRows, predictors.front().features());
  const std::int64_t tenth = kEach * soak::times_the_work() / (10 * kThreads * kRows) + 1;
  soak::MemoryCurve memory;
  std::int64_t done = 0, wrong = 0;
  for (int part = 0; part < 10; ++part) {
    for (const v0::Predictor& predictor : predictors) {
      wrong += serve(predictor, rows, tenth);
      done += tenth * kThreads * kRows;
    }
    memory.look();
  }
  fmt::print("{} predictions by {} threads, {} of them not the first ones; {}\n", done, kThreads,
             wrong, memory.text());
  EXPECT_EQ(wrong, 0);
  if (!soak::kMemoryIsTheProgramsOwn) return;
  EXPECT_LT(memory.use_growth(), 16384) << memory.text();
  EXPECT_LT(memory.resident_growth(), 2 << 20) << memory.text();
}

}  // namespace
}  // namespace ardent
