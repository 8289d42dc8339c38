#include "ardent/data/libsvm_fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "ardent/base/error.h"
#include "ardent/data/number.h"

namespace ardent {
namespace {

std::string_view token_at(const Bytes& bytes, const char* p) {
  const char* const end = bytes.contents.end();
  const char* stop = p;
  while (stop != end && static_cast<unsigned char>(*stop) > ' ') ++stop;
  // A control character is a token of its own, to be shown.
  if (stop == p && stop != end) ++stop;
  return {p, static_cast<std::size_t>(stop - p)};
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

/// What is wrong with the index, if anything is.
std::string index_fault(std::string_view index, std::uint64_t previous,
                        std::uint64_t highest_index) {
  if (index == "qid") {
    return "found 'qid:', which is for ranking; ardent does not rank: take the qid out";
  }
  if (index.size() > 1 && index[0] == '-' && all_digits(index.substr(1))) {
    return fmt::format("index {} is negative; indices count from 1", index);
  }
  if (!all_digits(index)) {
    return fmt::format("expected index:value, but index {} is not a whole number",
                       in_quotes(index));
  }
  std::uint64_t number = 0;
  for (const char c : index) {
    number = std::min(10 * number + static_cast<unsigned>(c - '0'), kHighestLibsvmIndex + 1);
  }
  if (number == 0) return "index 0: indices count from 1";
  if (number > kHighestLibsvmIndex) {
    return fmt::format("index {} is too large; the largest is {}", in_quotes(index),
                       kHighestLibsvmIndex);
  }
  if (number > highest_index) {
    return fmt::format("index {} is above the number of features, {}", number, highest_index);
  }
  if (number == previous) return fmt::format("index {} occurs twice in this row", number);
  if (number < previous) {
    return fmt::format("index {} comes after index {}; indices must ascend", number, previous);
  }
  return "";
}

}  // namespace

void fail_label(const Bytes& bytes, const char* line) {
  const std::string_view token = token_at(bytes, line);
  if (line != bytes.contents.end() && (*line == ' ' || *line == '\t')) {
    fail_at(bytes, line, "row without a label: the line starts with a blank");
  }
  if (token.find(':') != token.npos) {
    fail_at(bytes, line, fmt::format("row without a label: it starts with {}", in_quotes(token)));
  }
  if (is_not_finite(token)) {
    fail_at(bytes, line, fmt::format("label {} is not finite", in_quotes(token)));
  }
  fail_at(bytes, line, fmt::format("expected a label, found {}", in_quotes(token)));
}

template <class T>
void fail_entry(const Bytes& bytes, const char* token_start, std::uint64_t previous,
                std::uint64_t highest_index) {
  const std::string_view token = token_at(bytes, token_start);
  const std::size_t colon = token.find(':');
  if (colon == token.npos) {
    fail_at(bytes, token_start, fmt::format("expected index:value, found {}", in_quotes(token)));
  }
  const std::string_view index = token.substr(0, colon);
  if (const auto fault = index_fault(index, previous, highest_index); !fault.empty()) {
    fail_at(bytes, token_start, fault);
  }
  std::string_view value = token.substr(colon + 1);
  value = value.substr(0, value.find('#'));
  if (value.empty()) {
    fail_at(bytes, value.data(), fmt::format("index {} has no value", index));
  }
  auto fault = number_fault<T>(value);
  if (fault.empty()) fault = "is not a number";
  fail_at(bytes, value.data(), fmt::format("value {} {}", in_quotes(value), fault));
}

template void fail_entry<float>(const Bytes&, const char*, std::uint64_t, std::uint64_t);
template void fail_entry<double>(const Bytes&, const char*, std::uint64_t, std::uint64_t);

}  // namespace ardent
