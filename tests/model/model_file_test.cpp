#include "ardent/model/model_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ardent/base/container.h"
#include "model/model_bytes.h"

namespace ardent {
namespace {

using nlohmann::json;
using problems::map_of;
using problems::ModelKind;
using problems::random_model;
using ::testing::AllOf;
using ::testing::HasSubstr;

template <class Numbers>
std::string raw(const Numbers& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()),
          static_cast<std::size_t>(numbers.size()) * sizeof(*numbers.data())};
}

void expect_same(const Posterior& a, const Posterior& b) {
  EXPECT_EQ(a.active, b.active);
  EXPECT_EQ(raw(a.mean), raw(b.mean));
  EXPECT_EQ(raw(a.alpha), raw(b.alpha));
  EXPECT_EQ(raw(a.gamma), raw(b.gamma));
  EXPECT_EQ(raw(a.variance), raw(b.variance));
  EXPECT_EQ(a.covariance.rows(), b.covariance.rows());
  EXPECT_EQ(raw(a.covariance), raw(b.covariance));
  EXPECT_EQ(a.has_bias, b.has_bias);
  EXPECT_EQ(a.bias, b.bias);
  EXPECT_EQ(a.noise_variance, b.noise_variance);
  EXPECT_EQ(a.log_evidence, b.log_evidence);
}

void expect_same(const Report& a, const Report& b) {
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.warnings, b.warnings);
  ASSERT_EQ(a.stages.size(), b.stages.size());
  for (std::size_t s = 0; s < a.stages.size(); ++s) {
    EXPECT_EQ(a.stages[s].log_evidence, b.stages[s].log_evidence);
    EXPECT_EQ(a.stages[s].active, b.stages[s].active);
    EXPECT_EQ(a.stages[s].newton_steps, b.stages[s].newton_steps);
    EXPECT_EQ(a.stages[s].change, b.stages[s].change);
  }
}

void expect_same(const Features& a, const Features& b) {
  ASSERT_EQ(is_sparse(a), is_sparse(b));
  ASSERT_EQ(rows(a), rows(b));
  ASSERT_EQ(cols(a), cols(b));
  if (const auto* sparse = std::get_if<SparseRows>(&a)) {
    const auto& other = std::get<SparseRows>(b);
    EXPECT_EQ(raw(sparse->offsets), raw(other.offsets));
    EXPECT_EQ(raw(sparse->columns), raw(other.columns));
    EXPECT_EQ(raw(sparse->values), raw(other.values));
  } else {
    EXPECT_EQ(raw(std::get<DenseRows>(a).values), raw(std::get<DenseRows>(b).values));
  }
}

void expect_same_map(const Model& a, const Model& b) {
  ASSERT_EQ(map_name(a), map_name(b));
  EXPECT_EQ(origin(a), origin(b));
  if (map_name(a) == "rbf") {
    EXPECT_EQ(map_of<RbfMap>(a).sigma(), map_of<RbfMap>(b).sigma());
    expect_same(map_of<RbfMap>(a).centres(), map_of<RbfMap>(b).centres());
  }
  if (map_name(a) == "elm") {
    const HiddenLayer &layer = map_of<ElmMap>(a).layer(), &other = map_of<ElmMap>(b).layer();
    EXPECT_EQ(layer.biases, other.biases);
    EXPECT_EQ(layer.weights.rows, other.weights.rows);
    EXPECT_EQ(raw(layer.weights.values), raw(other.weights.values));
  }
}

void expect_same(const Model& a, const Model& b) {
  EXPECT_EQ(a.task, b.task);
  EXPECT_EQ(a.features, b.features);
  EXPECT_EQ(a.inputs, b.inputs);
  EXPECT_EQ(a.feature_names, b.feature_names);
  EXPECT_EQ(a.scaling.kind, b.scaling.kind);
  EXPECT_EQ(raw(a.scaling.offset), raw(b.scaling.offset));
  EXPECT_EQ(raw(a.scaling.factor), raw(b.scaling.factor));
  EXPECT_EQ(a.classes.names, b.classes.names);
  EXPECT_EQ(a.classes.values, b.classes.values);
  EXPECT_EQ(a.classes.positive, b.classes.positive);
  EXPECT_EQ(a.label_name, b.label_name);
  EXPECT_EQ(a.options, b.options);
  EXPECT_EQ(a.total, b.total);
  expect_same_map(a, b);
  ASSERT_EQ(a.parts.size(), b.parts.size());
  for (std::size_t p = 0; p < a.parts.size(); ++p) {
    EXPECT_EQ(a.parts[p].positive, b.parts[p].positive);
    EXPECT_EQ(a.parts[p].negative, b.parts[p].negative);
    expect_same(a.parts[p].posterior, b.parts[p].posterior);
    expect_same(a.parts[p].report, b.parts[p].report);
  }
}

TEST_F(ModelFile, RoundTripKeepsEveryBitOfEveryKindOfModel) {
  for (const ModelKind& kind : all_kinds()) {
    Model model = random_model(kind);
    if (kind.map == "elm") model.feature_names = {"a", "b", "", "d\n", "\xff\xfe"};
    if (kind.classes == 3) model.classes.values = {3, 1, 0.1};
    save_model(model, path_);
    expect_same(load_model(path_), model);
  }
}

TEST_F(ModelFile, BytesInMemoryAreThoseOfTheFile) {
  for (const ModelKind& kind : all_kinds()) {
    const Model model = random_model(kind);
    const std::string bytes = model_bytes(model);
    EXPECT_EQ(bytes, bytes_of(model));
    expect_same(model_from_bytes(bytes), model);
    EXPECT_THROW(model_from_bytes(std::string_view(bytes).substr(0, bytes.size() - 1)), InputError);
  }
  EXPECT_THROW(model_from_bytes(""), InputError);
  EXPECT_THROW(model_from_bytes("1 1:0.5\n"), InputError);
}

TEST_F(ModelFile, ModelWithoutWeightsOrInputsSurvivesTheRoundTrip) {
  Model model = random_model({.map = "linear"});
  model.inputs = {};
  model.kind = EvidenceModel{};
  model.scaling = {ScaleKind::rms, Vector(0), Vector(0)};
  Posterior& posterior = model.parts[0].posterior;
  posterior.active = {};
  posterior.mean = posterior.alpha = posterior.gamma = Vector(0);
  posterior.variance = Vector::Constant(1, 0.5);
  posterior.covariance = Matrix::Constant(1, 1, 0.5);
  save_model(model, path_);
  expect_same(load_model(path_), model);
}

TEST_F(ModelFile, SameModelGivesTheSameBytesWhateverItsTimings) {
  Model model = random_model({.map = "rbf", .classes = 3});
  const std::string first = bytes_of(model);
  model.parts[1].report.seconds = 12.5;
  EXPECT_EQ(bytes_of(model), first);
  EXPECT_EQ(bytes_of(load_model(path_)), first);
  model.parts[1].posterior.bias += 1e-15;
  EXPECT_NE(bytes_of(model), first);
}

TEST_F(ModelFile, ArraysComeBackAtMultiplesOf64Bytes) {
  const std::string bytes = bytes_of(random_model({.map = "elm"}));
  EXPECT_EQ(container_kind(bytes), "model");
  EXPECT_EQ(arrays_begin(bytes) % 64, 0u);
  const Model back = load_model(path_);
  const Buffer<double>& weights = map_of<ElmMap>(back).layer().weights.values;
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(weights.data()) % 64, 0u);
}

TEST_F(ModelFile, ModelThatCouldNotBeReadAgainIsNotWritten) {
  Model model = random_model({});
  model.parts[0].posterior.mean[0] = std::nan("");
  EXPECT_THROW(save_model(model, path_), InputError);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(ModelFile, FutureVersionIsRefusedWithBothVersions) {
  const std::string bytes = bytes_of(random_model({}));
  json header = header_json(bytes);
  header["__metadata__"]["version"] = "3";
  EXPECT_THAT(refusal(with_header(bytes, header)),
              AllOf(HasSubstr("version 3"), HasSubstr("version 2"), HasSubstr("newer ardent")));
  header["__metadata__"]["version"] = "0";
  EXPECT_THAT(refusal(with_header(bytes, header)), HasSubstr("version 0"));
}

TEST_F(ModelFile, OtherFilesAreRefusedForWhatTheyAre) {
  EXPECT_THAT(refusal(""), HasSubstr("empty"));
  EXPECT_THAT(refusal("+1 1:0.5 7:1\n-1 2:3\n"), HasSubstr("LIBSVM"));
  EXPECT_THAT(refusal("height,weight\n1,2\n"), HasSubstr("looks like text"));
  EXPECT_THAT(refusal("ARDENTC\n\1\2"), HasSubstr("of an earlier version"));
  EXPECT_THAT(refusal(ContainerWriter().bytes({.kind = "cache", .version = 2})),
              HasSubstr("ardent convert"));
  EXPECT_THAT(refusal(ContainerWriter().bytes({.kind = "checkpoint", .version = 2})),
              HasSubstr("it is an ardent checkpoint"));
  EXPECT_THAT(refusal(std::string("\x89PNG\r\n\x1a\n\0\0", 10)), HasSubstr("no model file"));
  EXPECT_THAT(refusal("ARDENTM\n"), HasSubstr("cut off"));
  EXPECT_THAT(refusal("ARD"), HasSubstr("cut off"));
}

TEST_F(ModelFile, MissingFilesAndFoldersAreRefused) {
  const auto message = [](const std::string& path) -> std::string {
    try {
      load_model(path);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message(files_.path("absent")), HasSubstr("No such file"));
  EXPECT_THAT(message(files_.folder().string()), HasSubstr("directory"));
  EXPECT_THAT(message("/dev/null"), HasSubstr("not a regular file"));
}

}  // namespace
}  // namespace ardent
