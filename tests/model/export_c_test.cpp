#include "ardent/model/export/export_c.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ardent/model/predict.h"
#include "model/exported_program.h"
#include "problems/models.h"

namespace ardent {
namespace {

using export_test::ExportedProgram;
using export_test::Printed;
using problems::ModelKind;
using problems::random_data;
using problems::random_model;
using testing::HasSubstr;

constexpr double kDoubleError = 1e-12, kFloatError = 1e-6;

/// A model, how it is exported, and how predict() is asked for the same.
struct ExportCase {
  std::string what;
  Model model;
  ExportOptions options = {};
  PredictOptions predicted = {};
};

std::string case_name(const ModelKind& kind) {
  return fmt::format("{} {} classes {}{}{}", kind.map, kind.classes, kind.pairs ? "pairs " : "",
                     kind.covariance ? "" : "diagonal ", scale_name(kind.scale));
}

ExportCase exported_case(const ModelKind& kind, const ExportOptions& options = {},
                         double temperature = 1) {
  ExportCase result{case_name(kind), random_model(kind), options};
  result.model.temperature = temperature;
  result.predicted.plug_in = options.probability == ExportProbability::plug_in;
  result.predicted.moderated = options.probability == ExportProbability::moderated;
  return result;
}

void expect_classes(const ExportCase& of, const Prediction& prediction, const Latent& moments,
                    Index i, const Printed& printed, double error) {
  const Index classes = of.model.classes.size();
  ASSERT_GE(std::ssize(printed), classes + 4);
  for (Index c = 0; c < classes; ++c) {
    EXPECT_NEAR(printed[c], prediction.probabilities(i, c), error) << of.what << ", row " << i;
  }
  for (Index way = 0; way < 4; ++way) {
    EXPECT_EQ(printed[classes + way], prediction.classes[i]) << of.what << ", row " << i;
  }
  if (std::ssize(printed) == classes + 4) return;
  for (Index p = 0; p < std::ssize(of.model.parts); ++p) {
    const double mean = moments.moments.mean(i, p), variance = moments.moments.variance(i, p);
    EXPECT_NEAR(printed[classes + 4 + 2 * p], mean, error * (1 + std::abs(mean))) << of.what;
    EXPECT_NEAR(printed[classes + 5 + 2 * p], variance, error * (1 + variance)) << of.what;
  }
}

void expect_regression(const ExportCase& of, const Prediction& prediction, Index i,
                       const Printed& printed, double error) {
  const double mean = prediction.mean[i], variance = prediction.variance[i];
  const double mean_error = error * (1 + std::abs(mean)), spread = error * (1 + variance);
  ASSERT_TRUE(printed.size() == 2 || printed.size() == 6) << of.what;
  EXPECT_NEAR(printed[0], mean, mean_error) << of.what << ", row " << i;
  EXPECT_NEAR(printed[1], mean, mean_error) << of.what << ", row " << i;
  if (printed.size() == 2) return;
  EXPECT_NEAR(printed[2], mean, mean_error) << of.what;
  EXPECT_NEAR(printed[3], variance, spread) << of.what << ", row " << i;
  EXPECT_NEAR(printed[4], mean, mean_error) << of.what;
  EXPECT_NEAR(printed[5], variance, spread) << of.what << ", row " << i;
}

struct Arithmetic {
  ExportReal real;
  ExportArithmetic arithmetic;
  double error;
};

/// Plain float is held to the same error: the models here have weights that do not cancel.
constexpr Arithmetic kEvery[] = {
    {ExportReal::double_precision, ExportArithmetic::paired, kDoubleError},
    {ExportReal::single_precision, ExportArithmetic::paired, kFloatError},
    {ExportReal::single_precision, ExportArithmetic::plain, kFloatError}};

/// All of them in one program, in double and in float, on rows that are exact in float.
void expect_predictions_of_the_library(std::vector<ExportCase> cases, Dataset data) {
  const auto& rows = std::get<DenseRows>(data.features);
  ExportedProgram program(rows);
  for (ExportCase& each : cases) {
    for (const Arithmetic& in : kEvery) {
      each.options.real = in.real;
      each.options.arithmetic = in.arithmetic;
      program.add(each.model, each.options);
    }
  }
  const auto printed = program.run();
  ASSERT_EQ(printed.size(), std::size(kEvery) * cases.size());
  for (std::size_t m = 0; m < printed.size(); ++m) {
    const ExportCase& each = cases[m / std::size(kEvery)];
    const double error = kEvery[m % std::size(kEvery)].error;
    const Prediction prediction = predict(each.model, data, each.predicted);
    const Latent moments = latent(each.model, data);
    ASSERT_EQ(std::ssize(printed[m]), rows.rows);
    for (Index i = 0; i < rows.rows; ++i) {
      if (each.model.task == Task::regression) {
        expect_regression(each, prediction, i, printed[m][i], error);
      } else {
        expect_classes(each, prediction, moments, i, printed[m][i], error);
      }
    }
  }
}

TEST(ExportC, EveryMapAndKindOfClassesPredictsAsTheLibrary) {
  std::vector<ExportCase> cases;
  for (const char* map : {"linear", "rbf", "elm"}) {
    for (const ModelKind& kind : {ModelKind{.map = map}, ModelKind{.map = map, .classes = 4},
                                  ModelKind{.map = map, .classes = 4, .pairs = true},
                                  ModelKind{.map = map, .classes = 0}}) {
      cases.push_back(exported_case(kind));
    }
  }
  cases.push_back(exported_case({.map = "rbf", .sparse_centres = true, .scale = ScaleKind::rms}));
  cases.push_back(exported_case({.classes = 0, .covariance = false, .scale = ScaleKind::none}));
  cases.push_back(exported_case({.classes = 0, .bias = false}));
  expect_predictions_of_the_library(std::move(cases), random_data(40, 3));
}

TEST(ExportC, ItsOwnExpAndLogWithTablesOfAnySize) {
  std::vector<ExportCase> cases;
  for (const Index table : {0, 2, 16, 256}) {
    const ExportOptions own{.exp = ExportExp::own, .exp_table = table};
    cases.push_back(exported_case({.map = "rbf"}, own));
    cases.push_back(exported_case({.map = "elm", .classes = 3}, own, 2.5));
  }
  expect_predictions_of_the_library(std::move(cases), random_data(40, 4));
}

TEST(ExportC, KernelsOfRowsFarAwayAreZeroInAnyArithmetic) {
  Dataset data = random_data(3, 9);
  const auto& rows = std::get<DenseRows>(data.features);
  std::vector<double> values(rows.values.begin(), rows.values.end());
  for (double& x : values) x *= 0x1p60;
  data.features = DenseRows{rows.rows, rows.cols, Buffer<double>::copy_of(values)};
  expect_predictions_of_the_library({exported_case({.map = "rbf"})}, data);
}

TEST(ExportC, ProbabilitiesAndVariancesAreThoseAskedFor) {
  const ExportOptions moderated{.probability = ExportProbability::moderated,
                                .variance = ExportVariance::weights};
  const ExportOptions plug_in{.probability = ExportProbability::plug_in};
  std::vector<ExportCase> cases;
  for (const char* map : {"linear", "elm"}) {
    cases.push_back(exported_case({.map = map}, plug_in));
    cases.push_back(exported_case({.map = map, .classes = 3, .pairs = true}, moderated));
    cases.push_back(exported_case({.map = map, .classes = 3}, moderated, 1.7));
    cases.push_back(
        exported_case({.map = map, .covariance = false}, {.variance = ExportVariance::weights}));
  }
  cases.push_back(exported_case({.classes = 0}, {.variance = ExportVariance::none}));
  expect_predictions_of_the_library(std::move(cases), random_data(40, 5));
  // Without the covariance the code has no sum of squares over it.
  EXPECT_THAT(export_c(random_model({}), plug_in).text,
              testing::Not(HasSubstr("model_covariance")));
}

TEST(ExportC, MissingValuesAndRowLengths) {
  Dataset data = random_data(30, 6);
  ExportCase filled = exported_case({.map = "rbf"});
  filled.model.scaling.fill = Vector::LinSpaced(5, -1, 1);
  Dataset gaps = data;
  auto rows = std::get<DenseRows>(data.features);
  std::vector<double> values(rows.values.begin(), rows.values.end());
  for (std::size_t k = 0; k < values.size(); k += 7) {
    values[k] = std::numeric_limits<double>::quiet_NaN();
  }
  gaps.features = DenseRows{rows.rows, rows.cols, Buffer<double>::copy_of(values)};
  gaps.has_gaps = true;
  expect_predictions_of_the_library({filled}, gaps);

  ExportCase unit = exported_case({});
  unit.model.scaling.kind = ScaleKind::tfidf;
  unit.model.scaling.offset.setZero();
  std::vector<float> factors{1, 2, 0.5, 1, 3, 1.5, 1, 0.25};
  unit.model.scaling.every_factor = Buffer<float>::copy_of(factors);
  for (Index k = 0; k < 5; ++k) {
    unit.model.scaling.factor[k] = static_cast<double>(factors[unit.model.inputs[k]]);
  }
  expect_predictions_of_the_library({unit}, data);
}

TEST(ExportC, KeepsOnlyWhatSomePartUses) {
  Model model = random_model({.map = "rbf"});
  Posterior& posterior = model.parts[0].posterior;
  posterior.active = {1, 4};
  posterior.mean = Vector::Ones(2);
  posterior.covariance = Matrix::Identity(3, 3);
  EXPECT_EQ(export_c(model).kernels, 2);
  posterior.active.clear();
  posterior.mean.resize(0);
  posterior.covariance = Matrix::Identity(1, 1);
  ExportedProgram program(std::get<DenseRows>(random_data(2, 1).features));
  program.add(model, {});
  const auto printed = program.run();
  ASSERT_EQ(printed.size(), 1u);
  EXPECT_NEAR(printed[0][0][1], predict(model, random_data(2, 1)).probabilities(0, 1), 1e-12);
}

TEST(ExportC, LabelsOfAnyBytesAndNamesOfAnyFile) {
  Model model = random_model({.classes = 3});
  model.classes.names = {"a\"b\\?\?/", "*/ \n", "Grün"};
  ExportedProgram program(std::get<DenseRows>(random_data(1, 1).features));
  model.feature_names = {"*/", "/*", "\\", "a b", "?\?/"};
  program.add(model, {});
  EXPECT_EQ(program.run().size(), 1u);
  EXPECT_THAT(export_c(model).text, HasSubstr(R"("Gr\303\274n")"));
  EXPECT_EQ(c_identifier("out/my-model.v2.h"), "my_model_v2");
  EXPECT_EQ(c_identifier("3.h"), "_3");
  EXPECT_EQ(c_identifier("-"), "model");
}

TEST(ExportC, SaysWhatCannotBeExported) {
  Model model = random_model({});
  model.kind = DoublySparseModel{};
  EXPECT_THAT(message_of([&] { export_c(model); }), HasSubstr("map doubly-sparse cannot be"));
  model.kind = DictionaryModel{};
  EXPECT_THAT(message_of([&] { export_c(model); }), HasSubstr("map dictionary cannot be"));
  model = random_model({});
  EXPECT_THAT(message_of([&] { export_c(model, {.name = "3 x"}); }), HasSubstr("no digit"));
  EXPECT_THAT(message_of([&] { export_c(model, {.exp = ExportExp::own, .exp_table = 3}); }),
              HasSubstr("power of two up to 256, not 3"));
  model.scaling.factor[0] = 1e60;
  model.parts[0].posterior.active = {0, 1, 2, 3, 4};
  model.parts[0].posterior.mean = Vector::Ones(5);
  model.parts[0].posterior.covariance = Matrix::Identity(6, 6);
  EXPECT_THAT(message_of([&] { export_c(model, {.real = ExportReal::single_precision}); }),
              HasSubstr("1e+60, which float cannot"));
}

}  // namespace
}  // namespace ardent
