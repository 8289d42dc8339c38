#include "ardent/data/gathered_fold.h"

#include <cstring>
#include <numeric>

#include "ardent/data/folds.h"

namespace ardent {
namespace {

template <class T>
std::string bytes_of_values(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

/// What all processes give, one after the other.
template <class T>
std::vector<T> gathered(const RowShare& share, std::span<const T> own) {
  std::vector<T> all;
  for (const std::string& part : share.gather(bytes_of_values(own))) {
    const std::size_t before = all.size();
    all.resize(before + part.size() / sizeof(T));
    if (!part.empty()) std::memcpy(all.data() + before, part.data(), part.size());
  }
  return all;
}

template <class T>
std::vector<T> picked(const std::vector<T>& values, std::span<const Index> which) {
  std::vector<T> result;
  for (const Index i : which) {
    if (!values.empty()) result.push_back(values[static_cast<std::size_t>(i)]);
  }
  return result;
}

template <class T>
Buffer<T> buffer_of(const std::vector<T>& values) {
  auto buffer = Buffer<T>::allocate(values.size());
  std::ranges::copy(values, buffer.mutable_data());
  return buffer;
}

/// The sparse rows of all processes that are in `own` of each.
SparseRows gathered_rows(const SparseRows& own, const RowShare& share) {
  std::vector<std::uint64_t> lengths;
  for (Index i = 0; i < own.rows; ++i) lengths.push_back(own.offsets[i + 1] - own.offsets[i]);
  const auto all = gathered<std::uint64_t>(share, lengths);
  std::vector<std::uint64_t> offsets(all.size() + 1, 0);
  std::partial_sum(all.begin(), all.end(), offsets.begin() + 1);
  return {static_cast<Index>(all.size()),
          own.cols,
          buffer_of(offsets),
          buffer_of(gathered<std::uint32_t>(share, own.columns.span())),
          buffer_of(gathered<float>(share, own.values.span())),
          nullptr};
}

}  // namespace

Dataset gathered_fold(const Dataset& data, std::span<const std::uint32_t> class_of, Index folds,
                      std::uint64_t seed) {
  const RowShare& share = *data.share;
  const auto all_classes = gathered<std::uint32_t>(share, class_of);
  Vector rows = Vector::Zero(share.shares());
  rows[share.place()] = static_cast<double>(data.rows());
  sum_over(&share, rows);
  const auto first = static_cast<Index>(rows.head(share.place()).sum());
  std::vector<Index> own;
  const auto splits = stratified_folds(all_classes, folds, seed);
  for (const Index i : splits.front().test) {
    if (i >= first && i < first + data.rows()) own.push_back(i - first);
  }
  Dataset result = data;
  result.share = nullptr;
  result.features = gathered_rows(std::get<SparseRows>(select_rows(data.features, own)), share);
  const auto gather_picked = [&](auto& values) {
    const auto mine = picked(values, own);
    using T = typename std::remove_cvref_t<decltype(values)>::value_type;
    values = gathered<T>(share, std::span<const T>(mine));
  };
  gather_picked(result.labels.numbers);
  gather_picked(result.labels.ids);
  gather_picked(result.weights);
  // Names in the order in which they first appear among these rows.
  std::vector<Index> every(static_cast<std::size_t>(result.rows()));
  std::iota(every.begin(), every.end(), Index{0});
  result.labels = select_rows(result.labels, every);
  return result;
}

}  // namespace ardent
