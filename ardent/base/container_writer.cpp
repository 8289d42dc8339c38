#include <fmt/format.h>

#include <algorithm>

#include "ardent/base/atomic_file.h"
#include "ardent/base/container.h"
#include "ardent/base/container_header.h"
#include "ardent/base/error.h"

namespace ardent {
namespace {

using container::Array;
using container::kAlignment;
using nlohmann::json;

std::uint64_t missing_to_alignment(std::uint64_t bytes, std::size_t alignment = kAlignment) {
  return (alignment - bytes % alignment) % alignment;
}

/// Those that lead, then by the size of their numbers, with padding before large ones.
std::vector<Array> in_file_order(std::vector<Array> arrays) {
  // Smaller ones are copied when they are read, which costs nothing that one could measure.
  constexpr std::uint64_t kLarge = std::uint64_t{1} << 16;
  std::ranges::stable_sort(arrays, std::ranges::greater{}, [](const Array& a) {
    return a.leads ? ~std::uint64_t{0} : container::element_bytes(a.dtype);
  });
  const bool any_leads = !arrays.empty() && arrays.front().leads;
  std::vector<Array> placed;
  std::uint64_t end = 0;
  int paddings = 0;
  for (Array& array : arrays) {
    const std::uint64_t missing = missing_to_alignment(
        end, array.leads ? container::leading_alignment(array.bytes) : kAlignment);
    const bool aligned = array.leads || (any_leads && placed.back().leads) || array.bytes >= kLarge;
    if (aligned && missing > 0) {
      placed.push_back(
          container::array_of(fmt::format("padding.{}", ++paddings),
                              Buffer<char>::copy_of(std::vector<char>(missing, '\0'))));
      end += missing;
    }
    end += array.bytes;
    placed.push_back(std::move(array));
  }
  return placed;
}

std::string header_of(const std::vector<Array>& arrays, const ContainerFormat& format,
                      const json& about) {
  using namespace container;
  std::string header = fmt::format(
      "{}{:016}{}{}\",\"version\":\"{}\",\"arrays_checksum\":\"{}\",\"about\":{}}}", kHeaderStart,
      0, kBeforeKind, format.kind, format.version, checksum_of(arrays), json(about.dump()).dump());
  std::uint64_t begin = 0;
  for (const Array& array : arrays) {
    const std::uint64_t end = begin + array.bytes;
    header +=
        fmt::format(",\n{}:{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{},{}]}}",
                    json(array.name).dump(), array.dtype, fmt::join(array.shape, ","), begin, end);
    begin = end;
  }
  header += '}';
  header.append(missing_to_alignment(kHeaderAt + header.size()), ' ');
  if (!arrays.empty() && arrays.front().leads) {
    if (header.size() > kLeadingPlace - kHeaderAt) throw Error("a header has no room");
    header.resize(kLeadingPlace - kHeaderAt, ' ');
  }
  header.replace(kChecksumAt, kChecksumDigits, header_checksum(header));
  return header;
}

}  // namespace

void ContainerWriter::add_strings(const std::string& name,
                                  const std::vector<std::string>& strings) {
  std::vector<char> text;
  std::vector<std::uint64_t> ends;
  for (const std::string& s : strings) {
    text.insert(text.end(), s.begin(), s.end());
    ends.push_back(text.size());
  }
  add(name + ".text", text);
  add(name + ".ends", ends);
}

void ContainerWriter::write(const Sink& sink, const ContainerFormat& format) const {
  const std::vector<Array> arrays = in_file_order(arrays_);
  const std::string header = header_of(arrays, format, about);
  const std::uint64_t length = header.size();
  sink(&length, sizeof length);
  sink(header.data(), header.size());
  for (const Array& array : arrays) sink(array.data, array.bytes);
}

void ContainerWriter::save(const std::string& path, const ContainerFormat& format) const {
  AtomicFile file(path);
  save(file, format);
}

void ContainerWriter::save(AtomicFile& file, const ContainerFormat& format) const {
  write([&](const void* data, std::size_t bytes) { file.write(data, bytes); }, format);
  file.commit();
}

std::string ContainerWriter::bytes(const ContainerFormat& format) const {
  std::string all;
  const auto append = [&](const void* data, std::size_t bytes) {
    all.append(static_cast<const char*>(data), bytes);
  };
  write(append, format);
  return all;
}

}  // namespace ardent
