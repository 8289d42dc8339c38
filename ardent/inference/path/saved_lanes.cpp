#include "ardent/inference/path/saved_lanes.h"

#include <vector>

#include "ardent/base/array_pieces.h"

namespace ardent {

void add_point(const std::string& name, const RidgePoint& point, ContainerWriter& file) {
  const double* const a = point.a.data();
  file.add(name + ".a", std::vector<double>(a, a + point.a.size()));
  file.add(name + ".b", std::vector<double>(point.b.begin(), point.b.end()));
}

RidgePoint read_point(const std::string& name, const Design& phi, const Container& file) {
  const std::vector<double> b = file.list<double>(name + ".b");
  const Index lanes = std::ssize(b);
  RidgePoint point{{}, {}, Eigen::Map<const Lanes>(b.data(), lanes)};
  if (lanes == 0) return point;
  ArrayPieces pieces(file);
  const auto a = pieces.take<double>(name + ".a", phi.rows() * lanes);
  pieces.expect_all_taken();
  point.a = Eigen::Map<const RowMatrix>(a.data(), phi.rows(), lanes);
  RowMatrix w;
  phi.multiply_transposed_many(point.a, w);
  phi.multiply_many(w, point.f);
  for (Index l = 0; l < lanes; ++l) point.f.col(l).array() += point.b[l];
  return point;
}

}  // namespace ardent
