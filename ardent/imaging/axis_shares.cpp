#include "ardent/imaging/axis_shares.h"

#include <cmath>

#include "ardent/base/elementary.h"
#include "ardent/imaging/psf.h"

namespace ardent {

Vector grid_places(Index pixels, double step) {
  const double span = static_cast<double>(pixels) - 1;
  const auto count = static_cast<Index>(std::ceil(span / step)) + 1;
  if (count == 1) return Vector::Constant(1, 1 + span / 2);
  return Vector::LinSpaced(count, 1, 1 + span);
}

Vector grid_widths(double low, double high, double ratio) {
  const double range = elementary::log(high / low);
  const auto gaps = static_cast<Index>(std::ceil(range / elementary::log(ratio) - 1e-9));
  Vector widths(gaps + 1);
  for (Index k = 0; k <= gaps; ++k) {
    const double fraction = gaps == 0 ? 0 : static_cast<double>(k) / static_cast<double>(gaps);
    widths[k] = low * elementary::exp(fraction * range);
  }
  return widths;
}

Matrix unit_shares(const Vector& places, double sigma, Index pixels, Vector& lengths) {
  Matrix shares(pixels, places.size());
  for (Index k = 0; k < places.size(); ++k) {
    for (Index p = 0; p < pixels; ++p) {
      shares(p, k) = pixel_share(static_cast<double>(p + 1) - places[k], sigma);
    }
  }
  lengths = shares.colwise().norm();
  for (Index k = 0; k < places.size(); ++k) shares.col(k) /= lengths[k];
  return shares;
}

}  // namespace ardent
