// How arrays that hold several pieces one after the other are read back.
#pragma once

#include <fmt/format.h>

#include <map>
#include <span>
#include <string>

#include "ardent/base/array_file.h"
#include "ardent/base/types.h"

namespace ardent {

/// One piece more of an array that is to be written.
template <class T, class Values>
void append(std::vector<T>& to, const Values& piece) {
  to.insert(to.end(), piece.begin(), piece.end());
}

/// Hands out the file's arrays piece by piece, each from its beginning on.
class ArrayPieces {
 public:
  /// The file must outlive this and the pieces.
  explicit ArrayPieces(const ArrayFile& file) : file_(file) {}

  template <class T>
  std::span<const T> take(const std::string& name, Index count) {
    const auto values = file_.array<T>(name).span();
    auto& [taken, size] = taken_[name];
    size = values.size();
    if (count < 0 || static_cast<std::size_t>(count) > size - taken) {
      file_.refuse(fmt::format("array {} is too short for its pieces", name));
    }
    taken += static_cast<std::size_t>(count);
    return values.subspan(taken - static_cast<std::size_t>(count), static_cast<std::size_t>(count));
  }

  template <class T>
  std::vector<T> take_list(const std::string& name, Index count) {
    const auto piece = take<T>(name, count);
    return {piece.begin(), piece.end()};
  }

  Vector take_vector(const std::string& name, Index count) {
    return Eigen::Map<const Vector>(take<double>(name, count).data(), count);
  }

  /// Of the arrays that pieces were taken of.
  void expect_all_taken() const {
    for (const auto& [name, place] : taken_) {
      if (place.first != place.second) {
        file_.refuse(fmt::format("array {} is longer than its pieces", name));
      }
    }
  }

 private:
  const ArrayFile& file_;
  std::map<std::string, std::pair<std::size_t, std::size_t>> taken_;  // of each array, of how many
};

}  // namespace ardent
