// How arrays that hold several parts one after the other are read back.
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>

#include "ardent/model/array_file.h"

namespace ardent {

/// Hands out an array piece by piece.
template <class T>
class ArrayPieces {
 public:
  ArrayPieces(const ArrayFile& file, std::string name)
      : file_(file), name_(std::move(name)), values_(file.array<T>(name_)) {}

  std::span<const T> take(Index count) {
    if (count < 0 || static_cast<std::size_t>(count) > values_.size() - taken_) {
      file_.refuse(fmt::format("array {} is too short for its parts", name_));
    }
    const auto piece = values_.span().subspan(taken_, static_cast<std::size_t>(count));
    taken_ += piece.size();
    return piece;
  }

  Vector take_vector(Index count) {
    const auto piece = take(count);
    return Eigen::Map<const Vector>(piece.data(), count);
  }

  Index left() const { return static_cast<Index>(values_.size() - taken_); }

  void expect_all_taken() const {
    if (taken_ != values_.size()) {
      file_.refuse(fmt::format("array {} is longer than its parts", name_));
    }
  }

 private:
  const ArrayFile& file_;
  std::string name_;
  Buffer<T> values_;
  std::size_t taken_ = 0;
};

}  // namespace ardent
