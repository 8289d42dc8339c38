#include "ardent/maps/feature_arrays.h"

#include "ardent/data/sound_rows.h"

namespace ardent {

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
    const std::string fault = sparse_fault(*sparse);
    require_of_model(fault.empty(), "has sparse centres that {}", fault);
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
