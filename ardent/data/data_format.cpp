#include "ardent/data/data_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ardent/base/container.h"
#include "ardent/base/error.h"
#include "ardent/data/decompress.h"
#include "ardent/data/number.h"

namespace ardent {
namespace {

using namespace std::string_view_literals;

struct Foreign {
  std::string_view magic;
  std::string_view what;
  std::string_view way_out;
};

constexpr std::string_view kAsCsv = "write the table as CSV";
constexpr std::array kForeign{
    Foreign{"PAR1\x15"sv, "Parquet", kAsCsv},
    Foreign{"ARROW1\0"sv, "Arrow (Feather)", kAsCsv},
    Foreign{"\xff\xff\xff\xff"sv, "an Arrow stream", kAsCsv},
    Foreign{"FEA1\0"sv, "Feather", kAsCsv},
    Foreign{"\x28\xb5\x2f\xfd"sv, "zstd data", "decompress it first: zstd -d, or zstdcat | ardent"},
    Foreign{"\x04\x22\x4d\x18"sv, "lz4 data", "decompress it first: lz4 -d"},
    Foreign{"7z\xbc\xaf\x27\x1c"sv, "a 7z archive", "unpack it first"},
    Foreign{"\x89HDF\r\n\x1a\n"sv, "HDF5", "write the array as NPY, or the table as CSV"},
    Foreign{"MATLAB 5.0 MAT-file", "a MATLAB file", "write the array as NPY, or the table as CSV"},
    Foreign{"SQLite format 3"sv, "an SQLite database", kAsCsv},
    Foreign{"SIMPLE  ="sv, "a FITS image", "ardent locate and denoise read those"},
    Foreign{"\x89PNG"sv, "a PNG image", "ardent locate and denoise read those"},
    Foreign{"ARDENTM\n"sv, "an ardent model", "data were expected here"},
    Foreign{"\xff\xfe"sv, "UTF-16 text", "save it as UTF-8"},
    Foreign{"\xfe\xff"sv, "UTF-16 text", "save it as UTF-8"},
    Foreign{"\x80\x02"sv, "a Python pickle", "write the array as NPY, or the table as CSV"},
    Foreign{"\x80\x03"sv, "a Python pickle", "write the array as NPY, or the table as CSV"},
    Foreign{"\x80\x04"sv, "a Python pickle", "write the array as NPY, or the table as CSV"},
    Foreign{"\x80\x05"sv, "a Python pickle", "write the array as NPY, or the table as CSV"},
    Foreign{"@relation", "an ARFF file", kAsCsv},
    Foreign{"@RELATION", "an ARFF file", kAsCsv},
};

[[noreturn]] void refuse(const Bytes& bytes, std::string_view what, std::string_view way_out) {
  throw InputError(
      fmt::format("{}: this is {}, which ardent does not read: {}", bytes.name, what, way_out));
}

/// Zip archives are distinguished by the name of their first file, which stands at byte 30.
void refuse_zip(const Bytes& bytes) {
  const std::string_view start = bytes.text().substr(0, 300);
  if (!start.starts_with("PK\x03\x04")) return;
  if (start.find(".npy") != start.npos) {
    refuse(bytes, "an NPZ archive", "save one array with numpy.save (NPY)");
  }
  if (start.find("[Content_Types].xml") != start.npos || start.find("xl/") != start.npos) {
    refuse(bytes, "an Excel workbook", kAsCsv);
  }
  refuse(bytes, "a zip archive", "unpack it first");
}

/// The file's name in lower case without what compression adds to it.
std::string plain_name(const std::string& path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
  for (const std::string_view suffix : {".gz", ".xz", ".bz2"}) {
    if (name.ends_with(suffix)) return name.substr(0, name.size() - suffix.size());
  }
  return name;
}

/// The first line with something on it that is no LIBSVM comment.
std::string_view first_line(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") != line.npos && line.front() != '#') return line;
  }
  return "";
}

bool has_suffix(const DataFormat& format, const std::string& name) {
  return std::ranges::any_of(format.suffixes, [&](auto suffix) { return name.ends_with(suffix); });
}

}  // namespace

std::vector<std::string> format_names(bool labels_apart) {
  std::vector<std::string> names{"auto"};
  for (const DataFormat& format : all_formats()) {
    if (!labels_apart || format.labels_apart) names.emplace_back(format.name);
  }
  return names;
}

const DataFormat& parse_format(std::string_view name) {
  const auto found = std::ranges::find(all_formats(), name, &DataFormat::name);
  if (found != all_formats().end()) return *found;
  const std::vector<std::string> names = format_names();
  throw InputError(fmt::format("format must be {} or {}, not {}",
                               fmt::join(std::span(names).first(names.size() - 1), ", "),
                               names.back(), in_quotes(name)));
}

bool is_libsvm_row(std::string_view line) {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t after_label = line.find_first_of(kBlanks);
  if (after_label == line.npos) return false;
  const std::size_t begin = line.find_first_not_of(kBlanks, after_label);
  if (begin == line.npos) return false;
  const std::string_view word = line.substr(begin, line.find_first_of(kBlanks, begin) - begin);
  const std::size_t colon = word.find(':');
  if (colon == word.npos || colon == 0) return false;
  const std::string_view index = word.substr(0, colon);
  if (word.find_first_of(",;") != word.npos) return false;  // "time 12:30,y" names columns
  return index == "qid" || std::ranges::all_of(index, is_digit);
}

bool is_csv_row(std::string_view line) {
  return line.find_first_of(",;\t") != line.npos;
}

void refuse_foreign(const Bytes& bytes) {
  for (const Foreign& format : kForeign) {
    if (bytes.text().starts_with(format.magic)) refuse(bytes, format.what, format.way_out);
  }
  const std::string_view kind = container_kind(bytes.text());
  if (!kind.empty()) refuse(bytes, fmt::format("an ardent {}", kind), "data were expected here");
  refuse_zip(bytes);
}

bool is_plain_text(std::string_view start) {
  return !compression_of(start) &&
         std::ranges::none_of(all_formats(), [&](const DataFormat& format) {
           return format.has_magic && format.has_magic(start);
         });
}

const DataFormat& detect_format(const Bytes& bytes, const std::string& path) {
  const std::string_view contents = bytes.text();
  for (const DataFormat& format : all_formats()) {
    if (format.has_magic && format.has_magic(contents)) return format;
  }
  refuse_foreign(bytes);
  const std::string name = plain_name(path);
  for (const DataFormat& format : all_formats()) {
    if (format.has_magic && has_suffix(format, name)) return format;
  }
  const std::string_view line = first_line(contents);
  for (const DataFormat& format : all_formats()) {
    if (format.first_row && format.first_row(line)) return format;
  }
  for (const DataFormat& format : all_formats()) {
    if (has_suffix(format, name)) return format;
  }
  return all_formats().front();
}

}  // namespace ardent
