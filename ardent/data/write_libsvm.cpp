#include "ardent/data/write_libsvm.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "ardent/base/atomic_file.h"
#include "ardent/base/error.h"
#include "ardent/base/parallel.h"
#include "ardent/data/number.h"

namespace ardent {
namespace {

constexpr Index kEntriesPerBlock = 1 << 16;
constexpr Index kBlocksAtOnce = 64;  // as text, some 80 MB

/// A number in its shortest form that reads back the same.
template <class T>
void append_number(std::string& text, T value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  text.append(digits, end);
}

template <class T>
void append_entry(std::string& text, std::uint64_t column, T value) {
  if (value == 0) return;
  text += ' ';
  append_number(text, column + 1);
  text += ':';
  append_number(text, value);
}

void append_row(std::string& text, const Dataset& data, std::size_t row) {
  const Labels& labels = data.labels;
  if (labels.ids.empty()) {
    append_number(text, labels.numbers[row]);
  } else {
    text += labels.names[labels.ids[row]];
  }
  if (const auto* sparse = std::get_if<SparseRows>(&data.features)) {
    for (std::uint64_t e = sparse->offsets[row]; e < sparse->offsets[row + 1]; ++e) {
      append_entry(text, sparse->columns[e], sparse->values[e]);
    }
  } else {
    const auto values = std::get<DenseRows>(data.features).row(static_cast<Index>(row));
    for (std::size_t k = 0; k < values.size(); ++k) append_entry(text, k, values[k]);
  }
  text += '\n';
}

/// The reader must find the label again: a word of its own, which is no comment, entry or "nan".
bool can_be_written(std::string_view label) {
  const bool visible = std::ranges::all_of(
      label, [](char c) { return static_cast<unsigned char>(c) > ' ' && c != ':'; });
  return !label.empty() && visible && label[0] != '#' && !is_not_finite(label);
}

void require_labels(const Dataset& data) {
  if (data.labels.size() != data.rows()) {
    throw InputError(
        fmt::format("{}: LIBSVM text has a label in each of the {} rows, found {} labels",
                    data.source, data.rows(), data.labels.size()));
  }
  for (const std::string& name : data.labels.names) {
    if (can_be_written(name)) continue;
    throw InputError(
        fmt::format("{}: the label {} cannot be written as LIBSVM text: labels there are words "
                    "without blanks and colons; write a cache instead",
                    data.source, in_quotes(name)));
  }
}

}  // namespace

void write_libsvm(const Dataset& data, const std::string& path) {
  require_labels(data);
  AtomicFile file(path);
  const Index rows = data.rows();
  const Index entries_per_row = stored(data.features) / std::max<Index>(1, rows) + 1;
  const Index block = std::max<Index>(1, kEntriesPerBlock / entries_per_row);
  const Index blocks = (rows + block - 1) / block;
  for (Index first = 0; first < blocks; first += kBlocksAtOnce) {
    const Index count = std::min(kBlocksAtOnce, blocks - first);
    std::vector<std::string> texts(count);
    parallel_for(count, [&](Index b) {
      const Index end = std::min(rows, (first + b + 1) * block);
      for (Index i = (first + b) * block; i < end; ++i) {
        append_row(texts[b], data, static_cast<std::size_t>(i));
      }
    });
    for (const std::string& text : texts) file.write(text);
  }
  file.commit();
}

}  // namespace ardent
