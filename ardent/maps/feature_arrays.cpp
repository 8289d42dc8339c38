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

void add_rows(ContainerWriter& file, const std::string& name, const DenseRows& dense) {
  file.add(name, dense.values,
           {static_cast<std::uint64_t>(dense.rows), static_cast<std::uint64_t>(dense.cols)});
}

DenseRows read_rows(const Container& file, const std::string& name) {
  const auto& shape = file.shape(name);
  if (shape.size() != 2) file.refuse(fmt::format("array {} is no matrix", name));
  // An extent of a matrix without entries could be anything: it must still be a sane Index.
  for (const std::uint64_t extent : shape) {
    if (extent >> 40) file.refuse(fmt::format("array {} has an absurd shape", name));
  }
  return {static_cast<Index>(shape[0]), static_cast<Index>(shape[1]), file.array<double>(name)};
}

void add_centres(ContainerWriter& file, const Features& centres, const std::string& name) {
  if (const auto* sparse = std::get_if<SparseRows>(&centres)) {
    file.add(name + ".offsets", sparse->offsets);
    file.add(name + ".columns", sparse->columns);
    file.add(name + ".values", sparse->values);
  } else {
    add_rows(file, name, std::get<DenseRows>(centres));
  }
  file.about["sparse_centres"] = is_sparse(centres);
}

Features read_centres(const Container& file, Index inputs, const std::string& name) {
  if (!file.about().at("sparse_centres").get<bool>()) return read_rows(file, name);
  SparseRows sparse;
  sparse.offsets = file.array<std::uint64_t>(name + ".offsets");
  sparse.columns = file.array<std::uint32_t>(name + ".columns");
  sparse.values = file.array<float>(name + ".values");
  if (sparse.offsets.empty()) file.refuse("its sparse centres have no offsets");
  sparse.rows = std::ssize(sparse.offsets) - 1;
  sparse.cols = inputs;
  return sparse;
}

}  // namespace ardent
