#include "ardent/data/libsvm_block.h"

#include <algorithm>
#include <cstring>

#include "ardent/base/error.h"
#include "ardent/data/number.h"

namespace ardent {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/// No row goes on here: line end, comment, or the end of the text.
bool ends_row(const char* p, const char* text_end) {
  if (*p == '\n' || *p == '#') return true;
  if (*p == '\r') return p[1] == '\n' || p + 1 == text_end;
  return p == text_end;
}

const char* next_line(const char* p, const char* text_end) {
  if (p == text_end) return p;
  const void* newline = std::memchr(p, '\n', static_cast<std::size_t>(text_end - p));
  return newline ? static_cast<const char*>(newline) + 1 : text_end;
}

/// Of an entry "index:value" whose value was read as 0: is it another number, too small for its
/// type?
bool spells_more_than_zero(const char* token, const char* end) {
  const char* p = std::find(token, end, ':');
  for (; p != end && (*p | 0x20) != 'e'; ++p) {
    if (*p >= '1' && *p <= '9') return true;
  }
  return false;
}

template <class T>
class BlockParser {
 public:
  BlockParser(const Bytes& bytes, std::uint64_t highest_index, const LibsvmPlace<T>& place)
      : bytes_(bytes), text_end_(bytes.contents.end()), highest_(highest_index), place_(place) {}

  LibsvmUse parse(const char* p, const char* end) {
    while (p < end) {
      const char* const line = p;
      while (is_blank(*p)) ++p;
      if (!ends_row(p, text_end_)) {
        if (p != line) fail_label(bytes_, line);
        p = parse_label(p);
        p = parse_entries(p);
        place_.row_ends[use_.rows++] = use_.entries;
      }
      p = *p == '\n' ? p + 1 : next_line(p, text_end_);
    }
    return use_;
  }

 private:
  const char* parse_label(const char* p) {
    const char* const start = p;
    bool colon = false;
    for (; static_cast<unsigned char>(*p) > ' '; ++p) colon |= *p == ':';
    const std::string_view label(start, static_cast<std::size_t>(p - start));
    // A label that is a number is finite; one look at its letters is cheap enough for every row.
    if (colon || label.empty() || is_not_finite(label)) fail_label(bytes_, start);
    place_.labels[use_.rows] = label;
    return p;
  }

  const char* parse_entries(const char* p) {
    std::uint64_t previous = 0;
    std::uint64_t entries = use_.entries;
    while (true) {
      while (is_blank(*p)) ++p;
      const char* const token = p;
      const DigitRun run = digit_run(p);
      if (run.count == 0) {
        if (ends_row(p, text_end_)) break;
        fail_entry<T>(bytes_, token, previous, highest_);
      }
      p += run.count;
      const std::uint64_t index = run.count < 8 ? run.value : long_index(run.value, p);
      if (*p != ':' || index <= previous || index > highest_) {
        fail_entry<T>(bytes_, token, previous, highest_);
      }
      T value;
      p = parse_value(p + 1, value);
      if (!p || (static_cast<unsigned char>(*p) > ' ' && *p != '#')) {
        fail_entry<T>(bytes_, token, previous, highest_);
      }
      previous = index;
      place_.columns[entries] = static_cast<std::uint32_t>(index - 1);
      place_.values[entries] = value;
      entries += value != 0;
      if (value == 0) use_.vanished += spells_more_than_zero(token, p);
    }
    use_.entries = entries;
    use_.highest_index = std::max(use_.highest_index, previous);
    return p;
  }

  /// The rest of an index of eight digits or more; stops growing once it is too large.
  static std::uint64_t long_index(std::uint64_t index, const char*& p) {
    for (; is_digit(*p); ++p) {
      index = std::min(10 * index + static_cast<unsigned>(*p - '0'), kHighestLibsvmIndex + 1);
    }
    return index;
  }

  const char* parse_value(const char* p, T& value) const {
    // Counts and indicators: one digit.
    const unsigned digit = static_cast<unsigned char>(*p - '0');
    if (digit < 10 && static_cast<unsigned char>(p[1]) <= ' ') {
      value = static_cast<T>(digit);
      return p + 1;
    }
    return scan_number(p, text_end_, value);
  }

  const Bytes& bytes_;
  const char* const text_end_;
  const std::uint64_t highest_;
  const LibsvmPlace<T> place_;
  LibsvmUse use_;
};

}  // namespace

template <class T>
LibsvmUse parse_libsvm_block(const Bytes& bytes, const char* begin, const char* end,
                             std::uint64_t highest_index, const LibsvmPlace<T>& place) {
  return BlockParser<T>(bytes, highest_index, place).parse(begin, end);
}

template LibsvmUse parse_libsvm_block(const Bytes&, const char*, const char*, std::uint64_t,
                                      const LibsvmPlace<float>&);
template LibsvmUse parse_libsvm_block(const Bytes&, const char*, const char*, std::uint64_t,
                                      const LibsvmPlace<double>&);

}  // namespace ardent
