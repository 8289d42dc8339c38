#include "ardent/model/model_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/data/gaps.h"

namespace ardent {
namespace {

constexpr Index kInputRowBlock = 1024;

/// The names at the model's positions are the model's names: the usual case, without a search.
bool names_in_place(const ModelFrame& model, const Dataset& data) {
  if (data.cols() != model.features) return false;
  for (std::size_t k = 0; k < model.inputs.size(); ++k) {
    const auto column = static_cast<std::size_t>(model.inputs[k]);
    if (model.feature_names[k] != data.feature_names[column]) return false;
  }
  return true;
}

/// Where each of the model's inputs is in the data, by name.
std::vector<Index> columns_by_name(const ModelFrame& model, const Dataset& data) {
  constexpr Index kTwice = -1;
  std::unordered_map<std::string_view, Index> place;
  for (std::size_t c = 0; c < data.feature_names.size(); ++c) {
    const auto [entry, added] = place.try_emplace(data.feature_names[c], static_cast<Index>(c));
    if (!added) entry->second = kTwice;
  }
  std::vector<Index> columns;
  for (std::size_t k = 0; k < model.inputs.size(); ++k) {
    const std::string& name = model.feature_names[k];
    const auto found = place.find(name);
    if (found == place.end()) {
      const auto position = static_cast<std::size_t>(model.inputs[k]);
      throw InputError(
          fmt::format("{}: the model needs the feature {}, its column {}, and the data have none "
                      "of that name{}",
                      data.source, ardent::in_quotes(name), position + 1,
                      position < data.feature_names.size()
                          ? fmt::format(" (their column {} is {})", position + 1,
                                        ardent::in_quotes(data.feature_names[position]))
                          : ""));
    }
    if (found->second == kTwice) {
      throw InputError(
          fmt::format("{}: the model needs the feature {}, and the data have two of "
                      "that name: rename one",
                      data.source, ardent::in_quotes(name)));
    }
    columns.push_back(found->second);
  }
  return columns;
}

/// Like select_columns, but in any order.
Features gather_columns(const Features& features, std::span<const Index> which) {
  const bool ascending = std::ranges::adjacent_find(which, std::greater_equal<>{}) == which.end();
  if (ascending) return select_columns(features, which);
  if (const auto* sparse = std::get_if<SparseRows>(&features)) {
    const Features chosen = select_rows(Features(transposed(*sparse)), which);
    return transposed(std::get<SparseRows>(chosen));
  }
  const auto& dense = std::get<DenseRows>(features);
  DenseRows result{dense.rows, std::ssize(which), {}};
  result.values = Buffer<double>::allocate(result.rows * result.cols);
  double* out = result.values.mutable_data();
  parallel_blocks(dense.rows, kInputRowBlock, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      double* to = out + i * result.cols;
      for (const Index k : which) *to++ = dense.row(i)[k];
    }
  });
  return result;
}

/// Values in columns that the model does not know, and where the first of them is.
struct Extra {
  Index values = 0;
  Index rows = 0;
  Index first_row = 0;
  Index first_column = 0;

  void add(Index row, Index column) {
    if (values++ == 0) {
      first_row = row;
      first_column = column;
    }
  }
};

Extra count_extra(const ModelFrame& model, const Dataset& data) {
  Extra extra;
  const auto* sparse = std::get_if<SparseRows>(&data.features);
  for (Index i = 0; i < data.rows(); ++i) {
    const Index before = extra.values;
    if (sparse) {
      const auto first = sparse->offsets[i];
      // Columns ascend: only the last ones need a look.
      for (auto e = sparse->offsets[i + 1]; e-- > first;) {
        if (static_cast<Index>(sparse->columns[e]) < model.features) break;
        if (sparse->values[e] != 0) extra.add(i, sparse->columns[e]);
      }
    } else {
      const auto row = std::get<DenseRows>(data.features).row(i);
      for (Index k = model.features; k < data.cols(); ++k) {
        if (row[k] != 0) extra.add(i, k);
      }
    }
    extra.rows += extra.values > before;
  }
  return extra;
}

/// Columns that the model does not know hold nothing, or are LIBSVM's to ignore.
void ignore_extra(const ModelFrame& model, const Dataset& data, ModelInputs& inputs) {
  const Extra extra = count_extra(model, data);
  if (extra.values == 0) return;
  if (!data.absent_is_zero) {
    throw InputError(fmt::format(
        "{}: the data are {} × {}, but the model was trained with {} features, and row {} has a "
        "value in column {}: leave the further columns out",
        data.source, data.rows(), data.cols(), model.features, extra.first_row + 1,
        extra.first_column + 1));
  }
  inputs.warnings.push_back(fmt::format(
      "{}: {} in {} with an index beyond the model's {} features {} ignored", data.source,
      extra.values == 1 ? "1 value" : fmt::format("{} values", extra.values),
      extra.rows == 1 ? "1 row" : fmt::format("{} rows", extra.rows), model.features,
      extra.values == 1 ? "is" : "are"));
}

Features columns_by_position(const ModelFrame& model, const Dataset& data, ModelInputs& inputs) {
  if (data.cols() > model.features) ignore_extra(model, data, inputs);
  if (data.cols() >= model.features) return select_columns(data.features, model.inputs);
  if (!is_sparse(data.features) && !data.absent_is_zero) {
    throw InputError(fmt::format(
        "{}: the data are {} × {}, but the model was trained with {} features: give it all of them",
        data.source, data.rows(), data.cols(), model.features));
  }
  // The inputs that the data lack are the last ones, as inputs ascend: only the width changes.
  const auto end = std::ranges::lower_bound(model.inputs, data.cols());
  return widened(select_columns(data.features, {model.inputs.begin(), end}),
                 std::ssize(model.inputs));
}

Features chosen_columns(const ModelFrame& model, const Dataset& data, ModelInputs& inputs) {
  if (model.feature_names.empty() || data.feature_names.empty()) {
    return columns_by_position(model, data, inputs);
  }
  if (names_in_place(model, data)) return select_columns(data.features, model.inputs);
  if (model.scaling.unit_rows()) {
    throw InputError(
        fmt::format("{}: the model scales each row by its length over all {} training columns, but "
                    "the data have {} columns, or others where the model's inputs were: give them "
                    "in the order of the training data",
                    data.source, model.features, data.cols()));
  }
  return gather_columns(data.features, columns_by_name(model, data));
}

}  // namespace

ModelInputs model_inputs(const ModelFrame& model, const Dataset& data) {
  ModelInputs inputs;
  inputs.features = chosen_columns(model, data, inputs);
  if (!data.has_gaps) return inputs;
  if (model.scaling.fill.size() == 0) {
    throw InputError(
        fmt::format("{}: values are missing, and the model was trained without --missing: it does "
                    "not know what should stand there",
                    data.source));
  }
  inputs.features = filled(inputs.features, model.scaling.fill);
  return inputs;
}

}  // namespace ardent
