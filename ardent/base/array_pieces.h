// How arrays that hold several pieces one after the other are read back.
#pragma once

#include <fmt/format.h>

#include <map>
#include <memory>
#include <span>
#include <string>

#include "ardent/base/container.h"
#include "ardent/base/types.h"

namespace ardent {

/// One piece more of an array that is to be written.
template <class T, class Values>
void append(std::vector<T>& to, const Values& piece) {
  to.insert(to.end(), piece.begin(), piece.end());
}

/// Hands out the file's arrays piece by piece, each from its beginning on.
/// An array is taken as numbers of one type.
class ArrayPieces {
  struct Place {
    std::shared_ptr<const void> values;  // kept in memory
    const void* data = nullptr;
    std::size_t size = 0, taken = 0;
  };

 public:
  /// The file must outlive this, and this the pieces.
  explicit ArrayPieces(const Container& file) : file_(file) {}

  template <class T>
  std::span<const T> take(const std::string& name, Index count) {
    auto [found, first] = places_.try_emplace(name);
    Place& place = found->second;
    if (first) {
      const auto values = std::make_shared<const Buffer<T>>(file_.array<T>(name));
      place = {values, values->data(), values->size(), 0};
    }
    const auto wanted = static_cast<std::size_t>(count);
    if (count < 0 || wanted > place.size - place.taken) {
      file_.refuse(fmt::format("array {} is too short for its pieces", name));
    }
    place.taken += wanted;
    return {static_cast<const T*>(place.data) + place.taken - wanted, wanted};
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
    for (const auto& [name, place] : places_) {
      if (place.taken != place.size) {
        file_.refuse(fmt::format("array {} is longer than its pieces", name));
      }
    }
  }

 private:
  const Container& file_;
  std::map<std::string, Place> places_;  // of each array
};

}  // namespace ardent
