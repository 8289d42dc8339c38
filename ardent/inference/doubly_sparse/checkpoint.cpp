#include "ardent/inference/doubly_sparse/checkpoint.h"

#include <fmt/format.h>

#include <bit>
#include <filesystem>
#include <map>
#include <type_traits>
#include <utility>

#include "ardent/base/array_pieces.h"
#include "ardent/base/checksum.h"
#include "ardent/base/error.h"
#include "ardent/base/whole_file.h"
#include "ardent/inference/doubly_sparse/checkpoint_of_version_0_1.h"
#include "ardent/inference/doubly_sparse/trace_layout.h"

namespace ardent::doubly_sparse {
namespace {

constexpr ContainerFormat kCheckpointFormat{
    .kind = "checkpoint",
    .version = 2,
    .earlier_magic = kEarlierCheckpointMagic,
    .remedy = ": give the options of that run, or remove the file to start again"};

/// Both directions in one description of the layout: a number or a list is put at the end of the
/// array of its name, or taken from its beginning. Lists have their sizes in NAME.sizes.
class TraceWriter {
 public:
  void field(const char* name, Index value) { integers_[name].push_back(value); }
  void field(const char* name, double value) { numbers_[name].push_back(value); }
  void list(const char* name, const std::vector<Index>& values) { put(integers_, name, values); }
  void list(const char* name, const std::vector<double>& values) { put(numbers_, name, values); }
  void list(const char* name, const std::vector<std::uint8_t>& values) { put(bits_, name, values); }
  void list(const char* name, const std::vector<std::uint32_t>& values) {
    put(indices_, name, values);
  }
  void list(const char* name, const Vector& values) { put(numbers_, name, values); }
  template <class T, class Each>
  void each(const char* name, const std::vector<T>& values, Each&& put_one) {
    field(name, std::ssize(values));
    for (const T& value : values) put_one(*this, value);
  }

  ContainerWriter file() const {
    ContainerWriter file;
    for (const auto& [name, values] : numbers_) file.add(name, values);
    for (const auto& [name, values] : integers_) file.add(name, values);
    for (const auto& [name, values] : indices_) file.add(name, values);
    for (const auto& [name, values] : bits_) file.add(name, values);
    return file;
  }

 private:
  template <class T>
  using Arrays = std::map<std::string, std::vector<T>>;

  template <class T, class Values>
  void put(Arrays<T>& arrays, const char* name, const Values& values) {
    append(arrays[name], values);
    integers_[std::string(name) + ".sizes"].push_back(std::ssize(values));
  }

  Arrays<double> numbers_;
  Arrays<Index> integers_;
  Arrays<std::uint32_t> indices_;
  Arrays<std::uint8_t> bits_;
};

class TraceReader {
 public:
  explicit TraceReader(const Container& file) : file_(file), pieces_(file) {}
  void expect_all_taken() const { pieces_.expect_all_taken(); }

  template <class T>
  void field(const char* name, T& value) {
    value = pieces_.take<T>(name, 1)[0];
  }
  template <class T>
  void list(const char* name, std::vector<T>& values) {
    values = pieces_.take_list<T>(name, size_of(name));
  }
  void list(const char* name, Vector& values) { values = pieces_.take_vector(name, size_of(name)); }
  void list_if_there(const char* name, Vector& values) {
    if (file_.has(std::string(name) + ".sizes")) list(name, values);
  }
  /// Each value takes a piece of some array: no count makes more of them than the file holds.
  template <class T, class Each>
  void each(const char* name, std::vector<T>& values, Each&& get_one) {
    Index count = 0;
    field(name, count);
    for (Index i = 0; i < count; ++i) get_one(*this, values.emplace_back());
  }

 private:
  Index size_of(const char* name) {
    return pieces_.take<Index>(std::string(name) + ".sizes", 1)[0];
  }

  const Container& file_;
  ArrayPieces pieces_;
};

/// A state that a sweep of this problem could have left.
bool fits(const KernelState& state, const KernelProblem& problem) {
  if (std::ssize(state.features) != problem.features()) return false;
  if (state.alpha.size() != state.basis_on()) return false;
  if (state.scales.size() != 0 && state.scales.size() != problem.features()) return false;
  for (const Index c : state.basis) {
    if (c < 0 || c >= problem.candidates()) return false;
  }
  return true;
}

bool fits(const ChainTrace& trace, const KernelProblem& problem) {
  if (trace.done == 0) return true;
  if (!fits(trace.state, problem)) return false;
  if (!trace.inclusion.empty() && std::ssize(trace.inclusion) != problem.features()) return false;
  const auto kept = static_cast<std::size_t>(trace.kept());
  if (trace.log_delta.size() != kept || trace.features.size() != kept ||
      trace.basis.size() != kept || trace.xi.size() != kept ||
      trace.noise_variance.size() != kept) {
    return false;
  }
  for (const Rung& rung : trace.hot) {
    if (!fits(rung.state, problem)) return false;
    if (!rung.inclusion.empty() && std::ssize(rung.inclusion) != problem.features()) return false;
  }
  for (const KernelState& draw : trace.draws) {
    if (!fits(draw, problem)) return false;
  }
  return true;
}

/// All that decides the chains' course beside the numbers of the problem.
template <class Add>
void add_settings(const KernelProblem& problem, const CollapsedOptions& sampler,
                  const ChainOptions& options, Add&& add) {
  add(problem.likelihood);
  add(sampler.prior);
  for (const double value :
       {sampler.feature_a, sampler.basis_a, sampler.delta, sampler.delta_sd, sampler.xi}) {
    add(value);
  }
  for (const bool value :
       {sampler.select_features, sampler.bias, sampler.sample_delta, sampler.sample_xi}) {
    add(value);
  }
  for (const Index value : {sampler.basis_moves, sampler.delta_moves, options.chains,
                            options.burn_in, options.sweeps, options.draws, options.burn_in_rows}) {
    add(value);
  }
  add(options.seed);
  if (options.until_agreement) add(options.until_agreement);
  // Nothing is added for the sampler of version 0.1, so that its checkpoints are known.
  if (sampler.xi_prior == ScalePriorKind::gamma && !sampler.scale_moves && sampler.refreshes == 0 &&
      !sampler.metropolis_flips && !sampler.adaptive_flips && sampler.feature_swaps == 0 &&
      sampler.width_sd == 0) {
    return;
  }
  if (sampler.width_sd > 0) add(sampler.width_sd);
  if (sampler.rescaled_flips) add(sampler.rescaled_flips);
  add(sampler.adaptive_flips);
  add(sampler.feature_swaps);
  if (options.until_agreement) add(options.tempering);
  add(sampler.xi_prior);
  add(sampler.xi_sd);
  add(sampler.refreshes);
  for (const bool value : {sampler.scale_moves, sampler.metropolis_flips}) add(value);
}

std::uint64_t old_fingerprint(const KernelProblem& problem, const CollapsedOptions& sampler,
                              const ChainOptions& options) {
  OldHash hash;
  hash.add_matrix(problem.rows);
  hash.add_matrix(problem.centres);
  hash.add_matrix(problem.t);
  add_settings(problem, sampler, options, [&](const auto& value) { hash.add_value(value); });
  return hash.value();
}

template <class Reader>
std::vector<ChainTrace> read_chains(Reader& reader, Index count, bool adaptive) {
  std::vector<ChainTrace> traces(count);
  for (ChainTrace& trace : traces) transfer(reader, trace, adaptive);
  reader.expect_all_taken();
  return traces;
}

}  // namespace

std::uint64_t fingerprint(const KernelProblem& problem, const CollapsedOptions& sampler,
                          const ChainOptions& options) {
  Checksum sum;
  sum.add(static_cast<std::uint64_t>(problem.rows.rows()));
  sum.add_all(problem.rows);
  sum.add_all(problem.centres);
  sum.add_all(problem.t);
  if (problem.weights.size() > 0) sum.add_all(problem.weights);
  add_settings(problem, sampler, options, [&](auto value) {
    if constexpr (std::is_same_v<decltype(value), double>) {
      sum.add(std::bit_cast<std::uint64_t>(value));
    } else {
      sum.add(static_cast<std::uint64_t>(value));
    }
  });
  return sum.value();
}

void Checkpoint::refuse(const std::string& why) const {
  throw InputError(fmt::format("the checkpoint {} {}{}", path_, why, kCheckpointFormat.remedy));
}

void Checkpoint::save(const std::vector<ChainTrace>& chains) const {
  TraceWriter writer;
  for (const ChainTrace& trace : chains) transfer(writer, trace, adaptive_);
  ContainerWriter file = writer.file();
  file.about = {{"run", fmt::format("{:016x}", fingerprint_)}, {"chains", chains.size()}};
  file.save(path_, kCheckpointFormat);
}

void Checkpoint::check_run(bool same_run, bool same_chains, std::string_view hint) const {
  if (!same_run) refuse("belongs to other data or other options" + std::string(hint));
  if (!same_chains) refuse("has another number of chains");
}

std::vector<ChainTrace> Checkpoint::contents(const KernelProblem& problem,
                                             const CollapsedOptions& sampler,
                                             const ChainOptions& options) const {
  const Buffer<char> bytes = read_whole_file(path_, kCheckpointFormat);
  const std::string_view text(bytes.data(), bytes.size());
  if (text.starts_with(kEarlierCheckpointMagic)) {
    const Container named(path_, kCheckpointFormat, {}, {});
    OldTraceReader reader(text, named);
    check_run(reader.run() == old_fingerprint(problem, sampler, options),
              std::cmp_equal(reader.chains(), options.chains),
              " (version 0.1 had the moves of --xi-prior gamma)");
    return read_chains(reader, options.chains, false);
  }
  const Container file(path_, bytes, kCheckpointFormat);
  try {
    check_run(file.about().at("run") == fmt::format("{:016x}", fingerprint_),
              file.about().at("chains") == options.chains);
  } catch (const nlohmann::json::exception& error) {
    file.refuse_malformed(error);
  }
  TraceReader reader(file);
  return read_chains(reader, options.chains, adaptive_);
}

std::optional<std::vector<ChainTrace>> Checkpoint::load(const KernelProblem& problem,
                                                        const CollapsedOptions& sampler,
                                                        const ChainOptions& options) const {
  std::error_code ignored;
  if (!enabled() || !std::filesystem::exists(path_, ignored)) return std::nullopt;
  std::vector<ChainTrace> traces = contents(problem, sampler, options);
  for (const ChainTrace& trace : traces) {
    if (!fits(trace, problem)) refuse("does not fit the data");
  }
  return traces;
}

}  // namespace ardent::doubly_sparse
