#include "ardent/estimators/grid_journal.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/estimators/data_checksum.h"
#include "ardent/estimators/grid_search.h"
#include "base/temporary_files.h"
#include "problems/labelled.h"

namespace ardent {
namespace {

using problems::three_classes;
using ::testing::AllOf;
using ::testing::HasSubstr;

TrainOptions rbf(const std::string& multiclass = "ovo", double sigma = 0) {
  TrainOptions options;
  options.map = "rbf";
  options.engine_options.max_stages = 10;  // these tests are not about convergence
  options.multiclass = multiclass;
  options.sigma = sigma;
  return options;
}

class Journal : public ::testing::Test {
 protected:
  std::string file() const { return files_.path("journal"); }

  std::string text() const {
    std::ifstream stream(file(), std::ios::binary);
    std::stringstream all;
    all << stream.rdbuf();
    return all.str();
  }

  /// The first `lines` lines, then `torn`.
  void cut(std::size_t lines, const std::string& torn) const {
    const std::string all = text();
    std::size_t end = 0;
    for (std::size_t i = 0; i < lines; ++i) end = all.find('\n', end) + 1;
    files_.write("journal", all.substr(0, end) + torn);
  }

  GridResult search(const GridOptions& changed = {}, const TrainOptions& base = rbf(),
                    const std::string& axis = "sigma=2^-2:2^2") const {
    GridOptions options = changed;
    options.folds = changed.folds == 5 ? 3 : changed.folds;
    return grid_search(data_, Grid(std::vector<std::string>{axis}), base, options, progress_);
  }

  std::string refusal(const GridOptions& options, const TrainOptions& base = rbf(),
                      const std::string& axis = "sigma=2^-2:2^2") const {
    try {
      search(options, base, axis);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }

  TemporaryFiles files_;
  Dataset data_ = three_classes(50, 3, 1);
  ProgressCallback progress_;
};

/// Seconds too: those of a point from the journal are those of its one computation.
void expect_same(const GridResult& a, const GridResult& b, bool with_seconds) {
  EXPECT_EQ(a.best, b.best);
  ASSERT_EQ(a.points.size(), b.points.size());
  for (std::size_t p = 0; p < a.points.size(); ++p) {
    EXPECT_EQ(a.points[p].values, b.points[p].values);
    ASSERT_EQ(a.points[p].scores.size(), b.points[p].scores.size());
    for (std::size_t s = 0; s < a.points[p].scores.size(); ++s) {
      const auto& [name, values] = a.points[p].scores[s];
      EXPECT_EQ(name, b.points[p].scores[s].first);
      if (name == "seconds" && !with_seconds) continue;
      EXPECT_EQ(values, b.points[p].scores[s].second) << name;
    }
  }
}

TEST_F(Journal, ASearchCutOffAnywhereEndsAsAnUninterruptedOne) {
  const GridResult whole = search();
  const GridResult journalled = search({.journal = file()});
  EXPECT_EQ(journalled.resumed, 0);
  expect_same(whole, journalled, false);
  const std::string complete = text();
  EXPECT_EQ(std::count(complete.begin(), complete.end(), '\n'), 6);
  for (const std::size_t points : {0u, 2u, 5u}) {
    for (const std::string torn : {"", "{\"point\":4,\"sco", "{\"point\":4}\n", "\n"}) {
      files_.write("journal", complete);
      cut(1 + points, torn);
      Index fits = 0;
      progress_ = [&](const ProgressEvent&) { return ++fits > 0; };
      const GridResult resumed = search({.journal = file()});
      EXPECT_EQ(resumed.resumed, static_cast<Index>(points));
      EXPECT_EQ(fits, static_cast<Index>(5 - points) * 3) << "finished points are not repeated";
      expect_same(whole, resumed, false);
      // The torn line is gone: the journal is whole now, and gives all points.
      const GridResult again = search({.journal = file()});
      EXPECT_EQ(again.resumed, 5);
      expect_same(resumed, again, true);
    }
  }
}

TEST_F(Journal, CutOffInItsFirstLineItBeginsAnew) {
  search({.journal = file()});
  const std::string complete = text();
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{20}, complete.find('\n')}) {
    files_.write("journal", complete.substr(0, bytes));
    EXPECT_EQ(search({.journal = file()}).resumed, 0);
    EXPECT_EQ(search({.journal = file()}).resumed, 5);
  }
}

TEST_F(Journal, AStoppedSearchIsResumed) {
  const ThreadScope one(1);
  progress_ = [](const ProgressEvent& event) { return event.done < 7; };
  EXPECT_THROW(search({.journal = file()}), Error);
  progress_ = {};
  const GridResult resumed = search({.journal = file()});
  EXPECT_EQ(resumed.resumed, 2);  // 7 fits: two points of three folds, and one fold more
  expect_same(search(), resumed, false);
}

TEST_F(Journal, AnotherSearchIsRefusedWithWhatDiffers) {
  search({.journal = file()});
  const std::string before = text();
  EXPECT_THAT(refusal({.folds = 4, .journal = file()}), HasSubstr("its folds is 3"));
  EXPECT_THAT(refusal({.fold_seed = 2, .journal = file()}), HasSubstr("its fold_seed is 1"));
  EXPECT_THAT(refusal({.journal = file(), .predict = {.plug_in = true}}),
              HasSubstr("its plug_in is false"));
  EXPECT_THAT(refusal({.journal = file()}, rbf("ovr")), HasSubstr("its options is"));
  EXPECT_THAT(refusal({.journal = file()}, rbf(), "sigma=2^-2:2^3"),
              HasSubstr("another search: its grid is"));
  EXPECT_THAT(refusal({.pick = "evidence", .journal = file()}), HasSubstr("its folds is 3"));
  data_ = three_classes(50, 3, 2);
  EXPECT_THAT(refusal({.journal = file()}), HasSubstr("its checksum is"));
  data_ = three_classes(51, 3, 1);
  EXPECT_THAT(refusal({.journal = file()}), HasSubstr("its rows is 50, that of this search is 51"));
  EXPECT_EQ(text(), before) << "a refused journal is left as it was";
}

TEST_F(Journal, AnotherCriterionOverTheSameFoldsIsTheSameSearch) {
  search({.pick = "accuracy", .journal = file()});
  const GridResult result = search({.pick = "log_loss", .journal = file()});
  EXPECT_EQ(result.resumed, 5);
  EXPECT_EQ(result.best, search({.pick = "log_loss"}).best);
  // An option that the grid sets does not matter.
  EXPECT_EQ(search({.journal = file()}, rbf("ovo", 77)).resumed, 5);
}

TEST_F(Journal, FilesThatAreNoJournalAreRefusedAndLeftAlone) {
  for (const std::string other : {"precious data", "precious,data\n1,2\n", "{}\n", "[1]\n", "\n",
                                  "{\"ardent_grid\":2,\"search\":{}}\n"}) {
    files_.write("journal", other);
    EXPECT_THAT(refusal({.journal = file()}), HasSubstr("no journal of a grid search")) << other;
    EXPECT_EQ(text(), other);
  }
  EXPECT_THAT(refusal({.journal = files_.path("no/such/folder")}), HasSubstr("cannot open"));
}

TEST_F(Journal, OfALaterVersionAsksForANewerArdent) {
  files_.write("journal", "{\"ardent_grid\":7,\"search\":{},\"more\":1}\n");
  EXPECT_THAT(refusal({.journal = file()}),
              AllOf(HasSubstr("format version 7"), HasSubstr("use a newer ardent")));
}

TEST_F(Journal, ALineNestedWithoutEndIsRefused) {
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  files_.write("journal", "{\"ardent_grid\":1,\"search\":{\"folds\":" + deep + "}}\n");
  EXPECT_THAT(refusal({.journal = file()}), HasSubstr("nested"));
}

TEST_F(Journal, DamageInTheMiddleIsRefusedWithItsLine) {
  search({.journal = file()});
  const std::string complete = text();
  const std::size_t second = complete.find('\n') + 1;
  const std::size_t third = complete.find('\n', second) + 1;
  for (const std::string damage :
       {"garbage\n", "{\"point\":99,\"scores\":{}}\n", "{\"point\":-1,\"scores\":{}}\n",
        "{\"point\":0,\"scores\":{\"accuracy\":[1]}}\n", "{\"point\":0,\"scores\":7}\n",
        "{\"point\":0,\"scores\":{\"accuracy\":[[],[],[]]}}\n", "7\n"}) {
    files_.write("journal", complete.substr(0, second) + damage + complete.substr(third));
    EXPECT_THAT(refusal({.journal = file()}), HasSubstr("journal:2: the journal is damaged"))
        << damage;
  }
}

TEST_F(Journal, TwoProcessesDoNotShareOne) {
  const GridSearchRecord record{"data", "{}", 3, {"score"}, 1};
  const GridJournal first(file(), record);
  EXPECT_THROW(GridJournal(file(), record), InputError);
}

TEST_F(Journal, EveryDoubleComesBackToTheBit) {
  const GridSearchRecord record{"data", "{}", 3, {"score", "other"}, 5};
  const NamedValues scores{{"score", {0.1, 1.0 / 3, -1e-308, 4.9e-324, 1.7976931348623157e308}},
                           {"other", {HUGE_VAL, -HUGE_VAL, -0.0, 0.0, 123456789012345680.0}}};
  GridJournal(file(), record).append(1, scores);
  const GridJournal again(file(), record);
  ASSERT_EQ(again.finished().count(1), 1u);
  EXPECT_EQ(again.finished().at(1), scores);
  EXPECT_TRUE(std::signbit(again.finished().at(1)[1].second[2]));
}

TEST(DataChecksum, FeelsEveryPartOfTheDataAndNotTheirName) {
  const Dataset data = three_classes(20, 3, 1);
  const std::string checksum = data_checksum(data);
  EXPECT_EQ(checksum.size(), 16u);
  Dataset renamed = data;
  renamed.source = "elsewhere";
  EXPECT_EQ(data_checksum(renamed), checksum);

  std::vector<std::string> sums{checksum};
  Dataset changed = data;
  Buffer<double> values = Buffer<double>::copy_of(std::get<DenseRows>(data.features).values.span());
  values.mutable_data()[59] = std::nextafter(values[59], 9);
  changed.features = DenseRows{20, 3, values};
  sums.push_back(data_checksum(changed));
  changed = data;
  std::swap(changed.labels.ids[0], changed.labels.ids[1]);
  sums.push_back(data_checksum(changed));
  changed = data;
  changed.labels.names[0] = "z";
  sums.push_back(data_checksum(changed));
  changed = data;
  changed.features = to_sparse(std::get<DenseRows>(data.features));
  sums.push_back(data_checksum(changed));
  changed = data;
  changed.weights.assign(20, 2);
  sums.push_back(data_checksum(changed));
  std::sort(sums.begin(), sums.end());
  EXPECT_EQ(std::unique(sums.begin(), sums.end()), sums.end());
}

}  // namespace
}  // namespace ardent
