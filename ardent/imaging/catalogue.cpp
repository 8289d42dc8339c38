#include "ardent/imaging/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "ardent/base/atomic_file.h"
#include "ardent/base/elementary.h"
#include "ardent/base/error.h"
#include "ardent/data/csv.h"
#include "ardent/imaging/catalogue_table.h"
#include "ardent/imaging/fits.h"

namespace ardent {
namespace {

/// A header and nothing after it: no source was found.
bool header_only(std::string_view text) {
  const std::size_t end = text.find('\n');
  return end == std::string_view::npos ||
         text.find_first_not_of(" \t\r\n", end) == std::string_view::npos;
}

/// ECSV is CSV below lines that begin with #.
Bytes without_comments(Bytes bytes) {
  const std::string_view text = bytes.text();
  if (is_fits(text)) {
    throw InputError(
        fmt::format("{}: a FITS file; a list of sources is read as CSV or ECSV", bytes.name));
  }
  std::size_t begin = 0;
  while (begin < text.size() && text[begin] == '#') {
    begin = std::min(text.find('\n', begin), text.size() - 1) + 1;
  }
  return begin == 0 ? std::move(bytes) : bytes_of(std::string(text.substr(begin)), bytes.name);
}

/// Column of that name in any case; −1 if there is none.
Index column_of(const Dataset& data, std::string_view name) {
  const auto same = [](char a, char b) { return std::tolower(a) == std::tolower(b); };
  for (std::size_t k = 0; k < data.feature_names.size(); ++k) {
    if (std::ranges::equal(data.feature_names[k], name, same)) return static_cast<Index>(k);
  }
  return -1;
}

/// Columns of what is given number by number.
void add_columns(CatalogueTable& table, std::size_t rows, const auto& columns) {
  for (const auto& [name, unit, description, get] : columns) {
    TableColumn column{name, unit, description};
    for (std::size_t k = 0; k < rows; ++k) column.values.push_back(get(k));
    table.columns.push_back(std::move(column));
  }
}

struct NumberedColumn {
  const char *name, *unit, *description;
  std::function<double(std::size_t)> get;
};

void add_magnitudes(CatalogueTable& table, const std::vector<Detection>& list, double zero_point) {
  constexpr double kPerNeper = 1.0857362047581296;  // 2.5/ln 10
  const std::vector<NumberedColumn> columns{
      {"mag", "mag", "zero point - 2.5 log10(flux)",
       [&](std::size_t k) {
         const double flux = list[k].source.flux;
         return flux > 0 ? zero_point - kPerNeper * elementary::log(flux) : NAN;
       }},
      {"mag_sd", "mag", "standard deviation of the magnitude", [&](std::size_t k) {
         const double flux = list[k].source.flux;
         return flux > 0 ? kPerNeper * list[k].flux_sd / flux : NAN;
       }}};
  add_columns(table, list.size(), columns);
}

void add_details(CatalogueTable& table, const CatalogueOptions& options) {
  const auto of = [&](auto member) {
    return [&options, member](std::size_t k) {
      return static_cast<double>(options.details[k].*member);
    };
  };
  using Details = SourceDetails;
  std::vector<NumberedColumn> columns{
      {"x_sd", "pix", "standard deviation of x", of(&Details::x_sd)},
      {"y_sd", "pix", "standard deviation of y", of(&Details::y_sd)}};
  if (options.stack) {
    columns.push_back({"z_sd", "pix", "standard deviation of z", of(&Details::z_sd)});
  }
  const std::vector<NumberedColumn> more{
      {"sigma_sd", "pix", "standard deviation of sigma, 0: it is known", of(&Details::sigma_sd)},
      {"cov_xy", "pix2", "covariance of x and y", of(&Details::cov_xy)},
      {"cov_x_flux", "", "covariance of x and flux", of(&Details::cov_x_flux)},
      {"cov_y_flux", "", "covariance of y and flux", of(&Details::cov_y_flux)},
      {"sky", "", "background at the source", of(&Details::sky)},
      {"chi2", "", "chi square per degree of freedom within 2 sigma", of(&Details::chi_square)},
      {"pixels", "", "known pixels within 2 sigma", of(&Details::pixels)},
      {"flags", "",
       "sum of 1 border, 2 missing pixels, 4 saturated, 8 blended, 16 doubtful, 32 joined",
       of(&Details::flags)}};
  columns.insert(columns.end(), more.begin(), more.end());
  add_columns(table, options.details.size(), columns);
}

/// The columns of a list; `found`: with what is known of sources that were found.
CatalogueTable table_of(const std::vector<Detection>& list, const CatalogueOptions& options,
                        bool found) {
  CatalogueTable table;
  table.origin = options.origin;
  const auto add = [&](std::string name, std::string unit, std::string description, auto get) {
    TableColumn column{std::move(name), std::move(unit), std::move(description)};
    for (const Detection& one : list) column.values.push_back(get(one));
    table.columns.push_back(std::move(column));
  };
  const auto shift = static_cast<double>(1 - options.origin);
  const auto add_place = [&](const char* axis, double Source::*place) {
    add(axis, "pix", fmt::format("place along {}, the first pixel is {}", axis, options.origin),
        [&](const Detection& one) { return one.source.*place - shift; });
  };
  const auto add_width = [&](const char* name, const char* description, double Source::*width) {
    add(name, "pix", description, [&](const Detection& one) { return one.source.*width; });
  };
  add_place("x", &Source::x);
  add_place("y", &Source::y);
  if (options.stack) {
    add_place("z", &Source::z);
    add_width("sigma_xy", "standard deviation along x and y", &Source::sigma);
    add_width("sigma_z", "standard deviation along z", &Source::sigma_z);
  } else {
    add_width("sigma", "standard deviation of the profile", &Source::sigma);
  }
  add("flux", "", fmt::format("sum of the light over all {}", options.stack ? "voxels" : "pixels"),
      [](const Detection& one) { return one.source.flux; });
  if (!found) return table;
  add("flux_sd", "", "standard deviation of the flux",
      [](const Detection& one) { return one.flux_sd; });
  add("probability", "", "of presence", [](const Detection& one) { return one.probability; });
  add("snr", "", "flux over its standard deviation", [](const Detection& one) { return one.snr; });
  if (std::isfinite(options.zero_point)) add_magnitudes(table, list, options.zero_point);
  if (options.details.size() == list.size() && !list.empty()) add_details(table, options);
  return table;
}

void write_whole(const std::string& text, const std::string& path) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace

std::vector<Source> read_catalogue(const std::string& path) {
  const Bytes bytes = without_comments(load_bytes(path));
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
                                 ardent::in_quotes(data.labels.names.front())));
  }
  const Index y = column_of(data, "y"), z = column_of(data, "z"), flux = column_of(data, "flux"),
              sigma = std::max(column_of(data, "sigma"), column_of(data, "sigma_xy")),
              sigma_z = column_of(data, "sigma_z");
  if (y < 0) {
    throw InputError(fmt::format("{}: a list of sources needs the columns x and y, and has x, {}",
                                 bytes.name, fmt::join(data.feature_names, ", ")));
  }
  const auto& table = std::get<DenseRows>(data.features);
  std::vector<Source> sources;
  for (Index i = 0; i < data.rows(); ++i) {
    const auto row = table.row(i);
    const auto value = [&](Index column) { return column < 0 ? 1.0 : row[column]; };
    sources.push_back(
        {data.labels.numbers[i], value(y), value(sigma), value(flux), value(z), value(sigma_z)});
  }
  return sources;
}

namespace {

/// Does the name end so, in capitals or not?
bool ends_with(const std::string& path, std::string_view ending) {
  const auto same = [](char a, char b) { return std::tolower(a) == b; };
  return path.size() >= ending.size() &&
         std::equal(ending.begin(), ending.end(), path.end() - std::ssize(ending),
                    [&](char b, char a) { return same(a, b); });
}

void write_list(const std::vector<Detection>& list, const std::string& path,
                const CatalogueOptions& options, bool found) {
  check_catalogue_name(path, options.stack);
  if (ends_with(path, ".reg")) return write_regions(list, path);
  const CatalogueTable table = table_of(list, options, found);
  const bool fits = ends_with(path, ".fits") || ends_with(path, ".fit");
  const bool votable = ends_with(path, ".vot") || ends_with(path, ".xml");
  write_whole(fits                       ? format_fits(table)
              : votable                  ? format_votable(table)
              : ends_with(path, ".ecsv") ? format_ecsv(table)
                                         : format_csv(table),
              path);
}

}  // namespace

void check_catalogue_name(const std::string& path, bool stack) {
  for (const char* ending : {".csv", ".ecsv", ".fits", ".fit", ".vot", ".xml"}) {
    if (ends_with(path, ending)) return;
  }
  if (!stack && ends_with(path, ".reg")) return;
  throw InputError(fmt::format(
      "{}: a catalogue{} is written as .csv, .ecsv, .fits, .fit{} .vot (VOTable){}", path,
      stack ? " of a stack" : "", stack ? " or" : ",", stack ? "" : " or .reg (DS9)"));
}

void write_catalogue(const std::vector<Source>& sources, const std::string& path,
                     const CatalogueOptions& options) {
  std::vector<Detection> list;
  for (const Source& source : sources) list.push_back({source});
  write_list(list, path, options, false);
}

void write_catalogue(const std::vector<Detection>& detections, const std::string& path,
                     const CatalogueOptions& options) {
  write_list(detections, path, options, true);
}

void write_regions(const std::vector<Detection>& detections, const std::string& path) {
  std::string text = "# Region file format: DS9 version 4.1\nglobal color=green\nimage\n";
  for (const Detection& detection : detections) {
    const Source& source = detection.source;
    text += fmt::format("circle({:.4f},{:.4f},{:.4f}) # text={{{:.4g}}}\n", source.x, source.y,
                        2 * source.sigma, source.flux);
  }
  write_whole(text, path);
}

namespace {

void draw_point(double x, double y, Picture& picture) {
  const auto column = static_cast<Index>(std::floor(x)), row = static_cast<Index>(std::floor(y));
  if (column < 0 || row < 0 || column >= picture.width || row >= picture.height) return;
  constexpr std::uint8_t kOrange[3] = {255, 140, 0};  // tells from grey whatever one's eyes
  std::copy(kOrange, kOrange + 3, picture.rgb.data() + 3 * (row * picture.width + column));
}

void draw_circle(double x, double y, double radius, Picture& picture) {
  const auto steps = static_cast<int>(std::ceil(4 * radius));  // in each quadrant: half a pixel
  for (int k = 0; k < steps; ++k) {
    // t = tan(angle/2): the sine and cosine of a quadrant without calling them.
    const double t = static_cast<double>(k) / steps;
    const double co = radius * (1 - t * t) / (1 + t * t), si = radius * 2 * t / (1 + t * t);
    draw_point(x + co, y + si, picture);
    draw_point(x - si, y + co, picture);
    draw_point(x - co, y - si, picture);
    draw_point(x + si, y - co, picture);
  }
}

}  // namespace

Picture overlay(const Image& image, const std::vector<Detection>& detections) {
  constexpr Index kSmallest = 512;  // pixels of the picture's shorter side
  const Index zoom =
      std::max<Index>(1, kSmallest / std::max<Index>(1, std::min(image.width, image.height)));
  Picture picture = picture_of(image, zoom);
  const auto scale = static_cast<double>(zoom);
  for (const Detection& detection : detections) {
    const Source& source = detection.source;
    const double radius = std::max(2 * source.sigma * scale, 2.0);
    const double x = (source.x - 0.5) * scale;
    const double y = static_cast<double>(picture.height) - (source.y - 0.5) * scale;
    draw_circle(x, y, radius, picture);
  }
  return picture;
}

}  // namespace ardent
