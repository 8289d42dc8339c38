#include <cstring>
#include <vector>

#include "ardent/base/atomic_file.h"
#include "ardent/data/cache.h"
#include "ardent/data/cache_layout.h"

namespace ardent {
namespace {

/// Strings one after the other, and where each starts and the last ends.
struct StringTable {
  explicit StringTable(const std::vector<std::string>& strings) {
    for (const std::string& string : strings) {
      bytes += string;
      offsets.push_back(bytes.size());
    }
  }
  std::vector<std::uint64_t> offsets = {0};
  std::string bytes;
};

/// Writes the sections in their order, each padded to the next multiple of the alignment.
class PartWriter {
 public:
  PartWriter(AtomicFile& file, const CacheHeader& header) : file_(file) {
    write(&header, sizeof header);
  }

  template <class Values>
  void section(const Values& values) {
    write(values.data(), values.size() * sizeof(*values.data()));
  }

 private:
  void write(const void* data, std::size_t bytes) {
    file_.write(data, bytes);
    static constexpr char kZeros[kCacheAlignment] = {};
    file_.write(kZeros, (kCacheAlignment - bytes % kCacheAlignment) % kCacheAlignment);
  }

  AtomicFile& file_;
};

void write_features(PartWriter& writer, const Features& features) {
  if (const auto* dense = std::get_if<DenseRows>(&features)) {
    writer.section(dense->values);
    return;
  }
  const auto& sparse = std::get<SparseRows>(features);
  const auto turned = sparse.transpose ? *sparse.transpose : transposed(sparse);
  for (const SparseRows* rows : {&sparse, &turned}) {
    writer.section(rows->values);
    writer.section(rows->offsets);
    writer.section(rows->columns);
  }
}

}  // namespace

void write_cache(const Dataset& data, const std::string& path) {
  const StringTable label_names(data.labels.names);
  const StringTable feature_names(data.feature_names);
  CacheHeader header;
  std::memcpy(header.magic, kCacheMagic.data(), sizeof header.magic);
  header.sparse = is_sparse(data.features);
  header.rows = static_cast<std::uint64_t>(data.rows());
  header.cols = static_cast<std::uint64_t>(data.cols());
  header.entries = static_cast<std::uint64_t>(stored(data.features));
  header.label_numbers = data.labels.numbers.size();
  header.label_ids = data.labels.ids.size();
  header.label_names = data.labels.names.size();
  header.label_name_bytes = label_names.bytes.size();
  header.feature_names = data.feature_names.size();
  header.feature_name_bytes = feature_names.bytes.size();
  header.label_column_bytes = data.label_name.size();
  header.file_bytes = cache_layout(header).file_bytes;
  header.checksum = cache_checksum(header);

  AtomicFile file(path);
  PartWriter writer(file, header);
  write_features(writer, data.features);
  writer.section(data.labels.numbers);
  writer.section(data.labels.ids);
  writer.section(label_names.offsets);
  writer.section(label_names.bytes);
  writer.section(feature_names.offsets);
  writer.section(feature_names.bytes);
  writer.section(data.label_name);
  file.commit();
}

}  // namespace ardent
