#include "ardent/estimators/data_checksum.h"

#include <fmt/format.h>

#include "ardent/base/checksum.h"

namespace ardent {
std::string data_checksum(const Dataset& data) {
  Checksum checksum;
  if (const auto* dense = std::get_if<DenseRows>(&data.features)) {
    checksum.add_all(dense->values);
  } else {
    const auto& sparse = std::get<SparseRows>(data.features);
    checksum.add_all(sparse.offsets);
    checksum.add_all(sparse.columns);
    checksum.add_all(sparse.values);
  }
  checksum.add_all(data.labels.numbers);
  checksum.add_all(data.labels.ids);
  for (const std::string& name : data.labels.names) checksum.add_all(name);
  checksum.add_all(data.weights);
  return fmt::format("{:016x}", checksum.value());
}

}  // namespace ardent
