#include "ardent/base/whole_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

#include "ardent/base/error.h"

namespace ardent {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

bool is_text(std::string_view start) {
  return std::ranges::all_of(start, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 || c == '\n' || c == '\r' || c == '\t';
  });
}

/// "label index:value …", as in LIBSVM files.
bool is_libsvm(std::string_view start) {
  const std::string_view line = start.substr(0, start.find('\n'));
  const std::size_t space = line.find(' ');
  const std::size_t colon = line.find(':');
  if (space == line.npos || colon == line.npos || colon < space + 2) return false;
  const std::string_view index = line.substr(space + 1, colon - space - 1);
  return std::ranges::all_of(index, [](char c) { return c >= '0' && c <= '9'; });
}

std::string likeness(std::string_view start) {
  const std::string_view kind = container_kind(start);
  if (kind == "model" || start.starts_with("ARDENTM\n")) return "it is an ardent model";
  if (kind == "cache") return "it is data that ardent convert wrote";
  if (!kind.empty()) return fmt::format("it is an ardent {}", kind);
  if (start.starts_with("ARDENTC\n")) return "it is of an earlier version of ardent";
  if (is_libsvm(start)) return "it looks like LIBSVM data";
  if (is_text(start)) return "it looks like text";
  return fmt::format("it begins with {}", ardent::in_quotes(start.substr(0, 8)));
}

}  // namespace

Buffer<char> read_whole_file(const std::string& path, const ContainerFormat& format) {
  const auto refuse = [&](std::string_view why) {
    throw InputError(fmt::format("cannot read {}: {}", path, why));
  };
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (!file) refuse(std::strerror(errno));
  struct stat status {};
  if (fstat(fileno(file.get()), &status) != 0) refuse(std::strerror(errno));
  if (S_ISDIR(status.st_mode)) refuse("it is a directory");
  if (!S_ISREG(status.st_mode)) refuse("it is not a regular file");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) refuse("the file is empty");

  char start[256];
  const std::string_view found(start, std::fread(start, 1, sizeof start, file.get()));
  const bool earlier = !format.earlier_magic.empty() && (found.starts_with(format.earlier_magic) ||
                                                         format.earlier_magic.starts_with(found));
  if (container_kind(found) != format.kind && !earlier) {
    throw InputError(fmt::format("{}: this is no {} file: {}{}", path, format.kind, likeness(found),
                                 format.remedy));
  }
  auto contents = Buffer<char>::allocate(size);
  const std::size_t head = std::min(found.size(), size);
  std::memcpy(contents.mutable_data(), start, head);
  const std::size_t rest = std::fread(contents.mutable_data() + head, 1, size - head, file.get());
  if (rest != size - head) refuse("it could not be read to its end");
  return contents;
}

}  // namespace ardent
