// What kind of data a file holds: by its contents, and by its name where they do not decide.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ardent/data/bytes.h"

namespace ardent {

struct Dataset;
struct ReadOptions;

/// One format. A new one is its parser in two files of its own and a line in reader.cpp.
struct DataFormat {
  std::string_view name;  // as the option `format` has it
  Dataset (*read)(const Bytes& bytes, const std::string& path, const ReadOptions& options);
  bool (*has_magic)(std::string_view contents) = nullptr;  // binary: by the first bytes
  bool (*first_row)(std::string_view line) = nullptr;      // text: by its first row
  std::span<const std::string_view> suffixes = {};         // where contents do not decide
  bool labels_apart = false;                               // they are in a file of their own
  bool may_widen = false;                                  // to more columns, which hold zeros
};

/// All of them (reader.cpp); what nothing else decides is of the first.
std::span<const DataFormat> all_formats();
/// The names for the option `format`, auto among them; `labels_apart`: only of such formats.
std::vector<std::string> format_names(bool labels_apart = false);
inline std::string_view format_name(const DataFormat& format) {
  return format.name;
}
/// The format that the option names; InputError if it names none.
const DataFormat& parse_format(std::string_view name);

/// "label index:value …": the second word is a whole number, a colon and more.
bool is_libsvm_row(std::string_view line);
/// Has commas, semicolons or tabs.
bool is_csv_row(std::string_view line);

/// Binary formats by their first bytes. Text is LIBSVM where its first row has entries
/// "index:value", CSV where its first line has commas, semicolons or tabs; where it has neither,
/// the file's name decides (.csv, .tsv: CSV, else LIBSVM). Formats that ardent does not read (NPZ,
/// Parquet, Arrow, HDF5, zstd, …) are an InputError that names them.
const DataFormat& detect_format(const Bytes& bytes, const std::string& path);

/// Text in which rows can be distinguished: nothing that is compressed or of a binary format.
bool is_plain_text(std::string_view start);

/// InputError that names the format, if the bytes are of one that ardent knows and does not read.
void refuse_foreign(const Bytes& bytes);

}  // namespace ardent
