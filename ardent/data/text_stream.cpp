#include "ardent/data/text_stream.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "ardent/base/error.h"

namespace ardent {
namespace {

/// Has the text a whole line that holds a row?
bool holds_row(std::string_view text) {
  while (true) {
    const std::size_t newline = text.find('\n');
    if (newline == text.npos) return false;
    const std::string_view line = text.substr(0, newline);
    if (line.find_first_not_of(" \t\r") != line.npos && line.front() != '#') return true;
    text.remove_prefix(newline + 1);
  }
}

}  // namespace

bool TextStream::read_more() {
  buffer_.erase(0, taken_);
  taken_ = 0;
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  const std::size_t before = buffer_.size();
  buffer_.resize(before + kPiece);
  ssize_t got = 0;
  do {
    got = ::read(descriptor_, buffer_.data() + before, kPiece);
  } while (got < 0 && errno == EINTR);
  buffer_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  if (got < 0) throw InputError(fmt::format("cannot read {}: {}", name_, std::strerror(errno)));
  return got > 0;
}

std::string_view TextStream::first_lines() {
  while (!holds_row(std::string_view(buffer_).substr(taken_)) && read_more()) {
  }
  return std::string_view(buffer_).substr(taken_);
}

bool TextStream::next(std::string& record, bool quotes) {
  std::size_t looked_at = taken_;
  bool inside = false;
  while (true) {
    const std::size_t newline = buffer_.find('\n', looked_at);
    const std::size_t end = newline == std::string::npos ? buffer_.size() : newline;
    if (quotes) {
      const auto begin = buffer_.begin();
      inside ^= std::count(begin + static_cast<std::ptrdiff_t>(looked_at),
                           begin + static_cast<std::ptrdiff_t>(end), '"') %
                    2 ==
                1;
    }
    if (newline != std::string::npos) {
      looked_at = newline + 1;
      ++lines_;
      if (!inside) break;
      continue;
    }
    const std::size_t so_far = end - taken_;
    const bool more = read_more();
    looked_at = so_far;
    if (more) continue;
    if (buffer_.empty()) return false;
    ++lines_;
    break;
  }
  record.assign(buffer_, taken_, looked_at - taken_);
  taken_ = looked_at;
  return true;
}

std::string TextStream::rest() {
  while (read_more()) {
  }
  return buffer_.substr(taken_);
}

}  // namespace ardent
