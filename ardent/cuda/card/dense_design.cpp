#include "ardent/cuda/card/dense_design.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ardent/base/error.h"
#include "ardent/base/index_range.h"
#include "ardent/design/lazy.h"

namespace ardent {
namespace {

constexpr Index kPanelDoubles = Index{1} << 27;  // 1 GiB: rows or columns of Phi with their weights
constexpr Index kUploadDoubles = Index{1} << 23;  // 64 MiB
constexpr double kMostPointBytes = 8.0 * (1 << 30);

Index panel_width(Index each, Index all) {
  return std::clamp<Index>(kPanelDoubles / std::max<Index>(each, 1), 1, std::max<Index>(all, 1));
}

/// Two copies of Phi while columns are dropped, two states with a kernel or Gram matrix and a
/// factor each, and panels.
double bytes_of_fit(Index rows, Index cols) {
  const double n = static_cast<double>(rows), m = static_cast<double>(cols);
  const double side = std::min(n, m + 1);
  return 8 * (2 * n * m + 5 * side * side + 2.0 * static_cast<double>(kPanelDoubles));
}

void require_memory(const Card& card, const Design& design) {
  constexpr double kGiB = 1 << 30;
  const double small = 8.0 * 2 * static_cast<double>(kPanelDoubles);
  const auto n = static_cast<double>(design.rows()), m = static_cast<double>(design.cols());
  // Panels are no longer than the design is.
  const double panels = std::min(small, 8 * 2 * n * m);
  const double needed = bytes_of_fit(design.rows(), design.cols()) - small + panels;
  const auto free = static_cast<double>(card.free_bytes());
  if (needed <= free) return;
  throw InputError(fmt::format(
      "device cuda: the exact engine needs about {:.1f} GiB of the card's memory for a design of "
      "{} × {}, and {:.1f} GiB are free: use fewer columns (a subset of features, basis points or "
      "hidden nodes) or fewer rows, or another engine",
      needed / kGiB, design.rows(), design.cols(), free / kGiB));
}

/// The kernel of points, formed on the card.
std::shared_ptr<const CardMatrix> formed(Card& card, const SourcePoints& points) {
  const CardMatrix x(card, points.rows), z(card, points.centres);
  const Vector x_norms = points.rows.colwise().squaredNorm().transpose(),
               z_norms = points.centres.colwise().squaredNorm().transpose();
  const CardArray<double> x_square_norms = on_card(card, x_norms),
                          z_square_norms = on_card(card, z_norms);
  auto phi = std::make_shared<CardMatrix>(card, x.cols(), z.cols());
  product_transposed(card, x.block(), z.block(), phi->block());
  kernel_from_products(card, x.block(), z.block(), x_square_norms.data(), z_square_norms.data(),
                       points.sigma.value_or(0), phi->block());
  return phi;
}

std::shared_ptr<const CardMatrix> brought(Card& card, const Design& design) {
  const Index n = design.rows(), m = design.cols();
  auto phi = std::make_shared<CardMatrix>(card, n, m);
  const Index width = std::max<Index>(1, kUploadDoubles / std::max<Index>(n, 1));
  for (Index begin = 0; begin < m; begin += width) {
    const Matrix columns = design.columns(index_range(begin, std::min(begin + width, m)));
    if (columns.size() == 0) continue;
    check(cudaMemcpyAsync(phi->values().data() + begin * n, columns.data(),
                          static_cast<std::size_t>(columns.size()) * sizeof(double),
                          cudaMemcpyHostToDevice, card.stream()));
    card.wait();
  }
  return phi;
}

}  // namespace

CardDesign::CardDesign(Card& card, std::shared_ptr<const Turn> turn,
                       std::shared_ptr<const CardMatrix> phi)
    : Design(phi->rows(), phi->cols()), card_(card), turn_(std::move(turn)), phi_(std::move(phi)) {}

std::unique_ptr<Design> CardDesign::clone() const {
  return std::make_unique<CardDesign>(*this);
}

CardMatrix CardDesign::gram(const Vector& beta, bool border) const {
  const Index n = rows(), size = cols() + (border ? 1 : 0), step = panel_width(size, n);
  const CardArray<double> roots = on_card(card_, beta.cwiseSqrt());
  CardMatrix result(card_, size, size), panel(card_, step, size);
  if (size == 0) return result;
  if (n == 0) result.values().set_zero();
  for (Index begin = 0; begin < n; begin += step) {
    const Index height = std::min(step, n - begin);
    const double* own_roots = roots.data() + begin;
    CardBlock<double> part{panel.values().data(), height, cols(), height};
    scale_entries(card_, phi_->middle_rows(begin, begin + height), own_roots, nullptr, part);
    if (border) {
      check(cudaMemcpyAsync(part.data + cols() * height, own_roots,
                            static_cast<std::size_t>(height) * sizeof(double),
                            cudaMemcpyDeviceToDevice, card_.stream()));
      part.cols += 1;
    }
    add_gram(card_, {part.data, part.rows, part.cols, part.stride}, begin == 0 ? 0 : 1,
             result.block());
  }
  mirror_lower(card_, result.block());
  return result;
}

std::shared_ptr<const CardMatrix> CardDesign::kept_gram(const Vector& beta, bool border) const {
  if (!gram_ || gram_->border != border || gram_->beta != beta) {
    gram_ = std::make_shared<const KeptGram>(KeptGram{beta, border, gram(beta, border)});
  }
  return {gram_, &gram_->values};
}

CardMatrix CardDesign::outer(const Vector& gamma) const {
  const Index n = rows(), m = cols(), step = panel_width(n, m);
  const CardArray<double> roots = on_card(card_, gamma.cwiseSqrt());
  CardMatrix result(card_, n, n), panel(card_, n, step);
  if (n == 0) return result;
  if (m == 0) result.values().set_zero();
  for (Index begin = 0; begin < m; begin += step) {
    const Index width = std::min(step, m - begin);
    const CardBlock<double> part{panel.values().data(), n, width, n};
    scale_entries(card_, phi_->columns(begin, begin + width), nullptr, roots.data() + begin, part);
    add_outer(card_, {part.data, part.rows, part.cols, part.stride}, begin == 0 ? 0 : 1,
              result.block());
  }
  mirror_lower(card_, result.block());
  return result;
}

void CardDesign::do_multiply(const Eigen::Ref<const Vector>& w, Vector& out) const {
  if (cols() == 0 || rows() == 0) {
    out.setZero();
    return;
  }
  const CardArray<double> weights = on_card(card_, w);
  CardArray<double> fitted(card_, static_cast<std::size_t>(rows()));
  ardent::multiply(card_, phi_->block(), weights.data(), fitted.data());
  out = on_host(fitted);
}

void CardDesign::do_multiply_transposed(const Vector& r, Vector& out) const {
  if (cols() == 0 || rows() == 0) {
    out.setZero();
    return;
  }
  const CardArray<double> residual = on_card(card_, r);
  CardArray<double> products(card_, static_cast<std::size_t>(cols()));
  ardent::multiply_transposed(card_, phi_->block(), residual.data(), products.data());
  out = on_host(products);
}

void CardDesign::do_weighted_square_norms(const Vector& beta, Vector& out) const {
  const CardArray<double> weights = on_card(card_, beta);
  CardArray<double> norms(card_, static_cast<std::size_t>(cols()));
  column_square_norms(card_, phi_->block(), weights.data(), norms.data());
  out = on_host(norms);
}

void CardDesign::do_weighted_gram(const Vector& beta, Matrix& out) const {
  out = gram(beta, false).on_host();
}

void CardDesign::do_weighted_outer(const Vector& gamma, Matrix& out) const {
  out = outer(gamma).on_host();
}

void CardDesign::do_columns(std::span<const Index> which, Matrix& out) const {
  if (out.size() == 0) return;
  const CardArray<Index> positions(card_, which);
  CardMatrix chosen(card_, rows(), std::ssize(which));
  gather_columns(card_, phi_->block(), positions.data(), chosen.block());
  out = chosen.on_host();
}

void CardDesign::do_keep(std::span<const Index> active) {
  const CardArray<Index> positions(card_, active);
  auto kept = std::make_shared<CardMatrix>(card_, rows(), std::ssize(active));
  gather_columns(card_, phi_->block(), positions.data(), kept->block());
  if (gram_) {
    std::vector<Index> of_gram(active.begin(), active.end());
    if (gram_->border) of_gram.push_back(cols());
    const CardArray<Index> gram_positions(card_, std::span<const Index>(of_gram));
    const auto size = std::ssize(of_gram);
    KeptGram smaller{gram_->beta, gram_->border, CardMatrix(card_, size, size)};
    gather_square(card_, gram_->values.block(), gram_positions.data(), smaller.values.block());
    gram_ = std::make_shared<const KeptGram>(std::move(smaller));
  }
  phi_ = std::move(kept);
}

std::unique_ptr<CardDesign> make_card_design(Card& card, const Design& design) {
  auto turn = std::make_shared<const CardDesign::Turn>(card.turn());
  require_memory(card, design);
  if (const auto* lazy = dynamic_cast<const LazyDesign*>(&design)) {
    if (const auto points = lazy->source().points(kMostPointBytes)) {
      auto made = std::make_unique<CardDesign>(card, std::move(turn), formed(card, *points));
      made->scale_columns(design.column_factors());
      return made;
    }
  }
  return std::make_unique<CardDesign>(card, std::move(turn), brought(card, design));
}

}  // namespace ardent
