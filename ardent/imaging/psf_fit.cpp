#include "ardent/imaging/psf_fit.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace ardent {
namespace {

constexpr double kLeastDamping = 1e-9;

/// Derivatives of the model by a source's parameters, on the pixels that it reaches.
struct Slopes {
  Box box;
  std::vector<Matrix> by = {};  // each parameter
  std::vector<Matrix> weighted = {};
};

Matrix slope_by(double Source::*parameter, Footprint& print, double flux) {
  if (parameter == &Source::flux) return std::move(print.share);
  return flux * (parameter == &Source::x       ? print.by_x
                 : parameter == &Source::y     ? print.by_y
                 : parameter == &Source::sigma ? print.by_sigma
                 : parameter == &Source::z     ? print.by_z
                                               : print.by_sigma_z);
}

/// The pixels that two boxes share.
Box common(const Box& a, const Box& b) {
  const Index left = std::max(a.left, b.left), low = std::max(a.low, b.low),
              near = std::max(a.near, b.near);
  return {left,
          low,
          near,
          std::min(a.left + a.width, b.left + b.width) - left,
          std::min(a.low + a.height, b.low + b.height) - low,
          std::min(a.near + a.depth, b.near + b.depth) - near};
}

/// Plane k of `part` in a matrix over a box that holds it.
auto part_of(const Matrix& values, const Box& box, const Box& part, Index k) {
  return values.block(part.left - box.left,
                      (part.near - box.near + k) * box.height + part.low - box.low, part.width,
                      part.height);
}

class SourceFit {
 public:
  SourceFit(const Image& image, std::vector<Source> start, const PsfFitOptions& options,
            const Image* weights)
      : image_(image),
        start_(std::move(start)),
        options_(options),
        parameters_(fitted_parameters(options, image.is_stack())),
        each_(std::ssize(parameters_)) {
    const Index columns = image.height * image.depth;
    pixels_ = Eigen::Map<const Matrix>(image.pixels.data(), image.width, columns);
    weights_ = Matrix::Ones(image.width, columns);
    if (weights) weights_ = Eigen::Map<const Matrix>(weights->pixels.data(), image.width, columns);
    weighted_ = weights != nullptr;
    for (Index p = 0; p < pixels_.size(); ++p) {
      if (std::isfinite(pixels_(p))) continue;
      pixels_(p) = weights_(p) = 0;
      weighted_ = true;
    }
  }

  const FittedParameters& parameters() const { return parameters_; }

  /// What the sources leave of every pixel.
  Matrix residual(const std::vector<Source>& sources) const {
    Matrix left = pixels_;
    for (const Source& source : sources) {
      const Footprint print = options_.shape->footprint(source, image_, false);
      for (Index k = 0; k < print.box.depth; ++k) {
        plane_of(left, image_.height, print.box, k) -=
            source.flux * plane_of(print.share, print.box, k);
      }
    }
    return left;
  }

  double square_sum(const Matrix& residual) const {
    return weighted_ ? residual.cwiseAbs2().cwiseProduct(weights_).sum() : residual.squaredNorm();
  }

  std::vector<Slopes> slopes(const std::vector<Source>& sources) const {
    std::vector<Slopes> all;
    for (const Source& source : sources) {
      Footprint print = options_.shape->footprint(source, image_, true);
      Slopes slopes{print.box};
      for (const auto parameter : parameters_) {
        slopes.by.push_back(slope_by(parameter, print, source.flux));
      }
      slopes.weighted = slopes.by;
      if (weighted_) {
        for (Matrix& by : slopes.weighted) {
          for (Index k = 0; k < print.box.depth; ++k) {
            plane_of(by, print.box, k).array() *=
                plane_of(weights_, image_.height, print.box, k).array();
          }
        }
      }
      all.push_back(std::move(slopes));
    }
    return all;
  }

  Vector gradient(const std::vector<Slopes>& slopes, const Matrix& residual) const {
    Vector gradient = Vector::Zero(each_ * std::ssize(slopes));
    Index row = 0;
    for (const Slopes& one : slopes) {
      for (const Matrix& by : one.weighted) {
        for (Index k = 0; k < one.box.depth; ++k) {
          gradient[row] += plane_of(residual, image_.height, one.box, k)
                               .cwiseProduct(plane_of(by, one.box, k))
                               .sum();
        }
        ++row;
      }
    }
    return gradient;
  }

  /// JᵀWJ: sources that share no pixel have nothing to do with each other.
  Matrix hessian(const std::vector<Slopes>& slopes) const {
    const Index size = each_ * std::ssize(slopes);
    Matrix hessian = Matrix::Zero(size, size);
    for (std::size_t k = 0; k < slopes.size(); ++k) {
      for (std::size_t j = 0; j <= k; ++j) add_block(slopes, k, j, hessian);
    }
    return hessian;
  }

  std::vector<Source> moved(const std::vector<Source>& sources, const Vector& step) const {
    std::vector<Source> next = sources;
    Index row = 0;
    for (std::size_t k = 0; k < next.size(); ++k) {
      for (const auto parameter : parameters_) {
        double& value = next[k].*parameter;
        value = within_bounds(parameter, value + step[row++], start_[k].*parameter);
      }
    }
    return next;
  }

 private:
  double within_bounds(double Source::*parameter, double value, double start) const {
    if (parameter == &Source::flux) return options_.nonnegative ? std::max(0.0, value) : value;
    if (parameter == &Source::sigma) {
      return std::clamp(value, options_.sigma_low, options_.sigma_high);
    }
    if (parameter == &Source::sigma_z) {
      return std::clamp(value, options_.sigma_z_low, options_.sigma_z_high);
    }
    return std::clamp(value, start - options_.reach, start + options_.reach);
  }

  void add_block(const std::vector<Slopes>& slopes, std::size_t k, std::size_t j,
                 Matrix& hessian) const {
    const Slopes &one = slopes[k], &other = slopes[j];
    const Box both = common(one.box, other.box);
    if (both.width <= 0 || both.height <= 0 || both.depth <= 0) return;
    for (Index a = 0; a < each_; ++a) {
      for (Index b = 0; b < each_; ++b) {
        if (k == j && b > a) continue;
        double sum = 0;
        for (Index plane = 0; plane < both.depth; ++plane) {
          sum += part_of(one.weighted[a], one.box, both, plane)
                     .cwiseProduct(part_of(other.by[b], other.box, both, plane))
                     .sum();
        }
        const Index row = each_ * Index(k) + a, column = each_ * Index(j) + b;
        hessian(row, column) = hessian(column, row) = sum;
      }
    }
  }

  const Image& image_;
  Matrix pixels_, weights_;
  bool weighted_ = false;
  std::vector<Source> start_;
  const PsfFitOptions& options_;
  FittedParameters parameters_;
  Index each_;
};

}  // namespace

FittedParameters fitted_parameters(const PsfFitOptions& options, bool stack) {
  const bool widths = options.shape->has_width();
  FittedParameters all{&Source::x, &Source::y, &Source::flux};
  if (widths && options.sigma_high > options.sigma_low) all.push_back(&Source::sigma);
  if (stack) all.push_back(&Source::z);
  if (stack && widths && options.sigma_z_high > options.sigma_z_low) {
    all.push_back(&Source::sigma_z);
  }
  return all;
}

Matrix parameter_covariance(const PsfFit& fit) {
  Matrix hessian = fit.hessian;
  hessian.diagonal().array() += 1e-12 * std::max(hessian.diagonal().maxCoeff(), 1e-300);
  return hessian.llt().solve(Matrix::Identity(hessian.rows(), hessian.cols()));
}

PsfFit fit_sources(const Image& image, std::vector<Source> start, const PsfFitOptions& options,
                   const Image* weights) {
  if (options.shape->has_width()) {
    for (Source& source : start) {
      source.sigma = std::clamp(source.sigma, options.sigma_low, options.sigma_high);
      source.sigma_z = std::clamp(source.sigma_z, options.sigma_z_low, options.sigma_z_high);
    }
  }
  const SourceFit problem(image, start, options, weights);
  PsfFit fit{std::move(start), 0, {}, problem.parameters()};
  Matrix residual = problem.residual(fit.sources);
  fit.square_sum = problem.square_sum(residual);
  if (fit.sources.empty()) return fit;
  double damping = 1e-3;
  std::vector<Slopes> slopes = problem.slopes(fit.sources);
  fit.hessian = problem.hessian(slopes);
  for (Index iteration = 0; iteration < options.max_steps; ++iteration) {
    const Vector gradient = problem.gradient(slopes, residual);
    bool fell = false;
    double gain = 0;
    for (int attempt = 0; attempt < 12 && !fell; ++attempt) {
      Matrix damped = fit.hessian;
      damped.diagonal().array() += damping * fit.hessian.diagonal().array() + 1e-12;
      const Eigen::LLT<Matrix> factor(damped);
      if (factor.info() != Eigen::Success) {
        damping = std::max(4 * damping, kLeastDamping);
        continue;
      }
      auto next = problem.moved(fit.sources, factor.solve(gradient));
      Matrix left = problem.residual(next);
      const double square_sum = problem.square_sum(left);
      fell = square_sum < fit.square_sum;
      damping = fell ? std::max(0.3 * damping, kLeastDamping) : 4 * damping;
      if (!fell) continue;
      gain = fit.square_sum - square_sum;
      fit.sources = std::move(next);
      residual = std::move(left);
      fit.square_sum = square_sum;
    }
    if (!fell) break;
    slopes = problem.slopes(fit.sources);
    fit.hessian = problem.hessian(slopes);
    if (gain < options.tolerance * fit.square_sum) break;
  }
  return fit;
}

}  // namespace ardent
