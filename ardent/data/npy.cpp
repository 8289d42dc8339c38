#include "ardent/data/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ardent/base/error.h"
#include "ardent/data/number.h"

namespace ardent {
namespace {

using namespace std::string_view_literals;
constexpr std::string_view kNpyMagic = "\x93NUMPY"sv;

[[noreturn]] void refuse_array(const Bytes& bytes, std::string_view why) {
  throw InputError(fmt::format("{}: {}", bytes.name, why));
}

/// Reads the header, a Python dictionary such as
///   {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
/// and nothing more of that language than it needs.
class HeaderText {
 public:
  HeaderText(const Bytes& bytes, std::string_view text) : bytes_(bytes), text_(text) {}

  void read(NumericArray& array) {
    bool descr = false;
    bool order = false;
    bool shape = false;
    expect('{');
    while (!take('}')) {
      const std::string_view key = string();
      expect(':');
      if (key == "descr") {
        descr = true;
        read_type(array);
      } else if (key == "fortran_order") {
        order = true;
        array.column_major = boolean();
      } else if (key == "shape") {
        shape = true;
        array.shape = tuple();
      } else {
        fail();
      }
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    if (!descr || !order || !shape) fail();
  }

 private:
  [[noreturn]] void fail() const {
    refuse_array(bytes_, fmt::format("the NPY header is not understood: {}", in_quotes(text_)));
  }

  bool take(char c) {
    at_ = std::min(text_.find_first_not_of(" \t\n", at_), text_.size());
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail();
  }

  std::string_view string() {
    const char quote = take('\'') ? '\'' : '"';
    if (quote == '"') expect('"');
    const std::size_t end = text_.find(quote, at_);
    if (end == text_.npos) fail();
    const std::string_view found = text_.substr(at_, end - at_);
    at_ = end + 1;
    return found;
  }

  bool boolean() {
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (take(word[0])) {
        if (text_.substr(at_ - 1, word.size()) != word) fail();
        at_ += word.size() - 1;
        return value;
      }
    }
    fail();
  }

  std::vector<std::uint64_t> tuple() {
    constexpr std::size_t kMostDimensions = 32;
    std::vector<std::uint64_t> numbers;
    expect('(');
    while (!take(')')) {
      if (numbers.size() == kMostDimensions) fail();
      numbers.push_back(whole());
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return numbers;
  }

  std::uint64_t whole() {
    constexpr std::size_t kMostDigits = 18;
    at_ = std::min(text_.find_first_not_of(' ', at_), text_.size());
    const std::size_t start = at_;
    std::uint64_t number = 0;
    while (at_ < text_.size() && is_digit(text_[at_])) {
      if (at_ - start == kMostDigits)
        refuse_array(bytes_, "the NPY header's shape is impossibly large");
      number = 10 * number + static_cast<std::uint64_t>(text_[at_++] - '0');
    }
    if (at_ == start) fail();
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // Python 2 wrote long integers so
    return number;
  }

  void read_type(NumericArray& array) {
    struct Known {
      std::string_view code;
      NumberType type;
    };
    static constexpr std::array kKnown = {
        Known{"f4", NumberType::f4}, Known{"f8", NumberType::f8}, Known{"i1", NumberType::i1},
        Known{"i2", NumberType::i2}, Known{"i4", NumberType::i4}, Known{"i8", NumberType::i8},
        Known{"u1", NumberType::u1}, Known{"u2", NumberType::u2}, Known{"u4", NumberType::u4},
        Known{"u8", NumberType::u8}, Known{"b1", NumberType::u1}};
    if (take('['))
      refuse_array(bytes_, "the array is a table of records; save plain numbers instead");
    const std::string_view descr = string();
    const auto known = std::find_if(kKnown.begin(), kKnown.end(), [&](const Known& candidate) {
      return descr.size() == 3 && candidate.code == descr.substr(1);
    });
    if (known == kKnown.end() || "<>|="sv.find(descr[0]) == std::string_view::npos) {
      refuse_array(bytes_,
                   fmt::format("numbers of type {} are not read; save the array as float32, "
                               "float64, an integer type or bool",
                               in_quotes(descr)));
    }
    array.type = known->type;
    array.big_endian = descr[0] == '>';
  }

  const Bytes& bytes_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

bool is_npy(std::string_view contents) {
  return contents.substr(0, kNpyMagic.size()) == kNpyMagic;
}

NumericArray parse_npy(const Bytes& bytes) {
  const std::string_view contents = bytes.text();
  if (!is_npy(contents)) refuse_array(bytes, "not an NPY file: it does not start with \\x93NUMPY");
  if (contents.size() < 12) refuse_array(bytes, "the NPY header is cut off");
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(contents[i]); };
  const unsigned version = byte(6);
  if (version < 1 || version > 3) {
    refuse_array(bytes, fmt::format("NPY version {} is not known; versions 1 to 3 are", version));
  }
  const std::size_t start = version == 1 ? 10 : 12;
  std::size_t length = byte(8) | std::size_t{byte(9)} << 8;
  if (version > 1) length |= std::size_t{byte(10)} << 16 | std::size_t{byte(11)} << 24;
  if (length > contents.size() - start) refuse_array(bytes, "the NPY header is cut off");
  NumericArray array;
  HeaderText(bytes, contents.substr(start, length)).read(array);
  if (array.shape.empty()) refuse_array(bytes, "the NPY file holds one number, not an array");
  array.payload = contents.substr(start + length);
  return array;
}

std::string npy_header(std::string_view type, std::string_view shape) {
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type, shape);
  constexpr std::size_t kFixed = 10;  // magic, version, length
  text.append((64 - (kFixed + text.size() + 1) % 64) % 64, ' ');
  text += '\n';
  std::string header(kNpyMagic);
  header +=
      {'\x01', '\x00', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return header + text;
}

}  // namespace ardent
