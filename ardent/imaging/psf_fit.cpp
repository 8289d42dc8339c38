#include "ardent/imaging/psf_fit.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace ardent {
namespace {

constexpr double kLeastDamping = 1e-9;

/// Derivatives of the model by a source's parameters, on the pixels that it reaches.
struct Slopes {
  Index left = 0, low = 0;      // from 0
  std::vector<Matrix> by = {};  // x, y, flux, σ
  std::vector<Matrix> weighted = {};
};

class SourceFit {
 public:
  SourceFit(const Image& image, std::vector<Source> start, const PsfFitOptions& options,
            const Image* weights)
      : width_(image.width), height_(image.height), start_(std::move(start)), options_(options) {
    each_ = options.shape->has_width() && options.sigma_high > options.sigma_low ? 4 : 3;
    pixels_ = Eigen::Map<const Matrix>(image.pixels.data(), width_, height_);
    weights_ = Matrix::Ones(width_, height_);
    if (weights) weights_ = Eigen::Map<const Matrix>(weights->pixels.data(), width_, height_);
    weighted_ = weights != nullptr;
    for (Index p = 0; p < pixels_.size(); ++p) {
      if (std::isfinite(pixels_(p))) continue;
      pixels_(p) = weights_(p) = 0;
      weighted_ = true;
    }
  }

  Index each() const { return each_; }

  /// What the sources leave of every pixel.
  Matrix residual(const std::vector<Source>& sources) const {
    Matrix left = pixels_;
    for (const Source& source : sources) {
      const Footprint print = options_.shape->footprint(source, width_, height_, false);
      left.block(print.left - 1, print.low - 1, print.share.rows(), print.share.cols()) -=
          source.flux * print.share;
    }
    return left;
  }

  double square_sum(const Matrix& residual) const {
    return weighted_ ? residual.cwiseAbs2().cwiseProduct(weights_).sum() : residual.squaredNorm();
  }

  std::vector<Slopes> slopes(const std::vector<Source>& sources) const {
    std::vector<Slopes> all;
    for (const Source& source : sources) {
      Footprint print = options_.shape->footprint(source, width_, height_, true);
      Slopes slopes{print.left - 1, print.low - 1, {}};
      slopes.by.push_back(source.flux * print.by_x);
      slopes.by.push_back(source.flux * print.by_y);
      slopes.by.push_back(std::move(print.share));
      if (each_ == 4) slopes.by.push_back(source.flux * print.by_sigma);
      slopes.weighted = slopes.by;
      if (weighted_) {
        for (Matrix& by : slopes.weighted) {
          by.array() *= weights_.block(slopes.left, slopes.low, by.rows(), by.cols()).array();
        }
      }
      all.push_back(std::move(slopes));
    }
    return all;
  }

  Vector gradient(const std::vector<Slopes>& slopes, const Matrix& residual) const {
    Vector gradient(each_ * std::ssize(slopes));
    for (std::size_t k = 0; k < slopes.size(); ++k) {
      for (Index a = 0; a < each_; ++a) {
        const Matrix& by = slopes[k].weighted[a];
        gradient[each_ * static_cast<Index>(k) + a] =
            residual.block(slopes[k].left, slopes[k].low, by.rows(), by.cols())
                .cwiseProduct(by)
                .sum();
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
    for (std::size_t k = 0; k < next.size(); ++k) {
      const Index first = each_ * static_cast<Index>(k);
      const auto near = [&](double value, double origin) {
        return std::clamp(value, origin - options_.reach, origin + options_.reach);
      };
      next[k].x = near(next[k].x + step[first], start_[k].x);
      next[k].y = near(next[k].y + step[first + 1], start_[k].y);
      next[k].flux += step[first + 2];
      if (options_.nonnegative) next[k].flux = std::max(0.0, next[k].flux);
      if (each_ == 4) {
        next[k].sigma =
            std::clamp(next[k].sigma + step[first + 3], options_.sigma_low, options_.sigma_high);
      }
    }
    return next;
  }

 private:
  void add_block(const std::vector<Slopes>& slopes, std::size_t k, std::size_t j,
                 Matrix& hessian) const {
    const Slopes &one = slopes[k], &other = slopes[j];
    const Matrix &mine = one.by.front(), &its = other.by.front();
    const Index left = std::max(one.left, other.left), low = std::max(one.low, other.low);
    const Index columns = std::min(one.left + mine.rows(), other.left + its.rows()) - left;
    const Index rows = std::min(one.low + mine.cols(), other.low + its.cols()) - low;
    if (columns <= 0 || rows <= 0) return;
    for (Index a = 0; a < each_; ++a) {
      for (Index b = 0; b < each_; ++b) {
        if (k == j && b > a) continue;
        const double sum =
            one.weighted[a]
                .block(left - one.left, low - one.low, columns, rows)
                .cwiseProduct(other.by[b].block(left - other.left, low - other.low, columns, rows))
                .sum();
        const Index row = each_ * static_cast<Index>(k) + a,
                    column = each_ * static_cast<Index>(j) + b;
        hessian(row, column) = hessian(column, row) = sum;
      }
    }
  }

  Index width_, height_;
  Matrix pixels_, weights_;
  bool weighted_ = false;
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

PsfFit fit_sources(const Image& image, std::vector<Source> start, const PsfFitOptions& options,
                   const Image* weights) {
  if (options.shape->has_width()) {
    for (Source& source : start) {
      source.sigma = std::clamp(source.sigma, options.sigma_low, options.sigma_high);
    }
  }
  const SourceFit problem(image, start, options, weights);
  PsfFit fit{std::move(start), 0, {}, problem.each()};
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
