#include "ardent/model/draws_file.h"

#include "ardent/model/array_pieces.h"

namespace ardent {
namespace {

template <class T, class Values>
void append(std::vector<T>& to, const Values& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

void add_draws(ArrayFileWriter& file, const std::vector<Part>& parts) {
  std::vector<Index> counts, inputs, centres;
  std::vector<double> weights, scalars, inclusion;
  for (const Part& part : parts) {
    counts.push_back(static_cast<Index>(part.draws.size()));
    append(inclusion, part.inclusion);
    for (const KernelDraw& draw : part.draws) {
      counts.push_back(static_cast<Index>(draw.inputs.size()));
      counts.push_back(static_cast<Index>(draw.centres.size()));
      append(inputs, draw.inputs);
      append(centres, draw.centres);
      append(weights, draw.weights);
      scalars.insert(scalars.end(), {draw.bias, draw.delta, draw.noise_variance});
    }
  }
  file.add("draws.counts", counts);
  file.add("draws.inputs", inputs);
  file.add("draws.centres", centres);
  file.add("draws.weights", weights);
  file.add("draws.scalars", scalars);
  file.add("draws.inclusion", inclusion);
}

void read_draws(const ArrayFile& file, std::vector<Part>& parts) {
  ArrayPieces<Index> counts(file, "draws.counts"), inputs(file, "draws.inputs"),
      centres(file, "draws.centres");
  ArrayPieces<double> weights(file, "draws.weights"), scalars(file, "draws.scalars"),
      inclusion(file, "draws.inclusion");
  const Index each = parts.empty() ? 0 : inclusion.left() / static_cast<Index>(parts.size());
  for (Part& part : parts) {
    const auto probabilities = inclusion.take(each);
    part.inclusion.assign(probabilities.begin(), probabilities.end());
    const Index draws = counts.take(1)[0];
    for (Index d = 0; d < draws; ++d) {
      const auto sizes = counts.take(2);
      KernelDraw draw;
      const auto on = inputs.take(sizes[0]), used = centres.take(sizes[1]);
      draw.inputs.assign(on.begin(), on.end());
      draw.centres.assign(used.begin(), used.end());
      draw.weights = Eigen::Map<const Vector>(weights.take(sizes[1]).data(), sizes[1]);
      const auto numbers = scalars.take(3);
      draw.bias = numbers[0];
      draw.delta = numbers[1];
      draw.noise_variance = numbers[2];
      part.draws.push_back(std::move(draw));
    }
  }
  const Index left = counts.left() + inputs.left() + centres.left() + weights.left() +
                     scalars.left() + inclusion.left();
  if (left != 0) file.refuse("its draws are shorter than their arrays");
}

}  // namespace ardent
