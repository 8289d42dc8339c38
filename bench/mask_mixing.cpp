// How well chains of doubly sparse models mix, before and now, in one run:
//   mask_mixing FILE [noise|regression] [SETTING ...]
// Each SETTING is NAME=VALUE[,NAME=VALUE ...] of the sampler (`old`: that of version 0.1; `new`:
// the default) and gives one JSON line: CPU seconds, R̂ and effective draws of the log likelihood,
// the least effective draws of a feature with a probability in (.05, .95), effective draws per CPU
// second, and the largest difference of an inclusion probability between two seeds. `noise`: values
// are divided by 16 and U(0, 1) noise is added (the digits). Features are standardised, all rows
// are used; one thread.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <exception>
#include <functional>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "ardent/base/parallel.h"
#include "ardent/base/random.h"
#include "ardent/data/reader.h"
#include "ardent/inference/doubly_sparse/summary.h"

namespace {

using namespace ardent;
using namespace ardent::doubly_sparse;

KernelProblem read_problem(const std::string& path, bool noise, bool regression) {
  const Dataset data = read_dataset(path);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const DenseRows dense = to_dense(data.features);
  Matrix x = Eigen::Map<const RowMajor>(dense.values.data(), dense.rows, dense.cols);
  if (noise) {
    Random random(1);
    for (Index i = 0; i < x.rows(); ++i) {
      for (Index k = 0; k < x.cols(); ++k) x(i, k) = x(i, k) / 16 + random.uniform();
    }
  }
  std::vector<Index> varying;
  for (Index k = 0; k < x.cols(); ++k) {
    x.col(k).array() -= x.col(k).mean();
    const double sd = std::sqrt(x.col(k).squaredNorm() / static_cast<double>(x.rows()));
    if (sd > 0) {
      x.col(k) /= sd;
      varying.push_back(k);
    }
  }
  KernelProblem problem;
  problem.rows = x(Eigen::all, varying);
  problem.centres = problem.rows;
  if (regression) {
    problem.likelihood = Likelihood::gaussian;
    problem.t = Eigen::Map<const Vector>(data.labels.numbers.data(), x.rows());
    problem.t.array() -= problem.t.mean();
    problem.t /= std::sqrt(problem.t.squaredNorm() / static_cast<double>(x.rows()));
    return problem;
  }
  const ClassTable classes = make_classes(data.labels);
  const auto codes = encode(data.labels, classes);
  problem.t.resize(x.rows());
  for (Index i = 0; i < x.rows(); ++i) problem.t[i] = codes[i] == classes.positive ? 1 : 0;
  return problem;
}

struct Setting {
  CollapsedOptions sampler;
  ChainOptions chains;
  bool show = false;
  Index seeds = 2;
  double temper = 1;

  void set(const std::string& name, double value) {
    const auto whole = static_cast<Index>(value);
    const std::map<std::string, std::function<void()>> fields{
        {"burn", [&] { chains.burn_in = whole; }},
        {"sweeps", [&] { chains.sweeps = whole; }},
        {"chains", [&] { chains.chains = whole; }},
        {"xi", [&] { sampler.xi = value; }},
        {"sd", [&] { sampler.xi_sd = value; }},
        {"gamma",
         [&] {
           sampler.xi_prior = value != 0 ? ScalePriorKind::gamma : ScalePriorKind::log_normal;
         }},
        {"scale", [&] { sampler.scale_moves = value != 0; }},
        {"refresh", [&] { sampler.refreshes = whole; }},
        {"metro", [&] { sampler.metropolis_flips = value != 0; }},
        {"basis", [&] { sampler.basis_moves = whole; }},
        {"adaptive", [&] { sampler.adaptive_flips = value != 0; }},
        {"swaps", [&] { sampler.feature_swaps = whole; }},
        {"seeds", [&] { seeds = whole; }},
        {"show", [&] { show = value != 0; }},
        {"temper", [&] { temper = value; }},
        {"until", [&] { chains.until_agreement = value != 0; }},
        {"temperingoff", [&] { chains.tempering = value == 0; }},
        {"delta", [&] { sampler.delta_moves = whole; }},
        {"widthsd", [&] { sampler.width_sd = value; }},
        {"rescale", [&] { sampler.rescaled_flips = value != 0; }},
    };
    const auto found = fields.find(name);
    if (found == fields.end()) throw std::runtime_error("no setting " + name);
    found->second();
  }

  explicit Setting(const std::string& text) {
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      const std::string one = text.substr(begin, end - begin);
      const std::size_t equals = one.find('=');
      if (one == "old") {
        for (const char* name : {"scale", "refresh", "metro", "adaptive", "swaps"}) set(name, 0);
        set("gamma", 1);
        set("xi", 1);
      } else if (equals != std::string::npos) {
        set(one.substr(0, equals), std::stod(one.substr(equals + 1)));
      } else if (one != "new") {
        throw std::runtime_error("not NAME=VALUE: " + one);
      }
      begin = end + 1;
    }
  }
};

/// A line for each chain: means of what it passed through, and how often each feature was on.
void show_chains(const ChainsResult& result, Index features) {
  for (const ChainTrace& chain : result.chains) {
    const auto n = static_cast<double>(chain.kept());
    const auto mean = [&](const std::vector<double>& values) {
      return std::accumulate(values.begin(), values.end(), 0.0) / n;
    };
    Vector on = Vector::Zero(features);
    for (const auto& mask : chain.features) {
      for (const auto k : mask) on[k] += 1 / n;
    }
    fmt::print("log likelihood {:.1f}, log delta {:.2f}, flips {:.2f}, exchanges {:.3f}:",
               mean(chain.log_likelihood), mean(chain.log_delta),
               static_cast<double>(chain.feature_flips) / n,
               static_cast<double>(chain.exchanges) / n);
    for (const double share : on) fmt::print(" {:.2f}", share);
    fmt::print("\n");
  }
}

void compare(KernelProblem problem, const std::string& text) {
  Setting setting(text);
  if (setting.temper != 1) problem.weights = Vector::Constant(problem.size(), setting.temper);
  double seconds = 0, effective = 0, r_hat = 0, least = 1e300, difference = 0, xi = 0, level = 0;
  Index sweeps = 0;
  double mean_difference = 0, log_delta = 0, delta = 0, on = 0, basis = 0;
  std::vector<ChainsSummary> found;
  for (const std::uint64_t seed : {1, 2}) {
    if (seed > static_cast<std::uint64_t>(setting.seeds)) {
      found.push_back(found.back());
      continue;
    }
    setting.chains.seed = seed;
    const auto start = std::clock();
    const ChainsResult result = run_chains(problem, setting.sampler, setting.chains);
    seconds += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / 2;
    found.push_back(summarise(result, problem.features(), problem.candidates()));
    if (setting.show) show_chains(result, problem.features());
    effective += found.back().log_likelihood.effective / 2;
    delta += found.back().log_delta.effective / 2;
    log_delta += found.back().log_delta.mean / 2;
    sweeps = found.back().traces.log_likelihood.rows();
    r_hat = std::max(r_hat, found.back().log_likelihood.r_hat);
    xi += found.back().log_xi.mean / 2;
    level += found.back().log_likelihood.mean / 2;
    on += found.back().features_on.mean / 2;
    basis += found.back().basis_on.mean / 2;
    for (const Estimate& e : found.back().features) {
      if (e.mean > 0.05 && e.mean < 0.95) least = std::min(least, e.effective);
    }
  }
  for (Index k = 0; k < problem.features(); ++k) {
    const double d = std::abs(found[0].features[k].mean - found[1].features[k].mean);
    difference = std::max(difference, d);
    mean_difference += d / static_cast<double>(problem.features());
  }
  fmt::print(
      "{{\"setting\": \"{}\", \"seconds\": {:.2f}, \"r_hat\": {:.3f}, \"effective\": {:.0f}, "
      "\"delta_effective\": {:.0f}, "
      "\"feature_effective\": {:.0f}, \"per_second\": {:.2f}, \"feature_per_second\": {:.2f}, "
      "\"difference\": {:.3f}, \"mean_difference\": {:.3f}, \"log_xi\": {:.2f}, "
      "\"log_likelihood\": {:.1f}, \"on\": {:.1f}, \"basis\": {:.1f}, \"flips\": {:.1f}, "
      "\"log_delta\": {:.2f}, \"sweeps\": {}}}\n",
      text, seconds, r_hat, effective, delta, least, effective / seconds, least / seconds,
      difference, mean_difference, xi, level, on, basis, found[0].feature_flips, log_delta, sweeps);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
  const ThreadScope one(1);
  if (argc < 2) {
    fmt::print(stderr, "mask_mixing FILE [noise|regression] [SETTING ...]\n");
    return 2;
  }
  std::vector<std::string> settings(argv + 2, argv + argc);
  const bool noise = !settings.empty() && settings[0] == "noise";
  const bool regression = !settings.empty() && settings[0] == "regression";
  if (noise || regression) settings.erase(settings.begin());
  if (settings.empty()) settings = {"old", "new"};
  const KernelProblem problem = read_problem(argv[1], noise, regression);
  for (const std::string& setting : settings) compare(problem, setting);
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "mask_mixing: {}\n", error.what());
  return 1;
}
