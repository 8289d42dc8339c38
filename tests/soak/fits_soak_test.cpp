// Thousands of fits in one process: what they held is given back.
#include <gtest/gtest.h>

#include "ardent/estimators/trainer.h"
#include "ardent/model/model_file.h"
#include "ardent/model/predict.h"
#include "soak/soak_run.h"

namespace ardent {
namespace {

struct SoakedFit {
  std::string map = "linear";
  std::string engine = "auto";
  bool regression = false;
};

const std::vector<SoakedFit> kFits{
    {"linear", "exact", false},      {"linear", "exact", true},       {"linear", "diagonal", false},
    {"linear", "probes", true},      {"linear", "path", false},       {"linear", "shrinkage", true},
    {"linear", "sequential", false}, {"rbf", "growing", true},        {"rbf", "growing", false},
    {"elm", "exact", false},         {"doubly-sparse", "auto", false}};

Dataset soaked_data(std::uint64_t seed, bool regression) {
  Random random(seed);
  constexpr Index kRows = 40, kFeatures = 4;
  std::vector<double> values;
  std::vector<std::string> labels;
  for (Index i = 0; i < kRows; ++i) {
    double sum = 0.3 * random.normal();
    for (Index j = 0; j < kFeatures; ++j) {
      values.push_back(random.normal());
      sum += j < 2 ? values.back() : 0;
    }
    labels.push_back(regression ? fmt::format("{}", sum) : sum > 0 ? "1" : "-1");
  }
  Dataset data;
  data.features = DenseRows{kRows, kFeatures, Buffer<double>::copy_of(values)};
  data.labels = make_labels(std::vector<std::string_view>(labels.begin(), labels.end()));
  return data;
}

/// A fit, its file, and predictions of what was read back.
void fit_once(const SoakedFit& fit, std::uint64_t seed) {
  TrainOptions options;
  options.map = fit.map;
  options.engine = fit.engine;
  options.task = fit.regression ? "regression" : "classification";
  options.hidden = 10;
  if (fit.map == "rbf") options.sigma = 2;
  options.doubly_sparse.chains = 1;
  options.doubly_sparse.burn_in = 3;
  options.doubly_sparse.sweeps = 4;
  options.doubly_sparse.draws = 2;
  const Dataset data = soaked_data(seed, fit.regression);
  const Model read = model_from_bytes(model_bytes(train(data, options)));
  const Prediction found = predict(read, data);
  ASSERT_TRUE(found.mean.allFinite() && found.probabilities.allFinite());
}

TEST(Soak, ThousandsOfFitsInOneProcessLeaveNothing) {
  // `make soak`: 10,000.
  const std::int64_t tenth = 10 * soak::times_the_work();
  soak::MemoryCurve memory;
  std::uint64_t done = 0;
  for (int part = 0; part < 10; ++part) {
    for (std::int64_t k = 0; k < tenth; ++k, ++done) fit_once(kFits[done % kFits.size()], done);
    memory.look();
  }
  fmt::print("{} fits of {} kinds; {}\n", done, kFits.size(), memory.text());
  if (!soak::kMemoryIsTheProgramsOwn) return;
  EXPECT_LT(memory.use_growth(), 1 << 20) << memory.text();
  EXPECT_LT(memory.resident_growth(), 8 << 20) << memory.text();
}

}  // namespace
}  // namespace ardent
