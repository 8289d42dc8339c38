#include "ardent/cuda/card/design_on_card.h"

#include "ardent/base/error.h"
#include "ardent/cuda/card/design_kernels.h"
#include "ardent/cuda/card/sparse_rows_on_card.h"
#include "ardent/design/sparse.h"
#include "ardent/design/with_bias.h"

namespace ardent {
namespace {

/// By rows for Phi w, by columns for Phiᵀ r: no scattered writes in either.
class SparseOnCard : public DesignOnCard {
 public:
  SparseOnCard(Card& card, const SparseDesign& phi, bool has_bias)
      : DesignOnCard(card, static_cast<std::size_t>(phi.rows()),
                     static_cast<std::size_t>(phi.cols()), has_bias),
        by_row_(on_card(card, phi.entries_by_row())),
        by_column_(on_card(card, phi.entries_by_column())),
        factors_(card, {phi.column_factors().data(), static_cast<std::size_t>(phi.cols())}),
        scaled_(card, columns()) {}

 protected:
  void do_multiply(const double* w, const double* constant, const double* multiplier,
                   double* out) override {
    multiply_elements(card_, columns(), factors_.data(), w, scaled_.data());
    by_row_.sum_rows(card_, scaled_.data(),
                     {.out = out, .multiplier = multiplier, .constant = constant});
  }
  void do_multiply_transposed(const double* r, double factor, const double* alpha, const double* v,
                              double* out) override {
    by_column_.sum_rows(
        card_, r, {.out = out, .factor = factor, .scale = factors_.data(), .alpha = alpha, .v = v});
  }
  void do_weighted_square_norms(const double* beta, const double* alpha, double* out) override {
    by_column_.sum_rows(card_, beta,
                        {.out = out, .scale = factors_.data(), .alpha = alpha, .squared = true});
  }
  void do_keep(const KeptColumns& kept) override {
    // One after the other: the old entries are given back before the next are made.
    by_row_ = by_row_.with_columns(card_, kept.new_number);
    by_column_ = by_column_.with_rows(card_, kept.positions, kept.count);
    factors_ = gathered(card_, factors_.data(), kept.positions, kept.count);
    scaled_ = CardArray<double>(card_, kept.count);
  }
  std::size_t values() const override { return by_row_.entries(); }

 private:
  static SparseRowsOnCard on_card(Card& card, const SparseRows& rows) {
    return {card, rows.offsets.span(), rows.columns.span(), rows.values.span()};
  }

  SparseRowsOnCard by_row_, by_column_;
  CardArray<double> factors_, scaled_;
};

/// Column-major, its factors in it.
class DenseOnCard : public DesignOnCard {
 public:
  DenseOnCard(Card& card, const Design& phi, bool has_bias)
      : DesignOnCard(card, static_cast<std::size_t>(phi.rows()),
                     static_cast<std::size_t>(phi.cols()), has_bias),
        phi_(card, rows() * columns()) {
    constexpr Index kBlock = 256;  // columns copied at a time
    for (Index first = 0; first < phi.cols(); first += kBlock) {
      std::vector<Index> which;
      for (Index k = first; k < std::min(first + kBlock, phi.cols()); ++k) which.push_back(k);
      const Matrix block = phi.columns(which);
      check(cudaMemcpyAsync(phi_.data() + static_cast<std::size_t>(first) * rows(), block.data(),
                            static_cast<std::size_t>(block.size()) * sizeof(double),
                            cudaMemcpyHostToDevice, card.stream()));
      card.wait();
    }
  }

 protected:
  void do_multiply(const double* w, const double* constant, const double* multiplier,
                   double* out) override {
    product(CUBLAS_OP_N, w, out);
    add_constant_and_multiply(card_, rows(), constant, multiplier, out);
  }
  void do_multiply_transposed(const double* r, double factor, const double* alpha, const double* v,
                              double* out) override {
    product(CUBLAS_OP_T, r, out);
    scale_and_add_product(card_, columns(), factor, alpha, v, out);
  }
  void do_weighted_square_norms(const double* beta, const double* alpha, double* out) override {
    dense_square_norms(card_, rows(), columns(), phi_.data(), beta, alpha, out);
  }
  void do_keep(const KeptColumns& kept) override {
    CardArray<double> phi(card_, rows() * kept.count);
    gather_columns(card_, rows(), phi_.data(), kept.positions, kept.count, phi.data());
    phi_ = std::move(phi);
  }
  std::size_t values() const override { return phi_.size(); }

 private:
  void product(cublasOperation_t operation, const double* x, double* out) {
    const double one = 1, zero = 0;
    const auto n = static_cast<std::int64_t>(rows()), m = static_cast<std::int64_t>(columns());
    if (m == 0) {
      if (operation == CUBLAS_OP_N) {
        check(cudaMemsetAsync(out, 0, rows() * sizeof(double), card_.stream()));
      }
      return;
    }
    check(cublasDgemv_64(card_.blas(), operation, n, m, &one, phi_.data(), n, x, 1, &zero, out, 1));
  }

  CardArray<double> phi_;
};

}  // namespace

DesignOnCard::DesignOnCard(Card& card, std::size_t rows, std::size_t columns, bool has_bias)
    : card_(card), rows_(rows), columns_(columns), has_bias_(has_bias) {}

void DesignOnCard::count_pass() {
  ++passes_.count;
  passes_.values += static_cast<double>(values());
}

void DesignOnCard::multiply(const double* w, const double* multiplier, double* out) {
  count_pass();
  do_multiply(w, has_bias_ ? w + columns_ : nullptr, multiplier, out);
}

void DesignOnCard::multiply_transposed(const double* r, double factor, const double* alpha,
                                       const double* v, double* out) {
  count_pass();
  do_multiply_transposed(r, factor, alpha, v, out);
  if (has_bias_)
    sum_for_bias(card_, rows_, r, factor, alpha + columns_, v + columns_, out + columns_);
}

void DesignOnCard::weighted_square_norms(const double* beta, const double* alpha, double* out) {
  count_pass();
  do_weighted_square_norms(beta, alpha, out);
  if (has_bias_) sum_for_bias(card_, rows_, beta, 1, alpha + columns_, nullptr, out + columns_);
}

void DesignOnCard::keep(const KeptColumns& kept) {
  do_keep(kept);
  columns_ = kept.count;
}

std::unique_ptr<DesignOnCard> design_on_card(Card& card, const Design& phi) {
  if (phi.share()) {
    throw InputError(
        "device cuda computes on one card with all rows: several processes that share the rows use "
        "device cpu");
  }
  const auto* const with_bias = dynamic_cast<const WithBias*>(&phi);
  const Design& inner = with_bias ? with_bias->inner() : phi;
  const auto* const sparse = dynamic_cast<const SparseDesign*>(&inner);
  if (!sparse) return std::make_unique<DenseOnCard>(card, inner, with_bias != nullptr);
  if (sparse->is_compact()) {
    return std::make_unique<SparseOnCard>(card, *sparse, with_bias != nullptr);
  }
  SparseDesign compact(*sparse);
  compact.compact();
  return std::make_unique<SparseOnCard>(card, compact, with_bias != nullptr);
}

}  // namespace ardent
