#include "ardent/base/container.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>

#include "ardent/base/parallel.h"
#include "base/container_bytes.h"
#include "base/temporary_files.h"

namespace ardent {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr ContainerFormat kTestFormat{.kind = "test", .version = 3, .remedy = "; try again"};

Container opened(std::string_view bytes) {
  return {"f", Buffer<char>::copy_of(bytes), kTestFormat};
}

std::string fault(std::string_view bytes) {
  return message_of([&] { opened(bytes); });
}

ContainerWriter small_writer() {
  ContainerWriter writer;
  writer.about = {{"colour", "blue"}, {"sizes", {1, 2}}};
  writer.add("bytes", std::vector<std::uint8_t>{1, 2, 3});
  writer.add("numbers", Buffer<double>::copy_of(std::vector{0.5, -1.0, 4.0, 1e300}), {2, 2});
  writer.add("empty", std::vector<double>{});
  writer.add("singles", std::vector<float>{1, 2, 3});
  writer.add("indices", std::vector<std::int64_t>{-7});
  writer.add("columns", std::vector<std::uint32_t>{9});
  writer.add_strings("names", {"h\xe9m", "", "two\nlines"});
  return writer;
}

std::string small_file() {
  return small_writer().bytes(kTestFormat);
}

TEST(ContainerFile, ComesBackAsItWas) {
  const Container file = opened(small_file());
  EXPECT_EQ(file.about(), (json{{"colour", "blue"}, {"sizes", {1, 2}}}));
  EXPECT_THAT(file.list<double>("numbers"), ElementsAre(0.5, -1.0, 4.0, 1e300));
  EXPECT_THAT(file.shape("numbers"), ElementsAre(2, 2));
  EXPECT_TRUE(file.list<double>("empty").empty());
  EXPECT_THAT(file.list<float>("singles"), ElementsAre(1, 2, 3));
  EXPECT_THAT(file.list<std::int64_t>("indices"), ElementsAre(-7));
  EXPECT_THAT(file.list<std::uint32_t>("columns"), ElementsAre(9));
  EXPECT_THAT(file.list<std::uint8_t>("bytes"), ElementsAre(1, 2, 3));
  EXPECT_THAT(file.strings("names"), ElementsAre("h\xe9m", "", "two\nlines"));
  EXPECT_TRUE(file.has("empty"));
  EXPECT_FALSE(file.has("other"));
}

TEST(ContainerFile, SavedFileIsThoseBytes) {
  const TemporaryFiles files;
  small_writer().save(files.path("c"), kTestFormat);
  EXPECT_EQ(contents_of_file(files.path("c")), small_file());
}

TEST(ContainerFile, FirstBytesSayTheKind) {
  const std::string bytes = small_file();
  EXPECT_EQ(container_kind(bytes), "test");
  EXPECT_EQ(container_kind(std::string_view(bytes).substr(0, 50)), "");
  EXPECT_EQ(container_kind("1 1:0.5\n"), "");
  EXPECT_EQ(container_kind(""), "");
}

TEST(ContainerFile, ArraysLieByTheSizeOfTheirNumbersAndLargeOnesAtMultiplesOf64) {
  ContainerWriter writer = small_writer();
  writer.add("large", std::vector<float>(20000, 1.5F));
  writer.add("larger", std::vector<double>(30000, 2.5));
  const std::string bytes = writer.bytes(kTestFormat);
  const json header = header_json(bytes);
  const std::size_t begin = arrays_begin(bytes);
  EXPECT_EQ(begin % 64, 0u);
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") continue;
    const auto at = begin + entry["data_offsets"][0].get<std::size_t>();
    EXPECT_EQ(at % container::element_bytes(entry["dtype"].get<std::string>()), 0u) << name;
    if (name.starts_with("large")) {
      EXPECT_EQ(at % 64, 0u) << name;
    }
  }
  EXPECT_TRUE(header.contains("padding.1"));
  const auto contents = Buffer<char>::copy_of(bytes);
  const Container file("f", contents, kTestFormat);
  const auto large = file.array<float>("large");
  EXPECT_EQ(large[19999], 1.5F);
  const auto* const place = reinterpret_cast<const char*>(large.data());
  EXPECT_TRUE(place >= contents.begin() && place < contents.end()) << "it was copied";
  // Small arrays are copied to such an address.
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(file.array<float>("singles").data()) % 64, 0u);
}

TEST(ContainerFile, EveryFlippedBitIsNoticed) {
  const std::string bytes = small_file();
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    EXPECT_THAT(fault(damaged), HasSubstr("f: ")) << "bit " << bit;
  }
}

TEST(ContainerFile, EveryLengthButItsOwnIsNoticed) {
  const std::string bytes = small_file();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THAT(fault(bytes.substr(0, size)), HasSubstr("f: ")) << size;
  }
  EXPECT_THAT(fault(bytes + '\0'), HasSubstr("bytes after its last array"));
}

TEST(ContainerFile, DamageInAnyBlockIsNoticedWhateverTheThreads) {
  ContainerWriter writer;
  std::vector<double> numbers(500000);  // 16 blocks, the last not whole
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
  writer.add("large", numbers);
  const std::string bytes = writer.bytes(kTestFormat);
  for (const int count : {1, 2, 8}) {
    const ThreadScope scope(count);
    EXPECT_EQ(writer.bytes(kTestFormat), bytes);
    EXPECT_EQ(header_json(with_checksums(bytes))["__metadata__"]["arrays_checksum"],
              header_json(bytes)["__metadata__"]["arrays_checksum"])
        << "the definition, one block after the other";
    for (const std::size_t at : {0, (1 << 18) + 7, 1 << 20, 3 << 20, 15 << 18, 3999999}) {
      std::string damaged = bytes;
      damaged[arrays_begin(bytes) + at] ^= 1;
      EXPECT_THAT(fault(damaged), HasSubstr("its arrays are damaged"));
    }
  }
}

// ---- headers made to harm, their checksums made right

using Edit = std::function<void(json&)>;
constexpr std::uint64_t kEveryBit = ~std::uint64_t{0};

void set_offsets(json& header, const char* name, json begin, json end) {
  header[name]["data_offsets"] = {begin, end};
}

const std::vector<Edit>& hostile_edits() {
  static const std::vector<Edit> edits{
      [](json& j) { set_offsets(j, "numbers", 0, kEveryBit); },
      [](json& j) { set_offsets(j, "numbers", kEveryBit - 31, kEveryBit); },
      [](json& j) { set_offsets(j, "numbers", 32, 0); },
      [](json& j) { set_offsets(j, "numbers", -32, 0); },
      [](json& j) { set_offsets(j, "numbers", 0, 32.5); },
      [](json& j) { set_offsets(j, "numbers", 0, 1e300); },
      [](json& j) { set_offsets(j, "numbers", false, true); },
      [](json& j) { set_offsets(j, "numbers", 0, 24); },
      [](json& j) { set_offsets(j, "numbers", 8, 40); },   // a gap, and an overlap
      [](json& j) { set_offsets(j, "indices", 24, 32); },  // an overlap
      [](json& j) { j["numbers"]["data_offsets"] = {0}; },
      [](json& j) {
        j["numbers"]["data_offsets"] = {0, 32, 64};
      },
      [](json& j) { j["numbers"]["data_offsets"] = "0, 32"; },
      [](json& j) {
        j["numbers"]["shape"] = {kEveryBit, kEveryBit};
      },
      [](json& j) {
        j["numbers"]["shape"] = {std::uint64_t{1} << 62, 16};
      },
      [](json& j) { j["numbers"]["shape"] = json::array(); },
      [](json& j) { j["numbers"]["shape"] = 4; },
      [](json& j) {
        j["numbers"]["shape"] = {-2, -2};
      },
      [](json& j) { j["numbers"]["dtype"] = "F128"; },
      [](json& j) { j["numbers"]["dtype"] = "F32"; },
      [](json& j) { j["numbers"]["dtype"] = 7; },
      [](json& j) { j["numbers"].erase("dtype"); },
      [](json& j) { j["numbers"]["more"] = 1; },
      [](json& j) { j["numbers"] = 5; },
      [](json& j) { j.erase("numbers"); },
      [](json& j) { j["again"] = j["numbers"]; },
      [](json& j) { j["__metadata__"]["kind"] = "model"; },
      [](json& j) { j["__metadata__"]["kind"] = 1; },
      [](json& j) { j["__metadata__"]["version"] = "2"; },
      [](json& j) { j["__metadata__"]["version"] = 3; },
      [](json& j) { j["__metadata__"]["about"] = "{"; },
      [](json& j) { j["__metadata__"]["about"] = json::object(); },
      [](json& j) { j["__metadata__"]["arrays_checksum"] = "0000000000000000"; },
      [](json& j) { j["__metadata__"].erase("arrays_checksum"); },
  };
  return edits;
}

TEST(HostileContainer, AbsurdHeadersAreRefused) {
  const std::string bytes = small_file();
  EXPECT_NO_THROW(opened(with_header(bytes, header_json(bytes))));
  for (std::size_t e = 0; e < hostile_edits().size(); ++e) {
    json header = header_json(bytes);
    hostile_edits()[e](header);
    EXPECT_THAT(fault(with_header(bytes, header)), HasSubstr("f: ")) << "edit " << e;
  }
}

TEST(HostileContainer, VersionsAreCompared) {
  const std::string bytes = small_file();
  json header = header_json(bytes);
  header["__metadata__"]["version"] = "12";
  EXPECT_THAT(fault(with_header(bytes, header)), HasSubstr("use a newer ardent"));
  header["__metadata__"]["version"] = "2";
  EXPECT_THAT(fault(with_header(bytes, header)), HasSubstr("version 3; try again"));
}

TEST(HostileContainer, NamesThatComeTwiceAreRefused) {
  const std::string bytes = small_file();
  std::string text = header_text(bytes);
  const std::string entry = "\"columns\":" + header_json(bytes)["columns"].dump() + ",";
  text.insert(text.find("\"columns\""), entry);
  EXPECT_THAT(fault(with_header_text(bytes, text)), HasSubstr("\"columns\" twice"));
  text = header_text(bytes);
  text.insert(text.find("\"version\""), "\"version\":\"3\",");
  EXPECT_THAT(fault(with_header_text(bytes, text)), HasSubstr("\"version\" twice"));
}

TEST(HostileContainer, TextThatIsNoJsonOrNestedWithoutEndIsRefused) {
  const std::string bytes = small_file();
  const std::string start = header_text(bytes).substr(0, 60);
  EXPECT_THAT(fault(with_header_text(bytes, "")), HasSubstr("not one of ardent's"));
  EXPECT_THAT(fault(with_header_text(bytes, start)), HasSubstr("malformed"));
  EXPECT_THAT(fault(with_header_text(bytes, start + "\xff\"}")), HasSubstr("malformed"));
  EXPECT_LT(fault(with_header_text(bytes, start + std::string(100000, 'a'))).size(), 500U);
  EXPECT_THAT(fault(with_header_text(bytes, start.substr(0, 54) + std::string(3000000, '['))),
              HasSubstr("nested too deep"));
}

TEST(HostileContainer, TextsThatOverlapAreRefused) {
  ContainerWriter writer;
  writer.add("names.text", std::vector<char>{'a', 'b', 'c'});
  for (const std::vector<std::uint64_t>& ends :
       {std::vector<std::uint64_t>{2, 1, 3}, {1, 4}, {kEveryBit, 3}, {1, 2}}) {
    ContainerWriter hostile = writer;
    hostile.add("names.ends", ends);
    const Container file = opened(hostile.bytes(kTestFormat));
    EXPECT_THAT(message_of([&] { file.strings("names"); }), HasSubstr("the texts names"));
  }
}

TEST(HostileContainer, ArraysOfOtherTypesOrNamesAreRefused) {
  const Container file = opened(small_file());
  EXPECT_THAT(message_of([&] { file.array<float>("numbers"); }),
              HasSubstr("array numbers has type F64 instead of F32; try again"));
  EXPECT_THAT(message_of([&] { file.shape("other"); }), HasSubstr("array other is missing"));
}

}  // namespace
}  // namespace ardent
