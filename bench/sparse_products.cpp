// The hot loops of the large engines against this machine's floor:
//   sparse_products [ROWS] [COLUMNS] [NONZEROS A ROW]      (200000 3200000 115)
//
// On planted data, Phi w walks the rows and gathers w; Phiᵀ r walks the transpose and gathers r.
// The floor of each is the least that any such loop must do, written without structure: one pass
// that gathers from the same indices and multiplies by the values (`gather`), and one that only
// reads both arrays (`stream`). Threads as given to both; medians of 9. Prints a table, and the
// same as JSON on the last line.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <vector>

#include "ardent/base/parallel.h"
#include "ardent/data/synth.h"
#include "ardent/maps/linear.h"

namespace {

using namespace ardent;

template <class Work>
double median_seconds(const Work& work) {
  std::vector<double> seconds;
  for (int round = 0; round < 9; ++round) {
    const auto start = std::chrono::steady_clock::now();
    work();
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::nth_element(seconds.begin(), seconds.begin() + 4, seconds.end());
  return seconds[4];
}

constexpr Index kBlock = Index{1} << 18;

/// Four independent sums, so that the loop waits for memory and not for an addition.
double gather(const SparseRows& matrix, const Vector& from) {
  return parallel_sum(matrix.nonzeros(), kBlock, [&](Index begin, Index end) {
    double sum[4] = {0, 0, 0, 0};
    Index e = begin;
    for (; e + 4 <= end; e += 4) {
      for (Index u = 0; u < 4; ++u) {
        const auto at = static_cast<std::size_t>(e + u);
        sum[u] += from[matrix.columns[at]] * static_cast<double>(matrix.values[at]);
      }
    }
    return sum[0] + sum[1] + sum[2] + sum[3];
  });
}

double stream(const SparseRows& matrix) {
  return parallel_sum(matrix.nonzeros(), kBlock, [&](Index begin, Index end) {
    float values = 0;
    std::uint32_t columns = 0;
    for (auto e = static_cast<std::size_t>(begin); e < static_cast<std::size_t>(end); ++e) {
      columns ^= matrix.columns[e];
      values = std::max(values, matrix.values[e]);
    }
    return static_cast<double>(values) + columns;
  });
}

}  // namespace

int main(int argc, char** argv) try {
  SynthOptions options{.rows = 200000, .columns = 3200000, .nonzeros = 115};
  if (argc > 1) options.rows = std::atol(argv[1]);
  if (argc > 2) options.columns = std::atol(argv[2]);
  if (argc > 3) options.nonzeros = std::atol(argv[3]);
  const Synth synth = make_synth(options);
  const auto& rows = std::get<SparseRows>(synth.data.features);
  const SparseRows columns = transposed(rows);
  const auto design = linear_design(synth.data.features);
  const Vector w = Vector::Random(rows.cols), r = Vector::Random(rows.rows);
  Vector out;
  double kept = 0;  // what the floor loops return must be used
  fmt::print("{} x {}, {} non-zeros; milliseconds\n", rows.rows, rows.cols, rows.nonzeros());
  fmt::print("{:8} {:>8} {:>10} {:>8} {:>8} {:>8}\n", "product", "threads", "ours", "gather",
             "stream", "ratio");
  std::string json;
  for (const int threads : {1, 2}) {
    const ThreadScope scope(threads);
    const auto report = [&](const char* name, const SparseRows& walked, const Vector& from,
                            double ours) {
      const double gathered = median_seconds([&] { kept += gather(walked, from); });
      const double streamed = median_seconds([&] { kept += stream(walked); });
      const double ratio = ours / std::max(gathered, streamed);
      fmt::print("{:8} {:8} {:10.1f} {:8.1f} {:8.1f} {:8.2f}\n", name, threads, 1e3 * ours,
                 1e3 * gathered, 1e3 * streamed, ratio);
      json += fmt::format(
          "{}{{\"product\": \"{}\", \"threads\": {}, \"seconds\": {}, \"gather\": "
          "{}, \"stream\": {}, \"ratio\": {}}}",
          json.empty() ? "" : ", ", name, threads, ours, gathered, streamed, ratio);
    };
    report("Phi w", rows, w, median_seconds([&] { design->multiply(w, out); }));
    report("Phi^T r", columns, r, median_seconds([&] { design->multiply_transposed(r, out); }));
  }
  if (kept == 0.5) fmt::print(" \n");
  fmt::print("[{}]\n", json);
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "sparse_products: {}\n", error.what());
  return 1;
}
