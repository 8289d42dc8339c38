// Models of every kind that released versions wrote, kept in tests/models (write.py made those from
// 0.2 on) with what their commands predicted by them. The rows are in the folder of version 0.1.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "ardent/base/container.h"
#include "ardent/data/reader.h"
#include "ardent/model/predict.h"
#include "model/model_bytes.h"

namespace ardent {
namespace {

using ::testing::HasSubstr;

constexpr const char* kVersions[] = {"0.1", "0.2"};

struct EarlierModel {
  const char* name;
  const char* data;
  const char* since = "0.1";
};

constexpr EarlierModel kEarlierModels[] = {{"linear-pairs", "iris.csv"},
                                           {"linear-rest", "iris.csv"},
                                           {"elm", "iris.csv"},
                                           {"rbf-pairs", "iris.csv"},
                                           {"dictionary", "iris.csv"},
                                           {"linear-regression", "measures.csv"},
                                           {"rbf-regression", "measures.csv"},
                                           {"rbf-sparse", "sparse.libsvm"},
                                           {"tfidf", "sparse.libsvm"},
                                           {"path", "sparse.libsvm"},
                                           {"doubly-sparse", "sparse.libsvm"},
                                           {"words", "words.csv"},
                                           {"linear-folds", "iris.csv", "0.2"},
                                           {"rbf-widths", "measures.csv", "0.2"},
                                           {"doubly-sparse-regression", "measures.csv", "0.2"},
                                           {"shrinkage", "sparse.libsvm", "0.2"}};

std::string earlier_file(const std::string& name, const std::string& version = "0.1") {
  return std::filesystem::path(ARDENT_SOURCE) / "tests/models" / version / name;
}

Prediction predicted(const Model& model, const char* data) {
  ReadOptions options{.labels_optional = true,
                      .model_features = model.features,
                      .model_label = model.label_name,
                      .model_layout = model.layout};
  return predict(model, read_dataset(earlier_file(data), options));
}

/// Rows of numbers as `predict --proba` printed them; what are no numbers are skipped.
std::vector<std::vector<double>> printed_numbers(const std::string& path) {
  std::istringstream lines(contents_of_file(path));
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("labels")) continue;
    std::istringstream words(line);
    rows.emplace_back();
    for (std::string word; words >> word;) {
      char* end = nullptr;
      const double number = std::strtod(word.c_str(), &end);
      if (*end == '\0') rows.back().push_back(number);
    }
  }
  return rows;
}

/// That today's prediction is what was printed.
void expect_as_before(const Prediction& now, Task task, const std::string& printed) {
  const auto before = printed_numbers(printed);
  const bool regression = task == Task::regression;
  const Index rows = regression ? now.mean.size() : now.probabilities.rows();
  ASSERT_EQ(std::ssize(before), rows);
  for (Index i = 0; i < rows; ++i) {
    const std::vector<double>& row = before[i];
    if (regression) {
      ASSERT_EQ(row.size(), 2u);
      EXPECT_NEAR(row[0], now.mean[i], 1e-12 * (1 + std::abs(row[0])));
      EXPECT_NEAR(row[1], std::sqrt(now.variance[i]), 1e-12);
      continue;
    }
    const Index classes = now.probabilities.cols();
    ASSERT_GE(std::ssize(row), classes);  // a label may be a number, too
    for (Index k = 0; k < classes; ++k) {
      EXPECT_NEAR(row[row.size() - classes + k], now.probabilities(i, k), 1e-12);
    }
  }
}

using EarlierModels = ModelFile;

TEST_F(EarlierModels, PredictAsTheyDidAndAsTheFilesOfTodayDo) {
  for (const std::string version : kVersions) {
    for (const EarlierModel& earlier : kEarlierModels) {
      if (version < earlier.since) continue;
      SCOPED_TRACE(version + ", " + earlier.name);
      const std::string path = earlier_file(earlier.name, version);
      const Model model = load_model(path + ".model");
      const Prediction now = predicted(model, earlier.data);
      save_model(model, path_);
      EXPECT_EQ(container_kind(contents_of_file(path_)), "model");
      const Prediction again = predicted(load_model(path_), earlier.data);
      EXPECT_EQ(now.probabilities, again.probabilities);
      EXPECT_EQ(now.mean, again.mean);
      EXPECT_EQ(now.variance, again.variance);
      expect_as_before(now, model.task, path + ".predicted");
    }
  }
}

TEST_F(EarlierModels, AnyByteChangedIsRefused) {
  for (const char* name : {"rbf-sparse", "words"}) {
    const std::string bytes = contents_of_file(earlier_file(std::string(name) + ".model"));
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ 4);
      ASSERT_NE(refusal(changed), "") << name << ", byte " << at;
    }
    EXPECT_THAT(refusal(bytes.substr(0, 100)), HasSubstr("cut off"));
  }
}

}  // namespace
}  // namespace ardent
