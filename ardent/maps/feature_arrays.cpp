#include "ardent/maps/feature_arrays.h"

namespace ardent {
namespace {

void check_sparse(const SparseRows& sparse) {
  const auto& offsets = sparse.offsets;
  require_of_model(offsets.size() == static_cast<std::size_t>(sparse.rows) + 1 && offsets[0] == 0 &&
                       offsets[offsets.size() - 1] == sparse.columns.size() &&
                       std::is_sorted(offsets.begin(), offsets.end()) &&
                       sparse.values.size() == sparse.columns.size(),
                   "has sparse centres whose rows do not fit together");
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    for (std::uint64_t e = offsets[i]; e < offsets[i + 1]; ++e) {
      const bool ascends = e == offsets[i] || sparse.columns[e - 1] < sparse.columns[e];
      require_of_model(
          ascends && static_cast<Index>(sparse.columns[e]) < sparse.cols,
          "has a sparse centre (number {}) whose columns are not ascending and below {}", i + 1,
          sparse.cols);
    }
  }
  require_of_model(all_finite(sparse.values), "has centres that are not finite");
}

}  // namespace

void check_origin(const std::vector<Index>& origin, Index count) {
  require_of_model(std::ssize(origin) == count, "has {} basis functions but {} origins", count,
                   origin.size());
  require_of_model(std::ranges::all_of(origin, [](Index k) { return k >= 0; }),
                   "has a basis function of negative origin");
}

void check_rows(const DenseRows& dense, std::string_view what) {
  require_of_model(dense.values.size() ==
                       static_cast<std::size_t>(dense.rows) * static_cast<std::size_t>(dense.cols),
                   "has {} × {} {}, but {} numbers for them", dense.rows, dense.cols, what,
                   dense.values.size());
  require_of_model(all_finite(dense.values), "has {} that are not finite", what);
}

void check_centres(const Features& centres, Index inputs) {
  require_of_model(cols(centres) == inputs, "has {} inputs but centres of {} numbers", inputs,
                   cols(centres));
  if (const auto* sparse = std::get_if<SparseRows>(&centres)) {
    check_sparse(*sparse);
  } else {
    check_rows(std::get<DenseRows>(centres), "centres");
  }
}

void add_centres(ContainerWriter& file, const Features& centres, const std::string& name) {
  add_matrix(file, name, centres);
  file.about["sparse_centres"] = is_sparse(centres);
}

Features read_centres(const Container& file, Index inputs, const std::string& name) {
  if (!file.about().at("sparse_centres").get<bool>()) return read_dense(file, name);
  return read_sparse(file, name, inputs);
}

}  // namespace ardent
