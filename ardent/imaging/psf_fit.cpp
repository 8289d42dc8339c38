#include "ardent/imaging/psf_fit.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace ardent {
namespace {

/// ΔE at every pixel along one axis, and its derivatives by the place and by σ.
struct Profile {
  Vector share, by_place, by_sigma;
};

Profile profile(double at, double sigma, Index pixels) {
  Profile p{Vector(pixels), Vector(pixels), Vector(pixels)};
  const double scale = 1 / (sigma * std::sqrt(2 * std::numbers::pi));
  const auto density = [&](double u) { return scale * std::exp(-u * u / (2 * sigma * sigma)); };
  for (Index k = 0; k < pixels; ++k) {
    const double u = static_cast<double>(k + 1) - at;
    const double right = density(u + 0.5), left = density(u - 0.5);
    p.share[k] = pixel_share(u, sigma);
    p.by_place[k] = left - right;
    p.by_sigma[k] = ((u - 0.5) * left - (u + 0.5) * right) / sigma;
  }
  return p;
}

class Problem {
 public:
  Problem(const Image& image, std::vector<Source> start, const PsfFitOptions& options)
      : image_(image), start_(std::move(start)), options_(options) {
    each_ = options.sigma_high > options.sigma_low ? 4 : 3;
  }

  Index each() const { return each_; }
  const std::vector<Source>& start() const { return start_; }

  /// The residual at every pixel, 0 where it is missing, and J = ∂model/∂parameters.
  Vector residual(const std::vector<Source>& sources, Matrix* jacobian) const {
    const Index width = image_.width, height = image_.height;
    Vector residual = Eigen::Map<const Vector>(image_.pixels.data(), image_.size());
    if (jacobian) jacobian->resize(image_.size(), each_ * static_cast<Index>(sources.size()));
    for (std::size_t k = 0; k < sources.size(); ++k) {
      const Source& source = sources[k];
      const Profile across = profile(source.x, source.sigma, width);
      const Profile up = profile(source.y, source.sigma, height);
      for (Index y = 0; y < height; ++y) {
        const Index row = y * width;
        residual.segment(row, width) -= source.flux * up.share[y] * across.share;
        if (!jacobian) continue;
        const Index first = each_ * static_cast<Index>(k);
        const double bright = source.flux;
        jacobian->col(first).segment(row, width) = bright * up.share[y] * across.by_place;
        jacobian->col(first + 1).segment(row, width) = bright * up.by_place[y] * across.share;
        jacobian->col(first + 2).segment(row, width) = up.share[y] * across.share;
        if (each_ < 4) continue;
        jacobian->col(first + 3).segment(row, width) =
            bright * (up.share[y] * across.by_sigma + up.by_sigma[y] * across.share);
      }
    }
    for (Index p = 0; p < residual.size(); ++p) {
      if (!std::isnan(residual[p])) continue;
      residual[p] = 0;
      if (jacobian) jacobian->row(p).setZero();
    }
    return residual;
  }

  std::vector<Source> moved(const std::vector<Source>& sources, const Vector& step) const {
    std::vector<Source> next = sources;
    for (std::size_t k = 0; k < next.size(); ++k) {
      const Index first = each_ * static_cast<Index>(k);
      const auto near = [&](double value, double origin) {
        return std::clamp(value, origin - options_.reach, origin + options_.reach);
      };
      next[k].x = near(next[k].x + step[first], start_[k].x);
      next[k].y = near(next[k].y + step[first + 1], start_[k].y);
      next[k].flux = std::max(0.0, next[k].flux + step[first + 2]);
      if (each_ == 4) {
        next[k].sigma =
            std::clamp(next[k].sigma + step[first + 3], options_.sigma_low, options_.sigma_high);
      }
    }
    return next;
  }

 private:
  const Image& image_;
  std::vector<Source> start_;
  const PsfFitOptions& options_;
  Index each_ = 4;
};

}  // namespace

Matrix parameter_covariance(const PsfFit& fit) {
  Matrix hessian = fit.hessian;
  hessian.diagonal().array() += 1e-12 * std::max(hessian.diagonal().maxCoeff(), 1e-300);
  return hessian.llt().solve(Matrix::Identity(hessian.rows(), hessian.cols()));
}

PsfFit fit_sources(const Image& image, std::vector<Source> start, const PsfFitOptions& options) {
  for (Source& source : start) {
    source.sigma = std::clamp(source.sigma, options.sigma_low, options.sigma_high);
  }
  const Problem problem(image, start, options);
  PsfFit fit{std::move(start), 0, {}, problem.each()};
  Matrix jacobian;
  Vector residual = problem.residual(fit.sources, &jacobian);
  fit.square_sum = residual.squaredNorm();
  if (fit.sources.empty()) return fit;
  double damping = 1e-3;
  Matrix hessian = jacobian.transpose() * jacobian;
  for (Index iteration = 0; iteration < options.max_steps; ++iteration) {
    const Vector gradient = jacobian.transpose() * residual;
    bool fell = false;
    double gain = 0;
    for (int attempt = 0; attempt < 12 && !fell; ++attempt) {
      Matrix damped = hessian;
      damped.diagonal().array() += damping * hessian.diagonal().array() + 1e-12;
      const auto next = problem.moved(fit.sources, damped.ldlt().solve(gradient));
      const double square_sum = problem.residual(next, nullptr).squaredNorm();
      fell = square_sum < fit.square_sum;
      damping *= fell ? 0.3 : 4;
      if (!fell) continue;
      gain = fit.square_sum - square_sum;
      fit.sources = next;
      fit.square_sum = square_sum;
    }
    if (!fell) break;
    residual = problem.residual(fit.sources, &jacobian);
    hessian.noalias() = jacobian.transpose() * jacobian;
    if (gain < options.tolerance * fit.square_sum) break;
  }
  fit.hessian = std::move(hessian);
  return fit;
}

}  // namespace ardent
