#include "ardent/estimators/grid_search.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "problems/labelled.h"

namespace ardent {
namespace {

using problems::line;
using problems::three_classes;
using problems::two_classes;
using testing::HasSubstr;

Grid grid_of(std::vector<std::string> axes) {
  return Grid(axes);
}

TrainOptions with_map(const std::string& map) {
  TrainOptions options;
  options.map = map;
  options.engine_options.max_stages = 25;  // these tests are not about convergence
  return options;
}

/// All but the seconds, which no two runs share.
std::vector<NamedValues> scores(const GridResult& result) {
  std::vector<NamedValues> all;
  for (const GridPoint& point : result.points) {
    all.push_back(point.scores);
    std::erase_if(all.back(), [](const auto& score) { return score.first == "seconds"; });
  }
  return all;
}

NamedValues scores(const std::vector<Evaluation>& folds) {
  NamedValues named = by_name(folds);
  std::erase_if(named, [](const auto& score) { return score.first == "seconds"; });
  return named;
}

std::string refusal(const Dataset& data, std::vector<std::string> axes, const TrainOptions& base,
                    const GridOptions& options = {}) {
  try {
    grid_search(data, grid_of(std::move(axes)), base, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(GridSearch, EveryPointEqualsACrossValidationOfItsOwnToTheBit) {
  const Dataset data = three_classes(61, 3, 1);
  const Grid grid = grid_of({"map=linear,rbf,elm", "sigma=0.5,2", "hidden=7,15"});
  TrainOptions base;
  base.seed = 3;
  const GridResult result = grid_search(data, grid, base, {.folds = 3, .fold_seed = 9});
  ASSERT_EQ(result.points.size(), 12u);
  for (Index p = 0; p < grid.size(); ++p) {
    const auto alone = cross_validate(data, grid.options(base, p), 3, 9);
    EXPECT_EQ(scores(result)[p], scores(alone)) << grid.name(p);
  }
}

TEST(GridSearch, SharedDistancesChangeNoBit) {
  const Dataset data = three_classes(101, 4, 2);
  for (const std::string multiclass : {"ovo", "ovr"}) {
    const Grid grid = grid_of({"scale=minmax,standard", "sigma=2^-2:2^3"});
    TrainOptions base = with_map("rbf");
    base.multiclass = multiclass;
    const auto with_room_for = [&](std::size_t bytes) {
      return scores(grid_search(data, grid, base, {.folds = 3, .distance_bytes = bytes}));
    };
    const auto none = with_room_for(0);
    EXPECT_EQ(none, with_room_for(std::size_t{1} << 30));
    EXPECT_EQ(none, with_room_for(6 * 45 * 45 * 8 * 2));  // room for some pairs of classes
  }
}

TEST(GridSearch, ASeedGridVariesHiddenNodesAndNotTheFolds) {
  const Dataset data = two_classes(60, 3, 3);
  const auto linear = scores(grid_search(data, grid_of({"seed=1:3"}), {}));
  EXPECT_EQ(linear[0], linear[1]);
  EXPECT_EQ(linear[0], linear[2]);
  const auto elm = scores(grid_search(data, grid_of({"seed=1:3", "hidden=20"}), with_map("elm")));
  EXPECT_NE(elm[0], elm[1]);
}

TEST(GridSearch, SameBitsForAnyNumberOfThreads) {
  const Dataset data = three_classes(70, 3, 4);
  const auto search = [&](int count) {
    const ThreadScope threads(count);
    return grid_search(data, grid_of({"sigma=0.5,1,2,4"}), with_map("rbf"), {.folds = 3});
  };
  const GridResult one = search(1);
  for (const int count : {2, 4}) {
    const GridResult other = search(count);
    EXPECT_EQ(scores(one), scores(other));
    EXPECT_EQ(one.best, other.best);
  }
}

TEST(GridSearch, PicksTheBestMeanOfTheCriterion) {
  const Dataset data = two_classes(90, 2, 5);
  for (const std::string pick : {"accuracy", "log_loss"}) {
    const GridResult result =
        grid_search(data, grid_of({"sigma=2^-4:2^3"}), with_map("rbf"), {.pick = pick});
    const double best = mean_score(result.points[result.best], pick);
    double worst = best;
    for (const GridPoint& point : result.points) {
      const double score = mean_score(point, pick);
      if (pick == "accuracy") {
        EXPECT_LE(score, best);
        worst = std::min(worst, score);
      } else {
        EXPECT_GE(score, best);
        worst = std::max(worst, score);
      }
    }
    EXPECT_NE(worst, best);
  }
}

TEST(GridSearch, TiesGoToTheFewerActiveThenToTheFirst) {
  // The seed does not matter to a linear map: all points tie in all.
  const GridResult same = grid_search(two_classes(60, 3, 6), grid_of({"seed=4:6"}), {});
  EXPECT_EQ(same.best, 0);
  // Far clusters: accuracy is 1 from the first stage on, and weights are pruned stage by stage.
  Dataset data = two_classes(80, 2, 7);
  Buffer<double> values = Buffer<double>::copy_of(std::get<DenseRows>(data.features).values.span());
  for (Index i = 0; i < 80; ++i) {
    values.mutable_data()[2 * i] = (data.labels.ids[i] ? 20 : -20);
  }
  data.features = DenseRows{80, 2, values};
  const GridResult result =
      grid_search(data, grid_of({"max-stages=1,3,30"}), with_map("rbf"), {.folds = 2});
  std::set<double> active;
  for (const GridPoint& point : result.points) {
    ASSERT_EQ(mean_score(point, "accuracy"), 1);
    active.insert(mean_score(point, "active"));
  }
  ASSERT_GT(active.size(), 1u);
  EXPECT_EQ(mean_score(result.points[result.best], "active"), *active.begin());
}

TEST(GridSearch, EvidenceIsThatOfOneFitToAllRows) {
  const Dataset data = two_classes(70, 3, 8);
  const Grid grid = grid_of({"sigma=0.5,1,2,4"});
  const TrainOptions base = with_map("rbf");
  const GridResult result = grid_search(data, grid, base, {.pick = "evidence"});
  double best = -HUGE_VAL;
  for (Index p = 0; p < grid.size(); ++p) {
    const GridPoint& point = result.points[p];
    const Model model = train(data, grid.options(base, p));
    EXPECT_EQ(mean_score(point, "evidence"), log_evidence(model));
    EXPECT_EQ(mean_score(point, "active"), mean_active(model));
    EXPECT_EQ(point.scores.size(), 4u);
    EXPECT_EQ(point.scores[0].second.size(), 1u);
    best = std::max(best, log_evidence(model));
  }
  EXPECT_EQ(mean_score(result.points[result.best], "evidence"), best);
}

TEST(GridSearch, EvidenceNeedsNoFoldsWhereAClassHasTooFewRowsForThem) {
  const Dataset data = three_classes(8, 2, 9);
  EXPECT_THAT(refusal(data, {"bias=on,off"}, {}, {.folds = 5}), HasSubstr("5"));
  EXPECT_EQ(refusal(data, {"bias=on,off"}, {}, {.folds = 5, .pick = "evidence"}), "accepted");
}

TEST(GridSearch, RegressionHasItsOwnCriteria) {
  const Dataset data = line(60, 4, 10);
  const auto search = [&](const std::string& pick) {
    return grid_search(data, grid_of({"map=elm,linear", "hidden=3,5"}), {}, {.pick = pick});
  };
  const GridResult result = search("auto");
  EXPECT_EQ(result.task, Task::regression);
  EXPECT_EQ(result.pick, "rmse");
  for (const std::string pick : {"auto", "rmse", "r2", "nlpd", "evidence"}) {
    EXPECT_EQ(search(pick).best, 2) << pick;  // a line is linear
  }
  EXPECT_THAT(refusal(data, {"seed=1:2"}, {}, {.pick = "accuracy"}),
              HasSubstr("for regression, one of rmse, r2, nlpd, evidence, not 'accuracy'"));
}

TEST(GridSearch, TasksThatCannotBeComparedAreRefused) {
  Dataset data = two_classes(40, 2, 11);
  std::vector<double> numbers;
  for (Index i = 0; i < 40; ++i) numbers.push_back(static_cast<double>(i % 2));
  data.labels = make_labels(numbers);
  EXPECT_THAT(refusal(data, {"task=classification,regression"}, {}),
              HasSubstr("cannot be compared"));
  EXPECT_EQ(refusal(data, {"task=classification,auto"}, {}), "accepted");
}

TEST(GridSearch, APointThatCannotBeTrainedIsNamed) {
  // Each value is allowed on its own; together they are not.
  EXPECT_THAT(refusal(two_classes(40, 2, 12), {"alpha-init=1e-3,10", "alpha-max=5"}, {}),
              HasSubstr("alpha_max must be"));
  // That words are no numbers is found while training.
  EXPECT_THAT(refusal(two_classes(40, 2, 13), {"task=regression", "bias=on,off"}, {}),
              testing::StartsWith("task=regression, bias=on: "));
}

TEST(GridSearch, ProgressCountsFitsAndMayStopTheSearch) {
  const Dataset data = two_classes(40, 2, 14);
  std::vector<Index> done;
  grid_search(data, grid_of({"seed=1:3"}), {}, {.folds = 2}, [&](const ProgressEvent& event) {
    done.push_back(event.done);
    EXPECT_EQ(event.total, 6);
    return true;
  });
  EXPECT_THAT(done, testing::ElementsAre(1, 2, 3, 4, 5, 6));
  const ThreadScope one(1);
  EXPECT_THROW(grid_search(data, grid_of({"seed=1:3"}), {}, {.folds = 2},
                           [](const ProgressEvent& event) { return event.done < 3; }),
               Error);
}

TEST(SharedDistances, AreKeptOnceAndOnlyWhileTheyFit) {
  const Features all = two_classes(10, 2, 15).features;
  const std::vector<Index> some{0, 2, 5}, others{1, 2, 3, 4};
  SharedDistances distances(3 * 3 * 8 + 4 * 4 * 8 - 1);
  const auto first = distances.among(some, all);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(distances.among(some, all), first);
  EXPECT_EQ(distances.among(others, all), nullptr);
  EXPECT_EQ(distances.among(some, all), first);
  EXPECT_EQ(first->rows(), 3);
  EXPECT_EQ(first->cols(), 3);
}

}  // namespace
}  // namespace ardent
