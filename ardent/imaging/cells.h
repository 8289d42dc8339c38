// A box of pixels cut into cells of nearly the same size.
#pragma once

#include <algorithm>

#include "ardent/imaging/image.h"

namespace ardent {

struct Cells {
  Box whole;
  Index across, up, deep;

  Cells(const Box& box, Index columns, Index rows, Index planes)
      : whole(box), across(columns), up(rows), deep(planes) {}
  /// Of at least `cell` pixels along each axis, as far as there are so many.
  static Cells of_size(const Image& image, Index cell) {
    const auto cells = [&](Index pixels) { return std::max<Index>(1, pixels / cell); };
    return {{1, 1, 1, image.width, image.height, image.depth},
            cells(image.width),
            cells(image.height),
            cells(image.depth)};
  }

  Index count() const { return across * up * deep; }
  /// x fastest, then y, then z.
  Box at(Index n) const {
    const auto first = [](Index place, Index pixels, Index cells) {
      return place * pixels / cells;
    };
    const Index i = n % across, j = n / across % up, k = n / (across * up);
    const Index left = first(i, whole.width, across), low = first(j, whole.height, up),
                near = first(k, whole.depth, deep);
    return {whole.left + left,
            whole.low + low,
            whole.near + near,
            first(i + 1, whole.width, across) - left,
            first(j + 1, whole.height, up) - low,
            first(k + 1, whole.depth, deep) - near};
  }
};

}  // namespace ardent
