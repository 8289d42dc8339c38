#include "ardent/imaging/pixels.h"

#include <cmath>
#include <limits>
#include <utility>

namespace ardent {
namespace {

constexpr Index kBandPixels = Index{1} << 16;

bool is_single(double value) {
  if (!std::isfinite(value)) return true;
  return std::abs(value) <= std::numeric_limits<float>::max() &&
         static_cast<double>(static_cast<float>(value)) == value;
}

/// Calls copy(place, count) for each row of a box.
template <class Copy>
void each_row(const Image& size, const Box& box, const Copy& copy) {
  for (Index z = box.near; z < box.near + box.depth; ++z) {
    for (Index y = box.low; y < box.low + box.height; ++y) {
      copy(static_cast<Index>(size.place(box.left, y, z)), box.width);
    }
  }
}

}  // namespace

Pixels::Pixels(const Image& image)
    : Pixels(image.width, image.height, image.depth,
             [&image](const Box& box) { return ardent::cut(image, box); }) {}

Pixels::Pixels(Index columns, Index rows, Index planes, Cut cut)
    : width(columns), height(rows), depth(planes), cut_(std::move(cut)) {}

Pixels minus(const Pixels& pixels, const Image& other) {
  if (other.pixels.empty()) return pixels;
  return {pixels.width, pixels.height, pixels.depth,
          [pixels, &other](const Box& box) { return minus(pixels.cut(box), cut(other, box)); }};
}

std::vector<Band> bands(const Pixels& pixels, Index least_rows) {
  const Index rows =
      std::min(pixels.height, std::max({Index{1}, least_rows, kBandPixels / pixels.width}));
  const Image size = pixels.empty();
  std::vector<Band> all;
  for (Index z = 1; z <= pixels.depth; ++z) {
    for (Index y = 1; y <= pixels.height; y += rows) {
      const Index high = std::min(rows, pixels.height - y + 1);
      all.push_back({{1, y, z, pixels.width, high, 1}, size.place(1, y, z)});
    }
  }
  return all;
}

Box with_rows_around(Box band, const Pixels& pixels, Index rows) {
  const Index low = std::max<Index>(1, band.low - rows);
  const Index high = std::min(pixels.height, band.low + band.height - 1 + rows);
  band.low = low;
  band.height = high - low + 1;
  return band;
}

void visit_bands(const Pixels& pixels,
                 const std::function<void(std::size_t first, std::span<const double>)>& visit) {
  for (const Band& band : bands(pixels)) visit(band.first, pixels.cut(band.box).pixels);
}

StoredImage::StoredImage(Image image) : image_(std::move(image)) {
  if (!std::ranges::all_of(image_.pixels, is_single)) return;
  single_.assign(image_.pixels.begin(), image_.pixels.end());
  image_.pixels = std::vector<double>();  // `= {}` would keep the memory
}

void StoredImage::set(std::size_t place, double value) {
  if (single_.empty()) {
    image_.pixels[place] = value;
  } else {
    single_[place] = static_cast<float>(value);
  }
}

Image StoredImage::cut(const Box& box) const {
  if (single_.empty()) return ardent::cut(image_, box);
  Image part{box.width, box.height, {}, {}, box.depth};
  part.pixels.reserve(part.size());
  each_row(image_, box, [&](Index from, Index count) {
    part.pixels.insert(part.pixels.end(), single_.begin() + from, single_.begin() + from + count);
  });
  return part;
}

Pixels StoredImage::pixels() const {
  return {image_.width, image_.height, image_.depth, [this](const Box& box) { return cut(box); }};
}

}  // namespace ardent
