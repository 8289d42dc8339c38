// C code under construction: text with the model's own names, and arrays of constants.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ardent/base/types.h"

namespace ardent {

/// What the code computes in. Pairs: rows, probabilities and what else needs few digits are float,
/// the model's numbers and sums over them are pairs of floats (c_pairs.h).
enum class CNumbers { doubles, floats, pairs };

class CSource {
 public:
  /// `name`: what identifiers begin with.
  CSource(std::string name, CNumbers numbers);

  bool single() const { return numbers_ != CNumbers::doubles; }
  bool paired() const { return numbers_ == CNumbers::pairs; }
  Index real_bytes() const { return single() ? 4 : 8; }
  Index number_bytes() const { return numbers_ == CNumbers::floats ? 4 : 8; }
  /// Code with @name, @NAME (in capitals), @real, @number (the type of sums: @real, or a pair) and
  /// @f (the ending of math.h's functions) in it.
  void add(std::string_view code);
  /// Expressions of numbers a and b, which are names, calls or elements of arrays.
  std::string plus(std::string_view a, std::string_view b) const;
  std::string minus(std::string_view a, std::string_view b) const;
  std::string times(std::string_view a, std::string_view b) const;
  /// A real as a number, and a number rounded to a real.
  std::string number_of(std::string_view real) const;
  std::string rounded(std::string_view number) const;
  /// static const @number @name_NAME[...], as add_reals.
  void add_numbers(std::string_view name, std::span<const double> values);
  /// static const @real @name_NAME[...]; InputError where a number is beyond float's range. Of no
  /// numbers: one zero, since C has no empty arrays.
  void add_reals(std::string_view name, std::span<const double> values);
  /// The smallest type that holds all: uint8_t, uint16_t or int32_t.
  void add_integers(std::string_view name, std::span<const Index> values);
  /// Constants of the code: a @real, and a @number.
  std::string real(double value) const;
  std::string number(double value) const;

  const std::string& text() const { return text_; }
  Index constant_bytes() const { return constant_bytes_; }

 private:
  void add_array(std::string_view type, std::string_view name,
                 const std::vector<std::string>& numbers);

  std::string name_, capitals_;
  CNumbers numbers_;
  std::string text_;
  Index constant_bytes_ = 0;
};

/// A C string constant, quotes included, whatever the bytes.
std::string c_string(std::string_view text);
/// Text that can stand in a comment.
std::string c_comment(std::string_view text);

}  // namespace ardent
