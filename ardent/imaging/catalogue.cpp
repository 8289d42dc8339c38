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

std::string fields(const Source& source) {
  return fmt::format("{},{},{},{}", source.x, source.y, source.sigma, source.flux);
}

std::string fields(const Bead& bead) {
  return fmt::format("{},{},{},{},{},{}", bead.x, bead.y, bead.z, bead.sigma_xy, bead.sigma_z,
                     bead.flux);
}

void write_whole(const std::string& text, const std::string& path) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
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
                                 ardent::in_quotes(data.labels.names.front())));
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
    const auto value = [&](Index column) { return column < 0 ? 1.0 : row[column]; };
    sources.push_back({data.labels.numbers[i], value(y), value(sigma), value(flux)});
  }
  return sources;
}

void write_catalogue(const std::vector<Source>& sources, const std::string& path) {
  std::string text = "x,y,sigma,flux\n";
  for (const Source& source : sources) text += fields(source) + "\n";
  write_whole(text, path);
}

void write_catalogue(const std::vector<Detection>& detections, const std::string& path) {
  std::string text = "x,y,sigma,flux,flux_sd,probability,snr\n";
  for (const Detection& detection : detections) {
    text += fmt::format("{},{},{},{}\n", fields(detection.source), detection.flux_sd,
                        detection.probability, detection.snr);
  }
  write_whole(text, path);
}

void write_catalogue(const std::vector<Bead>& beads, const std::string& path) {
  std::string text = "x,y,z,sigma_xy,sigma_z,flux\n";
  for (const Bead& bead : beads) text += fields(bead) + "\n";
  write_whole(text, path);
}

void write_catalogue(const std::vector<BeadDetection>& detections, const std::string& path) {
  std::string text = "x,y,z,sigma_xy,sigma_z,flux,flux_sd,probability,snr\n";
  for (const BeadDetection& found : detections) {
    text += fmt::format("{},{},{},{}\n", fields(found.bead), found.flux_sd, found.probability,
                        found.snr);
  }
  write_whole(text, path);
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
