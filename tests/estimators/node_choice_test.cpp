// Hidden nodes: the folds decide between a precision for each and one for all.
#include "ardent/estimators/node_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ardent/estimators/trainer.h"
#include "problems/labelled.h"

namespace ardent {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kNodes = "hidden nodes: ";

/// `classes` around points of the plane, `spread` apart from them; `cols` columns.
Dataset clouds(Index rows, Index cols, Index classes, double spread, std::uint64_t seed) {
  Random random(seed);
  Buffer<double> values = Buffer<double>::allocate(rows * cols);
  std::vector<double> labels;
  for (Index i = 0; i < rows; ++i) {
    double* x = values.mutable_data() + i * cols;
    const Index c = i % classes;
    for (Index k = 0; k < cols; ++k) x[k] = spread * random.normal();
    x[0] += static_cast<double>(c % 3) * 2;
    x[1] += static_cast<double>(c / 3) * 2;
    labels.push_back(static_cast<double>(c));
  }
  Dataset data;
  data.features = DenseRows{rows, cols, values};
  data.labels = make_labels(std::move(labels));
  data.source = "clouds";
  return data;
}

const Report& first_report(const Model& model) {
  return model.parts.at(0).report;
}

/// The two log losses of the note, "{} with a precision for each, {} with one for all".
std::pair<double, double> compared_losses(const Report& report) {
  const auto note = std::ranges::find_if(
      report.notes, [](const std::string& text) { return text.starts_with(kNodes); });
  const std::size_t at = note->find("rows: ") + 6, then = note->find("each, ") + 6;
  return {std::stod(note->substr(at)), std::stod(note->substr(then))};
}

TEST(NodeChoice, AllNodesAreKeptWhereHeldOutRowsGainATwentiethOfTheirLogLoss) {
  int shared = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Dataset data = clouds(60, 2 + 6 * static_cast<Index>(seed % 2), 2, 1.2, seed);
    const Model model = train(data, {.map = "elm", .hidden = 30, .seed = seed});
    const auto [each, all] = compared_losses(first_report(model));
    const bool worth = all < 0.95 * each;
    EXPECT_EQ(first_report(model).engine, worth ? "shrinkage" : "exact") << seed;
    EXPECT_EQ(model.parts.at(0).posterior.active.size() == 30u, worth) << seed;
    shared += worth ? 1 : 0;
  }
  EXPECT_GT(shared, 0);
  EXPECT_LT(shared, 6);
}

TEST(NodeChoice, TheFoldsOfFivePairsChooseForAll) {
  const Model model = train(clouds(180, 6, 6, 0.5, 3), {.map = "elm", .hidden = 40});
  ASSERT_EQ(model.parts.size(), 15u);
  int asked = 0;
  for (const Part& part : model.parts) {
    EXPECT_EQ(part.report.engine == "shrinkage", part.posterior.active.size() == 40u);
    const auto says = [&](const char* words) {
      return std::ranges::any_of(part.report.notes, [&](const std::string& text) {
        return text.find(words) != std::string::npos;
      });
    };
    asked += says("with one for all") ? 1 : 0;
  }
  EXPECT_EQ(asked, 5);
}

TEST(NodeChoice, AnEngineThatIsNamedIsNotCompared) {
  const Dataset data = clouds(60, 3, 2, 1.0, 4);
  const Model named = train(data, {.map = "elm", .engine = "exact", .hidden = 20});
  EXPECT_EQ(first_report(named).engine, "exact");
  EXPECT_THAT(first_report(named).notes, Each(Not(HasSubstr(kNodes))));
  const Model regression = train(problems::line(60, 4, 1), {.map = "elm", .hidden = 20});
  EXPECT_THAT(first_report(regression).notes, Each(Not(HasSubstr(kNodes))));
  const Model asked = train(data, {.map = "elm", .hidden = 20});
  EXPECT_THAT(first_report(asked).notes, Contains(HasSubstr(kNodes)));
}

TEST(NodeChoice, AClassOfFewRowsIsLeftToTheEvidence) {
  Dataset data = clouds(42, 3, 2, 1.0, 5);
  std::vector<double> labels(42, 0);
  std::fill_n(labels.begin(), 4, 1.0);
  data.labels = make_labels(std::move(labels));
  EXPECT_EQ(first_report(train(data, {.map = "elm", .hidden = 20})).engine, "exact");
}

}  // namespace
}  // namespace ardent
