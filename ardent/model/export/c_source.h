// C code under construction: text with the model's own names, and arrays of constants.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ardent/base/types.h"

namespace ardent {

class CSource {
 public:
  /// `name`: what identifiers begin with; `single`: numbers are float.
  CSource(std::string name, bool single);

  bool single() const { return single_; }
  Index real_bytes() const { return single_ ? 4 : 8; }
  /// Code with @name, @NAME (in capitals), @real and @f (the ending of math.h's functions) in it.
  void add(std::string_view code);
  /// static const @real @name_NAME[...]; InputError where a number is beyond float's range. Of no
  /// numbers: one zero, since C has no empty arrays.
  void add_reals(std::string_view name, std::span<const double> values);
  /// The smallest type that holds all: uint8_t, uint16_t or int32_t.
  void add_integers(std::string_view name, std::span<const Index> values);
  /// A number as a constant of the code.
  std::string real(double value) const;

  const std::string& text() const { return text_; }
  Index constant_bytes() const { return constant_bytes_; }

 private:
  void add_array(std::string_view type, std::string_view name,
                 const std::vector<std::string>& numbers);

  std::string name_, capitals_;
  bool single_;
  std::string text_;
  Index constant_bytes_ = 0;
};

/// A C string constant, quotes included, whatever the bytes.
std::string c_string(std::string_view text);
/// Text that can stand in a comment.
std::string c_comment(std::string_view text);

}  // namespace ardent
