// Model files that are cut off, damaged, or made to harm.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "ardent/model/predict.h"
#include "model/model_bytes.h"

namespace ardent {
namespace {

using nlohmann::json;
using problems::ModelKind;
using problems::random_model;
using ::testing::HasSubstr;
using HostileModelFile = ModelFile;

TEST_F(HostileModelFile, FileCutOffAtAnyByteIsRefused) {
  const std::string bytes = bytes_of(random_model({.map = "rbf", .sparse_centres = true}));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ASSERT_NE(refusal(bytes.substr(0, size)), "") << "cut to " << size << " bytes";
  }
}

TEST_F(HostileModelFile, FileWithAnyByteChangedIsRefused) {
  const std::string bytes = bytes_of(random_model({.map = "rbf", .sparse_centres = true}));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const int change : {1, 0x80}) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ change);
      ASSERT_NE(refusal(changed), "") << "byte " << at;
    }
  }
  EXPECT_NE(refusal(bytes + '\0'), "");
}

class HostileModelFileOfEveryKind : public ModelFile,
                                    public ::testing::WithParamInterface<ModelKind> {};

TEST_P(HostileModelFileOfEveryKind,
       AnyByteChangedUnderAValidChecksumNeverCrashesLoadingOrPrediction) {
  Random random(3);
  const std::string bytes = bytes_of(random_model(GetParam()));
  Dataset data;
  data.features = problems::random_dense(random, 3, 8);
  for (std::size_t at = 8; at < bytes.size(); ++at) {
    std::string changed = bytes;
    const auto change = static_cast<int>(1u << random.below(8));
    changed[at] = static_cast<char>(changed[at] ^ change);
    write(with_checksums(changed));
    try {
      predict(load_model(path_), data);
    } catch (const InputError&) {
      continue;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, HostileModelFileOfEveryKind, ::testing::ValuesIn(all_kinds()));

using Edit = std::function<void(json&)>;
constexpr std::uint64_t kAllBits = ~std::uint64_t{0};

/// Of the header; container_test.cpp has those that no container survives.
const std::vector<Edit>& edits_of_arrays() {
  static const std::vector<Edit> edits{
      [](json& j) {
        j["other"] = j["weights.mean"];
        j.erase("weights.mean");
      },
      [](json& j) { std::swap(j["weights.mean"], j["weights.variance"]); },
      [](json& j) { j["weights.mean"]["dtype"] = "I64"; },
      [](json& j) {
        j["basis.centres"]["shape"] = {5, 6};
      },
      [](json& j) { j["basis.centres"]["shape"] = {30}; },
      [](json& j) {
        j["basis.centres"]["shape"] = {std::uint64_t{1} << 62, 0};
      },
      [](json& j) { j["__metadata__"].erase("about"); },
      [](json& j) { j["__metadata__"]["about"] = "[1, 2]"; },
  };
  return edits;
}

/// Of what the file says about the model.
const std::vector<Edit>& edits_of_metadata() {
  static const std::vector<Edit> edits{
      [](json& j) { j["features"] = -1; },
      [](json& j) { j["features"] = 7; },
      [](json& j) { j["features"] = kAllBits; },
      [](json& j) { j["features"] = std::uint64_t{1} << 60; },
      [](json& j) { j["features"] = "8"; },
      [](json& j) { j["features"] = 8.5; },
      [](json& j) { j["total"] = -1; },
      [](json& j) { j["task"] = "clustering"; },
      [](json& j) { j["task"] = "regression"; },
      [](json& j) { j["map"] = "deep"; },
      [](json& j) { j["map"] = "elm"; },
      [](json& j) { j["map"] = "linear"; },
      [](json& j) { j["scale"] = "auto"; },
      [](json& j) { j["positive"] = 3; },
      [](json& j) { j["positive"] = -1; },
      [](json& j) { j["sparse_centres"] = true; },
      [](json& j) { j["sparse_centres"] = 0; },
      [](json& j) { j["parts"] = json::array(); },
      [](json& j) { j["parts"] = 3; },
      [](json& j) { j["parts"].erase(2); },
      [](json& j) { j["parts"].push_back(j["parts"][0]); },
      [](json& j) { j["parts"][0]["active"] = 1000000000000000000; },
      [](json& j) { j["parts"][0]["active"] = kAllBits; },
      [](json& j) { j["parts"][0]["active"] = -1; },
      [](json& j) { j["parts"][0]["active"] = 0; },
      [](json& j) { j["parts"][0]["bias"] = false; },
      [](json& j) { j["parts"][0]["bias"] = "yes"; },
      [](json& j) { j["parts"][0]["covariance"] = false; },
      [](json& j) { j["parts"][0]["status"] = "splendid"; },
      [](json& j) { j["parts"][0]["stages"] = 3; },
      [](json& j) { j["parts"][0]["stages"] = std::int64_t{1} << 62; },
      [](json& j) { j["parts"][0]["warnings"] = 1000; },
      [](json& j) { j["parts"][0]["warnings"] = -1; },
      [](json& j) { j["parts"][0]["positive"] = 3; },
      [](json& j) { j["parts"][0]["positive"] = 1; },
      [](json& j) { j["parts"][0]["positive"] = -1; },
      [](json& j) { j["parts"][0]["negative"] = 2; },
      [](json& j) { j["parts"][0]["negative"] = -2; },
  };
  return edits;
}

TEST_F(HostileModelFile, AbsurdMetadataUnderAValidChecksumAreRefused) {
  const std::string bytes =
      bytes_of(random_model({.map = "rbf", .classes = 3, .covariance = true}));
  ASSERT_EQ(refusal(with_about(bytes, about_of(bytes))), "") << "the untouched file loads";
  for (std::size_t e = 0; e < edits_of_arrays().size(); ++e) {
    json header = header_json(bytes);
    edits_of_arrays()[e](header);
    EXPECT_NE(refusal(with_header(bytes, header)), "") << "edit of the arrays " << e;
  }
  for (std::size_t e = 0; e < edits_of_metadata().size(); ++e) {
    json about = about_of(bytes);
    edits_of_metadata()[e](about);
    EXPECT_NE(refusal(with_about(bytes, about)), "") << "edit of the metadata " << e;
  }
}

TEST_F(HostileModelFile, AbsurdNumbersUnderAValidChecksumAreRefused) {
  const std::string dense = bytes_of(random_model({.map = "rbf", .classes = 0}));
  const double nan = std::nan("");
  for (const std::string& hostile :
       {with_number(dense, "basis.sigma", 0, 0.0), with_number(dense, "basis.sigma", 0, -1.0),
        with_number(dense, "basis.sigma", 0, nan), with_number(dense, "basis.centres", 3, nan),
        with_number(dense, "basis.origin", 0, Index{-1}),
        with_number(dense, "kept_columns", 1, Index{0}),
        with_number(dense, "kept_columns", 4, Index{8}),
        with_number(dense, "kept_columns", 0, Index{-1}),
        with_number(dense, "scaling.factor", 2, nan),
        with_number(dense, "weights.basis", 0, Index{6}),
        with_number(dense, "weights.basis", 0, Index{-1}),
        with_number(dense, "weights.mean", 0, std::numeric_limits<double>::infinity()),
        with_number(dense, "weights.variance", 0, -1.0),
        with_number(dense, "weights.covariance", 0, nan),
        with_number(dense, "noise_variance", 0, -0.5),
        with_number(dense, "options.names.ends", 0, std::uint64_t{1} << 40),
        with_number(dense, "options.names.ends", 0, ~std::uint64_t{0})}) {
    EXPECT_NE(refusal(hostile), "");
  }
  const std::string sparse =
      bytes_of(random_model({.map = "rbf", .classes = 0, .sparse_centres = true}));
  for (const std::string& hostile :
       {with_number(sparse, "basis.centres.offsets", 0, std::uint64_t{1}),
        with_number(sparse, "basis.centres.offsets", 1, ~std::uint64_t{0}),
        with_number(sparse, "basis.centres.offsets", 6, std::uint64_t{1} << 50),
        with_number(sparse, "basis.centres.columns", 0, std::uint32_t{5}),
        with_number(sparse, "basis.centres.columns", 1, std::uint32_t{0}),
        with_number(sparse, "basis.centres.values", 0, std::nanf(""))}) {
    EXPECT_NE(refusal(hostile), "");
  }
}

TEST_F(HostileModelFile, MetadataThatAreNoJsonOrNestedWithoutEndAreRefused) {
  const std::string bytes = bytes_of(random_model({}));
  const auto refused_with = [&](const std::string& about) {
    json header = header_json(bytes);
    header["__metadata__"]["about"] = about;
    return refusal(with_header(bytes, header));
  };
  EXPECT_THAT(refused_with(""), HasSubstr("malformed"));
  EXPECT_THAT(refused_with("{\"parts\": ["), HasSubstr("malformed"));
  EXPECT_THAT(refused_with(std::string(3000000, '[')), HasSubstr("nested too deep"));
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  EXPECT_THAT(refused_with(objects), HasSubstr("nested too deep"));
}

}  // namespace
}  // namespace ardent
