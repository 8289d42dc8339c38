// Text that arrives bit by bit: a pipe's lines, or CSV records that may span several.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ardent {

class TextStream {
 public:
  explicit TextStream(int descriptor, std::string name)
      : descriptor_(descriptor), name_(std::move(name)) {}

  /// What has arrived and was not taken, once that holds a line that is neither empty nor a LIBSVM
  /// comment, or the end was reached.
  std::string_view first_lines();
  /// The next record with its newline, which the last may lack; `quotes`: a newline inside quotes
  /// does not end it. False at the end.
  bool next(std::string& record, bool quotes);
  /// Is the next record there already?
  bool has_line() const { return buffer_.find('\n', taken_) != std::string::npos; }
  /// Lines of the records taken.
  std::size_t lines() const { return lines_; }
  /// All that is left.
  std::string rest();

 private:
  /// False at the end.
  bool read_more();

  int descriptor_;
  std::string name_;
  std::string buffer_;
  std::size_t taken_ = 0;  // of the buffer
  std::size_t lines_ = 0;
};

}  // namespace ardent
