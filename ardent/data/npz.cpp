#include "ardent/data/npz.h"

#include <fmt/format.h>
#include <zlib.h>

#include <limits>
#include <string_view>

#include "ardent/base/atomic_file.h"
#include "ardent/base/error.h"
#include "ardent/data/npy.h"

namespace ardent {
namespace {

/// Little-endian bytes of zip's headers.
class Record {
 public:
  Record& u16(std::uint32_t value) { return put(value, 2); }
  Record& u32(std::uint64_t value) { return put(value, 4); }
  Record& text(std::string_view bytes) {
    bytes_ += bytes;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  Record& put(std::uint64_t value, int count) {
    for (int k = 0; k < count; ++k) bytes_ += static_cast<char>((value >> (8 * k)) & 0xff);
    return *this;
  }
  std::string bytes_;
};

struct Member {
  std::string name;    // "data.npy"
  std::string header;  // of the .npy file
  std::string_view payload;
  std::uint64_t size() const { return header.size() + payload.size(); }
};

template <class T>
Member member(const std::string& name, std::string_view type, std::span<const T> values) {
  return {name + ".npy",
          npy_header(type, fmt::format("({},)", values.size())),
          {reinterpret_cast<const char*>(values.data()), values.size_bytes()}};
}

std::uint32_t checksum(const Member& m) {
  auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(m.header.data()), m.header.size());
  crc = crc32_z(crc, reinterpret_cast<const Bytef*>(m.payload.data()), m.payload.size());
  return static_cast<std::uint32_t>(crc);
}

/// What the local header and the central directory say alike about a member.
std::string described(const Member& m, std::uint32_t crc) {
  constexpr std::uint32_t kFirstOf1980 = 0x21;  // no clock: the same codes give the same bytes
  return Record()
      .u16(20)  // version needed
      .u16(0)   // flags
      .u16(0)   // stored
      .u16(0)
      .u16(kFirstOf1980)
      .u32(crc)
      .u32(m.size())
      .u32(m.size())
      .u16(static_cast<std::uint32_t>(m.name.size()))
      .u16(0)  // no extra field
      .bytes();
}

void write_zip(const std::vector<Member>& members, const std::string& path) {
  std::uint64_t total = 0;
  for (const Member& m : members) total += m.size() + 2 * m.name.size() + 128;
  if (total > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(
        fmt::format("{}: {} bytes of codes exceed the 4 GiB of an NPZ file: code fewer "
                    "signals at a time, or write CSV",
                    path, total));
  }
  AtomicFile file(path);
  Record directory;
  std::uint64_t offset = 0;
  for (const Member& m : members) {
    const std::string about = described(m, checksum(m));
    const std::string local = Record().u32(0x04034b50).text(about).text(m.name).bytes();
    file.write(local);
    file.write(m.header);
    file.write(m.payload);
    directory.u32(0x02014b50).u16(20).text(about);
    directory.u16(0).u16(0).u16(0).u32(0);  // comment, disk, attributes
    directory.u32(offset).text(m.name);
    offset += local.size() + m.size();
  }
  const auto count = static_cast<std::uint32_t>(members.size());
  const auto directory_size = directory.bytes().size();
  file.write(directory.bytes());
  file.write(Record()
                 .u32(0x06054b50)
                 .u16(0)
                 .u16(0)
                 .u16(count)
                 .u16(count)
                 .u32(directory_size)
                 .u32(offset)
                 .u16(0)
                 .bytes());
  file.commit();
}

}  // namespace

void write_sparse_npz(const SparseTable& table, const std::string& path) {
  const std::vector<std::int64_t> shape{table.rows, table.cols};
  const std::vector<Member> members{
      member<std::int64_t>("indices", "<i8", table.columns),
      member<std::int64_t>("indptr", "<i8", table.offsets),
      {"format.npy", npy_header("|S3", "()"), "csr"},
      member<std::int64_t>("shape", "<i8", shape),
      member<double>("data", "<f8", table.values),
  };
  write_zip(members, path);
}

}  // namespace ardent
