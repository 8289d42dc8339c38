// What every feature map must do, whatever its basis functions.
#pragma once

#include <gmock/gmock.h>

#include "ardent/base/container.h"
#include "ardent/base/error.h"
#include "ardent/base/index_range.h"
#include "ardent/maps/feature_map.h"
#include "problems/random_matrix.h"

namespace ardent {

/// The map as it is read back from a file that it was saved in.
inline MapPointer read_back(const FeatureMap& map, Index inputs) {
  constexpr ContainerFormat kFormat{.kind = "map", .version = 1};
  ContainerWriter writer;
  map.save(writer);
  const std::string bytes = writer.bytes(kFormat);
  const Container file("map", Buffer<char>::copy_of(bytes), kFormat);
  return find_map(map.name())->load(file, map.origin(), inputs);
}

/// `map` was built of `scaled`, whose rows are all distinct, with that many columns.
inline void expect_map(const FeatureMap& map, const Features& scaled) {
  const Index inputs = cols(scaled);
  EXPECT_NO_THROW(map.check(inputs));
  EXPECT_THROW(map.check(inputs - 1), InputError);
  const Matrix phi = map.values(scaled);
  ASSERT_EQ(phi.cols(), map.size());
  const std::vector<Index> all = index_range(0, map.size());
  EXPECT_EQ(map.design(scaled)->columns(all), phi);

  // A problem of some rows: its design is phi of those rows and of its candidates.
  const std::vector<Index> some{1, 4, 5, 9};
  const std::vector<Index> columns = map.candidates(some);
  const Matrix expected = phi(some, columns);
  const auto design = map.training_design(scaled, some);
  const Matrix found = design->columns(index_range(0, design->cols()));
  ASSERT_EQ(found.cols(), expected.cols());
  EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-13);

  // Saved and read back, it is the same map to the bit.
  EXPECT_EQ(read_back(map, inputs)->values(scaled), phi);
  EXPECT_EQ(read_back(map, inputs)->origin(), map.origin());
}

/// Of a map that is not linear: restricted to some basis functions it gives their columns of phi.
inline void expect_restricted(const FeatureMap& map, const Features& scaled) {
  const std::vector<Index> kept{0, 2, 3};
  const MapPointer few = map.restricted(kept);
  EXPECT_EQ(few->name(), map.name());
  EXPECT_EQ(few->parameters(), map.parameters());
  EXPECT_EQ(few->origin(), (std::vector<Index>{map.origin()[0], map.origin()[2], map.origin()[3]}));
  const Matrix expected = map.values(scaled)(Eigen::all, kept);
  EXPECT_LT((few->values(scaled) - expected).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_EQ(map.restricted({})->values(scaled).cols(), 0);
}

}  // namespace ardent
