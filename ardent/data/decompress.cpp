#include "ardent/data/decompress.h"

#include <bzlib.h>
#include <fmt/format.h>
#include <lzma.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "ardent/base/error.h"
#include "ardent/data/growing_bytes.h"

namespace ardent {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kGzipMagic = "\x1f\x8b\x08"sv;
constexpr std::string_view kXzMagic = "\xfd\x37zXZ\0"sv;
constexpr std::string_view kBzip2Magic = "BZh"sv;

[[noreturn]] void damaged(const std::string& name, const char* format) {
  throw InputError(fmt::format(
      "{}: the {} data are damaged or not complete; fetch or make the file again", name, format));
}

[[noreturn]] void out_of_memory(const std::string& name) {
  throw Error(fmt::format("{}: not enough memory to decompress it", name));
}

/// zlib and bzip2 count input and output in 32 bits: they are fed in pieces.
unsigned piece(std::size_t bytes) {
  return static_cast<unsigned>(std::min<std::size_t>(bytes, std::size_t{1} << 30));
}

/// After one stream: another one, nothing, or zeros that fill up a tape block.
bool another_stream(std::string_view rest, std::string_view magic, const std::string& name,
                    const char* format) {
  if (rest.substr(0, magic.size()) == magic) return true;
  if (rest.find_first_not_of('\0') != rest.npos) damaged(name, format);
  return false;
}

Buffer<char> gunzip(std::string_view stored, const std::string& name) {
  constexpr int kGzipOnly = 16 + MAX_WBITS;
  z_stream stream{};
  if (inflateInit2(&stream, kGzipOnly) != Z_OK) out_of_memory(name);
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, inflateEnd);
  GrowingBytes out(4 * stored.size());
  while (true) {
    const auto room = out.room();
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(stored.data()));
    stream.avail_in = piece(stored.size());
    stream.next_out = reinterpret_cast<Bytef*>(room.data());
    stream.avail_out = piece(room.size());
    const auto offered_in = stream.avail_in;
    const auto offered_out = stream.avail_out;
    const int status = inflate(&stream, Z_NO_FLUSH);
    const auto consumed = offered_in - stream.avail_in;
    const auto produced = offered_out - stream.avail_out;
    stored.remove_prefix(consumed);
    out.add(produced);
    if (status == Z_MEM_ERROR) out_of_memory(name);
    if (status == Z_STREAM_END) {
      if (!another_stream(stored, kGzipMagic, name, "gzip")) return std::move(out).finish();
      inflateReset(&stream);
    } else if (status != Z_OK || consumed + produced == 0) {
      damaged(name, "gzip");
    }
  }
}

Buffer<char> bunzip2(std::string_view stored, const std::string& name) {
  bz_stream stream{};
  const std::unique_ptr<bz_stream, int (*)(bz_stream*)> guard(&stream, BZ2_bzDecompressEnd);
  if (BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK) out_of_memory(name);
  GrowingBytes out(5 * stored.size());
  while (true) {
    const auto room = out.room();
    stream.next_in = const_cast<char*>(stored.data());
    stream.avail_in = piece(stored.size());
    stream.next_out = room.data();
    stream.avail_out = piece(room.size());
    const auto offered_in = stream.avail_in;
    const auto offered_out = stream.avail_out;
    const int status = BZ2_bzDecompress(&stream);
    const auto consumed = offered_in - stream.avail_in;
    const auto produced = offered_out - stream.avail_out;
    stored.remove_prefix(consumed);
    out.add(produced);
    if (status == BZ_MEM_ERROR) out_of_memory(name);
    if (status == BZ_STREAM_END) {
      if (!another_stream(stored, kBzip2Magic, name, "bzip2")) return std::move(out).finish();
      BZ2_bzDecompressEnd(&stream);
      if (BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK) out_of_memory(name);
    } else if (status != BZ_OK || consumed + produced == 0) {
      damaged(name, "bzip2");
    }
  }
}

Buffer<char> unxz(std::string_view stored, const std::string& name) {
  lzma_stream stream = LZMA_STREAM_INIT;
  const std::unique_ptr<lzma_stream, void (*)(lzma_stream*)> guard(&stream, lzma_end);
  constexpr auto kNoLimit = std::numeric_limits<std::uint64_t>::max();
  if (lzma_stream_decoder(&stream, kNoLimit, LZMA_CONCATENATED) != LZMA_OK) out_of_memory(name);
  GrowingBytes out(6 * stored.size());
  stream.next_in = reinterpret_cast<const std::uint8_t*>(stored.data());
  stream.avail_in = stored.size();
  while (true) {
    const auto room = out.room();
    stream.next_out = reinterpret_cast<std::uint8_t*>(room.data());
    stream.avail_out = room.size();
    const lzma_ret status = lzma_code(&stream, LZMA_FINISH);
    out.add(room.size() - stream.avail_out);
    if (status == LZMA_STREAM_END) return std::move(out).finish();
    if (status == LZMA_MEM_ERROR) out_of_memory(name);
    if (status != LZMA_OK) damaged(name, "xz");
  }
}

}  // namespace

std::optional<Compression> compression_of(std::string_view stored) {
  const auto starts = [&](std::string_view magic) {
    return stored.substr(0, magic.size()) == magic;
  };
  if (starts(kGzipMagic)) return Compression::gzip;
  if (starts(kXzMagic)) return Compression::xz;
  // "BZh", the block size as a digit, and the first bytes of pi: "BZh" alone could be a label.
  if (starts(kBzip2Magic) && stored.size() >= 10 &&
      (stored.substr(4, 6) == "1AY&SY" || stored.substr(4, 6) == "\x17\x72\x45\x38\x50\x90"sv)) {
    return Compression::bzip2;
  }
  return std::nullopt;
}

Buffer<char> decompress(std::string_view stored, Compression compression, const std::string& name) {
  switch (compression) {
    case Compression::gzip:
      return gunzip(stored, name);
    case Compression::bzip2:
      return bunzip2(stored, name);
    case Compression::xz:
      return unxz(stored, name);
  }
  damaged(name, "compressed");
}

}  // namespace ardent
