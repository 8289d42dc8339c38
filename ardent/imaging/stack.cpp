#include "ardent/imaging/stack.h"

#include "ardent/imaging/psf.h"

namespace ardent {
namespace {

Vector axis_vector(double at, double sigma, Index count) {
  Vector values(count);
  for (Index k = 0; k < count; ++k) {
    values[k] = pixel_share(static_cast<double>(k + 1) - at, sigma);
  }
  return values;
}

}  // namespace

Stack blank_stack(Index width, Index height, Index depth) {
  return {width, height, depth, std::vector<double>(width * height * depth, 0.0)};
}

void add_bead(const Bead& bead, Stack& stack) {
  const Vector across = axis_vector(bead.x, bead.sigma_xy, stack.width);
  const Matrix plane =
      bead.flux * across * axis_vector(bead.y, bead.sigma_xy, stack.height).transpose();
  const Vector along = axis_vector(bead.z, bead.sigma_z, stack.depth);
  Eigen::Map<Matrix> planes(stack.voxels.data(), plane.size(), stack.depth);
  planes.noalias() += Eigen::Map<const Vector>(plane.data(), plane.size()) * along.transpose();
}

double bead_length(const Bead& bead, const Stack& stack) {
  return axis_vector(bead.x, bead.sigma_xy, stack.width).norm() *
         axis_vector(bead.y, bead.sigma_xy, stack.height).norm() *
         axis_vector(bead.z, bead.sigma_z, stack.depth).norm();
}

}  // namespace ardent
