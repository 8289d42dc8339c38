// What kind of data a file holds: by its contents, and by its name where they do not decide.
#pragma once

#include <string>
#include <string_view>

#include "ardent/data/bytes.h"

namespace ardent {

enum class DataFormat { libsvm, csv, npy, idx, cache };

/// As the option `format` names it.
std::string_view format_name(DataFormat format);
/// The format that the option names; InputError if it names none.
DataFormat parse_format(std::string_view name);

/// Binary formats by their first bytes. Text is LIBSVM where its first row has entries
/// "index:value", CSV where its first line has commas, semicolons or tabs; where it has neither,
/// the file's name decides (.csv, .tsv: CSV, else LIBSVM). Formats that ardent does not read (NPZ,
/// Parquet, Arrow, HDF5, zstd, …) are an InputError that names them.
DataFormat detect_format(const Bytes& bytes, const std::string& path);

/// Text in which rows can be told apart: nothing that is compressed or of a binary format.
bool is_plain_text(std::string_view start);

/// InputError that names the format, if the bytes are of one that ardent knows and does not read.
void refuse_foreign(const Bytes& bytes);

}  // namespace ardent
