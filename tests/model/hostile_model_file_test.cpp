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

TEST_F(HostileModelFile, AnyByteChangedUnderAValidChecksumNeverCrashesLoadingOrPrediction) {
  Random random(3);
  for (const ModelKind& kind : all_kinds()) {
    const std::string bytes = bytes_of(random_model(kind));
    Dataset data;
    data.features = problems::random_dense(random, 3, 8);
    for (std::size_t at = 16; at < bytes.size(); ++at) {
      std::string changed = bytes;
      const auto change = static_cast<int>(1u << random.below(8));
      changed[at] = static_cast<char>(changed[at] ^ change);
      write(with_checksum(changed));
      try {
        predict(load_model(path_), data);
      } catch (const InputError&) {
        continue;
      }
    }
  }
}

using Edit = std::function<void(json&)>;
constexpr std::uint64_t kAllBits = ~std::uint64_t{0};

/// Of the index of arrays.
const std::vector<Edit>& edits_of_arrays() {
  static const std::vector<Edit> edits{
      [](json& j) { entry(j, "parts.mean")["offset"] = kAllBits; },
      [](json& j) { entry(j, "parts.mean")["offset"] = kAllBits - 63; },
      [](json& j) { entry(j, "parts.mean")["offset"] = 8; },
      [](json& j) { entry(j, "parts.mean")["offset"] = -64; },
      [](json& j) { entry(j, "parts.mean")["offset"] = 1e300; },
      [](json& j) { entry(j, "parts.mean")["bytes"] = kAllBits; },
      [](json& j) { entry(j, "parts.mean")["bytes"] = kAllBits - 7; },
      [](json& j) { entry(j, "parts.mean")["bytes"] = 7; },
      [](json& j) { entry(j, "parts.mean")["bytes"] = true; },
      [](json& j) {
        entry(j, "parts.mean")["shape"] = {kAllBits, kAllBits};
      },
      [](json& j) {
        entry(j, "parts.mean")["shape"] = {std::uint64_t{1} << 61, 8};
      },
      [](json& j) { entry(j, "parts.mean")["shape"] = json::array(); },
      [](json& j) { entry(j, "parts.mean")["shape"] = "long"; },
      [](json& j) { entry(j, "parts.mean")["type"] = "f128"; },
      [](json& j) { entry(j, "parts.mean")["type"] = "f32"; },
      [](json& j) { entry(j, "parts.mean")["type"] = 7; },
      [](json& j) { entry(j, "parts.mean")["name"] = "other"; },
      [](json& j) { entry(j, "parts.mean").erase("name"); },
      [](json& j) {
        entry(j, "basis.centres")["shape"] = {5, 6};
      },
      [](json& j) { entry(j, "basis.centres")["shape"] = {30}; },
      [](json& j) {
        entry(j, "basis.centres")["bytes"] = 0;
        entry(j, "basis.centres")["shape"] = {std::uint64_t{1} << 62, 0};
      },
      [](json& j) { j["arrays"] = 5; },
      [](json& j) { j.erase("arrays"); },
      [](json& j) { j.erase("about"); },
      [](json& j) {
        j["about"] = json::array({1, 2});
      },
  };
  return edits;
}

/// Of what the file says about the model.
const std::vector<Edit>& edits_of_metadata() {
  static const std::vector<Edit> edits{
      [](json& j) { j["about"]["features"] = -1; },
      [](json& j) { j["about"]["features"] = 7; },
      [](json& j) { j["about"]["features"] = kAllBits; },
      [](json& j) { j["about"]["features"] = std::uint64_t{1} << 60; },
      [](json& j) { j["about"]["features"] = "8"; },
      [](json& j) { j["about"]["features"] = 8.5; },
      [](json& j) { j["about"]["total"] = -1; },
      [](json& j) { j["about"]["task"] = "clustering"; },
      [](json& j) { j["about"]["task"] = "regression"; },
      [](json& j) { j["about"]["map"] = "deep"; },
      [](json& j) { j["about"]["map"] = "elm"; },
      [](json& j) { j["about"]["map"] = "linear"; },
      [](json& j) { j["about"]["scale"] = "auto"; },
      [](json& j) { j["about"]["positive"] = 3; },
      [](json& j) { j["about"]["positive"] = -1; },
      [](json& j) { j["about"]["sparse_centres"] = true; },
      [](json& j) { j["about"]["sparse_centres"] = 0; },
      [](json& j) { j["about"]["parts"] = json::array(); },
      [](json& j) { j["about"]["parts"] = 3; },
      [](json& j) { j["about"]["parts"].erase(2); },
      [](json& j) { j["about"]["parts"].push_back(j["about"]["parts"][0]); },
      [](json& j) { j["about"]["parts"][0]["active"] = 1000000000000000000; },
      [](json& j) { j["about"]["parts"][0]["active"] = kAllBits; },
      [](json& j) { j["about"]["parts"][0]["active"] = -1; },
      [](json& j) { j["about"]["parts"][0]["active"] = 0; },
      [](json& j) { j["about"]["parts"][0]["bias"] = false; },
      [](json& j) { j["about"]["parts"][0]["bias"] = "yes"; },
      [](json& j) { j["about"]["parts"][0]["covariance"] = false; },
      [](json& j) { j["about"]["parts"][0]["status"] = "splendid"; },
      [](json& j) { j["about"]["parts"][0]["stages"] = 3; },
      [](json& j) { j["about"]["parts"][0]["stages"] = std::int64_t{1} << 62; },
      [](json& j) { j["about"]["parts"][0]["warnings"] = 1000; },
      [](json& j) { j["about"]["parts"][0]["warnings"] = -1; },
      [](json& j) { j["about"]["parts"][0]["positive"] = 3; },
      [](json& j) { j["about"]["parts"][0]["positive"] = 1; },
      [](json& j) { j["about"]["parts"][0]["positive"] = -1; },
      [](json& j) { j["about"]["parts"][0]["negative"] = 2; },
      [](json& j) { j["about"]["parts"][0]["negative"] = -2; },
  };
  return edits;
}

TEST_F(HostileModelFile, AbsurdMetadataUnderAValidChecksumAreRefused) {
  const std::string bytes =
      bytes_of(random_model({.map = "rbf", .classes = 3, .covariance = true}));
  ASSERT_EQ(refusal(with_json(bytes, json_of(bytes).dump())), "") << "the untouched file loads";
  for (const auto* edits : {&edits_of_arrays(), &edits_of_metadata()}) {
    for (std::size_t e = 0; e < edits->size(); ++e) {
      json all = json_of(bytes);
      (*edits)[e](all);
      EXPECT_NE(refusal(with_json(bytes, all.dump())), "") << "edit " << e;
    }
  }
}

TEST_F(HostileModelFile, AbsurdNumbersUnderAValidChecksumAreRefused) {
  const std::string dense = bytes_of(random_model({.map = "rbf", .classes = 0}));
  const double nan = std::nan("");
  for (const std::string& hostile :
       {with_number(dense, "basis.sigma", 0, 0.0), with_number(dense, "basis.sigma", 0, -1.0),
        with_number(dense, "basis.sigma", 0, nan), with_number(dense, "basis.centres", 3, nan),
        with_number(dense, "basis.origin", 0, Index{-1}), with_number(dense, "inputs", 1, Index{0}),
        with_number(dense, "inputs", 4, Index{8}), with_number(dense, "inputs", 0, Index{-1}),
        with_number(dense, "scaling.factor", 2, nan),
        with_number(dense, "parts.active", 0, Index{6}),
        with_number(dense, "parts.active", 0, Index{-1}),
        with_number(dense, "parts.mean", 0, std::numeric_limits<double>::infinity()),
        with_number(dense, "parts.variance", 0, -1.0),
        with_number(dense, "parts.covariance", 0, nan),
        with_number(dense, "parts.bias_noise_evidence", 1, -0.5),
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
  EXPECT_THAT(refusal(with_json(bytes, "")), HasSubstr("malformed"));
  EXPECT_THAT(refusal(with_json(bytes, "{\"arrays\": [")), HasSubstr("malformed"));
  EXPECT_THAT(refusal(with_json(bytes, "{\"a\": \"\xff\"}")), HasSubstr("malformed"));
  EXPECT_THAT(refusal(with_json(bytes, std::string(3000000, '['))), HasSubstr("nested too deep"));
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  EXPECT_THAT(refusal(with_json(bytes, objects)), HasSubstr("nested too deep"));
}

TEST_F(HostileModelFile, MetadataLengthBeyondTheFileIsRefused) {
  std::string bytes = bytes_of(random_model({}));
  for (const std::uint64_t length : {~std::uint64_t{0}, ~std::uint64_t{0} - 23,
                                     static_cast<std::uint64_t>(bytes.size() - kJsonAt + 1)}) {
    std::memcpy(bytes.data() + 16, &length, sizeof length);
    EXPECT_THAT(refusal(with_checksum(bytes)), HasSubstr("cut off in its metadata"));
  }
}

}  // namespace
}  // namespace ardent
