// Large linear fits by the engine diagonal, on the processor or a card: planted text-like classes
// made in memory (ardent synth), fitted; JSON on the standard output.
//
//   linear ROWS COLUMNS NONZEROS cpu|cuda [STAGES [REPEATS [FOLDER]]]
//
// STAGES 0: until it converges, 100 at most. FOLDER: where the rows are left for peers, as raw
// arrays (offsets u64, columns u32, values f32, labels f32).
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "ardent/base/error.h"
#include "ardent/cuda/accelerator_for.h"
#include "ardent/data/synth.h"
#include "ardent/design/sparse.h"
#include "ardent/inference/engines/diagonal.h"

namespace {

using namespace ardent;

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <class T>
void leave(const std::string& path, std::span<const T> values) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size_bytes()));
}

void leave_rows(const std::string& folder, const SparseRows& rows, const Vector& t) {
  leave(folder + "/offsets", rows.offsets.span());
  leave(folder + "/columns", rows.columns.span());
  leave(folder + "/values", rows.values.span());
  const std::vector<float> labels(t.begin(), t.end());
  leave<float>(folder + "/labels", labels);
}

Vector zeros_and_ones(const Labels& labels) {
  Vector t(std::ssize(labels.numbers));
  for (Index i = 0; i < t.size(); ++i) t[i] = labels.numbers[i] > 0 ? 1 : 0;
  return t;
}

/// How often weights and bias are right, of these rows.
double accuracy(const SparseDesign& phi, const Vector& t, const Posterior& posterior) {
  Vector w = Vector::Zero(phi.cols()), f;
  w(posterior.active) = posterior.mean;
  phi.multiply(w, f);
  Index right = 0;
  for (Index i = 0; i < t.size(); ++i) right += (f[i] + posterior.bias > 0) == (t[i] > 0.5) ? 1 : 0;
  return static_cast<double>(right) / static_cast<double>(t.size());
}

void run(const std::vector<std::string>& words) {
  SynthOptions synth{.rows = std::stoll(words[0]),
                     .columns = std::stoll(words[1]),
                     .nonzeros = std::stoll(words[2])};
  const bool on_card = words[3] == "cuda";
  const Index stages = words.size() > 4 ? std::stoll(words[4]) : 0;
  const Index repeats = words.size() > 5 ? std::stoll(words[5]) : 1;
  const auto accelerator = accelerator_for(on_card ? Device::cuda : Device::cpu);
  Synth made;
  const double making = seconds_of([&] { made = make_synth(synth); });
  const auto rows = std::get<SparseRows>(made.data.features);
  const Target target{Likelihood::bernoulli, zeros_and_ones(made.data.labels), {}};
  if (words.size() > 6) leave_rows(words[6], rows, target.t);
  const SparseDesign phi(rows);
  std::vector<double> seconds;
  Fit fit;
  for (Index repeat = 0; repeat < repeats; ++repeat) {
    seconds.push_back(seconds_of([&] {
      fit = fit_diagonal(phi, target, {.max_stages = stages, .accelerator = accelerator});
    }));
  }
  std::ranges::sort(seconds);
  Index steps = 0;
  for (const Stage& stage : fit.report.stages) steps += stage.newton_steps;
  fmt::print(
      "{{\"device\": \"{}\", \"rows\": {}, \"columns\": {}, \"nonzeros\": {}, \"synth_seconds\": "
      "{:.3f}, \"seconds\": [{:.4f}], \"median\": {:.4f}, \"stages\": {}, \"newton_steps\": {}, "
      "\"passes\": {}, \"values_read\": {:.0f}, \"active\": {}, \"log_evidence\": {:.6f}, "
      "\"accuracy\": {:.6f}, "
      "\"bayes_accuracy\": {:.4f}, \"converged\": {}}}\n",
      on_card ? accelerator->name() : "cpu", phi.rows(), phi.cols(), phi.nonzeros(), making,
      fmt::join(seconds, ", "), seconds[seconds.size() / 2], fit.report.stages.size(), steps,
      fit.report.passes.count, fit.report.passes.values, fit.posterior.active.size(),
      fit.posterior.log_evidence, accuracy(phi, target.t, fit.posterior), made.bayes_accuracy,
      fit.report.status == Status::converged);
}

}  // namespace

int main(int count, char** words) {
  if (count < 5) {
    fmt::print(stderr,
               "usage: linear ROWS COLUMNS NONZEROS cpu|cuda [STAGES [REPEATS [FOLDER]]]\n");
    return 2;
  }
  try {
    run({words + 1, words + count});
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
