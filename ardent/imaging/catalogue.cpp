#include "ardent/imaging/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ardent/base/atomic_file.h"
#include "ardent/base/error.h"
#include "ardent/data/csv.h"

namespace ardent {
namespace {

/// A header and nothing after it: no source was found.
bool header_only(std::string_view text) {
  const std::size_t end = text.find('\n');
  return end == std::string_view::npos ||
         text.find_first_not_of(" \t\r\n", end) == std::string_view::npos;
}

/// Column of that name in any case; −1 if there is none.
Index column_of(const Dataset& data, std::string_view name) {
  const auto same = [](char a, char b) { return std::tolower(a) == std::tolower(b); };
  for (std::size_t k = 0; k < data.feature_names.size(); ++k) {
    if (std::ranges::equal(data.feature_names[k], name, same)) return static_cast<Index>(k);
  }
  return -1;
}

}  // namespace

std::vector<Source> read_catalogue(const std::string& path) {
  const Bytes bytes = load_bytes(path);
  if (bytes.text().empty()) throw InputError(fmt::format("{}: the file is empty", bytes.name));
  if (header_only(bytes.text())) {
    // One line of zeros makes the header a table that the CSV reader can check.
    const auto fields = std::ranges::count(bytes.text(), ',');
    std::string row = "\n0";
    for (Index k = 0; k < fields; ++k) row += ",0";
    std::string header(bytes.text().substr(0, bytes.text().find_first_of("\r\n")));
    parse_csv(bytes_of(header + row + "\n", bytes.name), {.label = "x"});
    return {};
  }
  // x is read as the column of labels: numbers that need not be features.
  const Dataset data = parse_csv(bytes, {.label = "x"});
  if (!data.labels.numeric()) {
    throw InputError(fmt::format("{}: a source has {} for its x, which is no number", bytes.name,
                                 ardent::quoted(data.labels.names.front())));
  }
  const Index y = column_of(data, "y"), sigma = column_of(data, "sigma"),
              flux = column_of(data, "flux");
  if (y < 0) {
    throw InputError(fmt::format("{}: a list of sources needs the columns x and y, and has x, {}",
                                 bytes.name, fmt::join(data.feature_names, ", ")));
  }
  const auto& table = std::get<DenseRows>(data.features);
  std::vector<Source> sources;
  for (Index i = 0; i < data.rows(); ++i) {
    const auto row = table.row(i);
    const auto value = [&](Index column) {
      return column < 0 ? 1.0 : row[static_cast<std::size_t>(column)];
    };
    sources.push_back(
        {data.labels.numbers[static_cast<std::size_t>(i)], value(y), value(sigma), value(flux)});
  }
  return sources;
}

void write_catalogue(const std::vector<Source>& sources, const std::string& path) {
  std::string text = "x,y,sigma,flux\n";
  for (const Source& source : sources) {
    text += fmt::format("{},{},{},{}\n", source.x, source.y, source.sigma, source.flux);
  }
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace ardent
