#include "ardent/inference/doubly_sparse/checkpoint.h"

#include <bit>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>

#include "ardent/base/atomic_file.h"
#include "ardent/base/error.h"

namespace ardent::doubly_sparse {
namespace {

static_assert(std::endian::native == std::endian::little, "checkpoints are little-endian");

constexpr std::string_view kCheckpointMagic = "ARDENTC\n";
constexpr std::uint32_t kVersion = 1;

class Fnv {
 public:
  void add(const void* data, std::size_t bytes) {
    const auto* byte = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < bytes; ++i) hash_ = (hash_ ^ byte[i]) * 0x100000001b3u;
  }
  template <class T>
  void add(const T& value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    add(&value, sizeof value);
  }
  void add(const Matrix& values) {
    add(values.rows());
    add(values.data(), static_cast<std::size_t>(values.size()) * sizeof(double));
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

/// Both directions in one description of the layout: a field is put into bytes or taken from them.
class Writer {
 public:
  std::string bytes;

  template <class T>
  void field(const T& value) {
    static_assert(std::is_arithmetic_v<T>);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T>
  void list(const std::vector<T>& values) {
    field(static_cast<std::uint64_t>(values.size()));
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
  void vector(const Vector& values) { list(std::vector<double>(values.begin(), values.end())); }
  template <class T, class Each>
  void each(const std::vector<T>& values, Each&& put) {
    field(static_cast<std::uint64_t>(values.size()));
    for (const T& value : values) put(*this, value);
  }
};

struct CutOff {};  // thrown where the bytes end before the chains do

class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}
  bool finished() const { return left_.empty(); }

  template <class T>
  void field(T& value) {
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
  }
  template <class T>
  void list(std::vector<T>& values) {
    const std::uint64_t count = size(sizeof(T));
    const std::string_view bytes = take(count * sizeof(T));
    values.resize(count);
    if (count > 0) std::memcpy(values.data(), bytes.data(), bytes.size());
  }
  void vector(Vector& values) {
    std::vector<double> numbers;
    list(numbers);
    values = Eigen::Map<const Vector>(numbers.data(), std::ssize(numbers));
  }
  template <class T, class Each>
  void each(std::vector<T>& values, Each&& get) {
    values.resize(size(1));
    for (T& value : values) get(*this, value);
  }

 private:
  /// A count of items of at least `smallest` bytes each: no length is believed before it is
  /// checked.
  std::uint64_t size(std::size_t smallest) {
    std::uint64_t count = 0;
    field(count);
    if (count > left_.size() / smallest) throw CutOff{};
    return count;
  }
  std::string_view take(std::size_t bytes) {
    if (bytes > left_.size()) throw CutOff{};
    const std::string_view taken = left_.substr(0, bytes);
    left_.remove_prefix(bytes);
    return taken;
  }

  std::string_view left_;
};

template <class Stream, class State>
void transfer_state(Stream& stream, State& state) {
  stream.list(state.features);
  stream.list(state.basis);
  stream.vector(state.alpha);
  stream.field(state.bias);
  stream.field(state.delta);
  stream.field(state.xi);
  stream.field(state.noise_variance);
}

template <class Stream, class Trace>
void transfer(Stream& stream, Trace& trace) {
  const auto state = [](auto& s, auto& value) { transfer_state(s, value); };
  const auto list = [](auto& s, auto& value) { s.list(value); };
  stream.field(trace.done);
  transfer_state(stream, trace.state);
  stream.field(trace.delta_step);
  stream.list(trace.log_likelihood);
  stream.list(trace.log_delta);
  stream.list(trace.xi);
  stream.list(trace.noise_variance);
  stream.each(trace.features, list);
  stream.each(trace.basis, list);
  stream.field(trace.feature_flips);
  stream.field(trace.basis_flips);
  stream.field(trace.delta_accepted);
  stream.each(trace.draws, state);
  transfer_state(stream, trace.best);
  stream.field(trace.best_log_joint);
}

std::uint64_t checksum(std::string_view bytes) {
  Fnv hash;
  hash.add(bytes.data(), bytes.size());
  return hash.value();
}

std::optional<std::string> contents(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return std::nullopt;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             std::fclose);
  if (!file) throw Error("cannot read the checkpoint " + path + ": " + std::strerror(errno));
  std::string bytes;
  char block[1 << 16];
  while (const std::size_t count = std::fread(block, 1, sizeof block, file.get())) {
    bytes.append(block, count);
  }
  if (std::ferror(file.get())) throw Error("cannot read the checkpoint " + path);
  return bytes;
}

/// A state that a sweep of this problem could have left.
bool fits(const KernelState& state, const KernelProblem& problem) {
  if (std::ssize(state.features) != problem.features()) return false;
  if (state.alpha.size() != state.basis_on()) return false;
  for (const Index c : state.basis) {
    if (c < 0 || c >= problem.candidates()) return false;
  }
  return true;
}

bool fits(const ChainTrace& trace, const KernelProblem& problem) {
  if (trace.done == 0) return true;
  if (!fits(trace.state, problem)) return false;
  const auto kept = static_cast<std::size_t>(trace.kept());
  if (trace.log_delta.size() != kept || trace.features.size() != kept ||
      trace.basis.size() != kept || trace.xi.size() != kept ||
      trace.noise_variance.size() != kept) {
    return false;
  }
  for (const KernelState& draw : trace.draws) {
    if (!fits(draw, problem)) return false;
  }
  return true;
}

}  // namespace

std::uint64_t fingerprint(const KernelProblem& problem, const CollapsedOptions& sampler,
                          const ChainOptions& options) {
  Fnv hash;
  hash.add(problem.rows);
  hash.add(problem.centres);
  hash.add(Matrix(problem.t));
  hash.add(problem.likelihood);
  hash.add(sampler.prior);
  for (const double value :
       {sampler.feature_a, sampler.basis_a, sampler.delta, sampler.delta_sd, sampler.xi}) {
    hash.add(value);
  }
  for (const bool value :
       {sampler.select_features, sampler.bias, sampler.sample_delta, sampler.sample_xi}) {
    hash.add(value);
  }
  for (const Index value : {sampler.basis_moves, sampler.delta_moves, options.chains,
                            options.burn_in, options.sweeps, options.draws, options.burn_in_rows}) {
    hash.add(value);
  }
  hash.add(options.seed);
  return hash.value();
}

void Checkpoint::refuse(const std::string& why) const {
  throw InputError("the checkpoint " + path_ + " " + why +
                   ": give the options of that run, or remove the file to start again");
}

void Checkpoint::save(const std::vector<ChainTrace>& chains) const {
  Writer body;
  body.each(chains, [](Writer& writer, const ChainTrace& trace) { transfer(writer, trace); });
  Writer head;
  head.bytes = kCheckpointMagic;
  head.field(kVersion);
  head.field(fingerprint_);
  head.field(static_cast<std::uint64_t>(body.bytes.size()));
  body.field(checksum(body.bytes));
  AtomicFile file(path_);
  file.write(head.bytes);
  file.write(body.bytes);
  file.commit();
}

std::optional<std::vector<ChainTrace>> Checkpoint::load(Index chains,
                                                        const KernelProblem& problem) const {
  if (!enabled()) return std::nullopt;
  const std::optional<std::string> bytes = contents(path_);
  if (!bytes) return std::nullopt;
  std::vector<ChainTrace> traces;
  try {
    if (!bytes->starts_with(kCheckpointMagic)) refuse("is not one of ardent's");
    Reader head(std::string_view(*bytes).substr(kCheckpointMagic.size()));
    std::uint32_t version = 0;
    std::uint64_t run = 0, length = 0;
    head.field(version);
    head.field(run);
    head.field(length);
    if (version != kVersion) refuse("was written by another version of ardent");
    if (run != fingerprint_) refuse("belongs to other data or other options");
    const std::size_t start = kCheckpointMagic.size() + sizeof version + sizeof run + sizeof length;
    if (length > bytes->size() || bytes->size() - start != length + sizeof(std::uint64_t)) {
      throw CutOff{};
    }
    const std::string_view body = std::string_view(*bytes).substr(start, length);
    std::uint64_t sum = 0;
    std::memcpy(&sum, bytes->data() + start + length, sizeof sum);
    if (sum != checksum(body)) refuse("is damaged");
    Reader reader(body);
    reader.each(traces, [](Reader& r, ChainTrace& trace) { transfer(r, trace); });
    if (!reader.finished()) refuse("is damaged");
  } catch (const CutOff&) {
    refuse("is cut off");
  }
  if (std::ssize(traces) != chains) refuse("has another number of chains");
  for (const ChainTrace& trace : traces) {
    if (!fits(trace, problem)) refuse("does not fit the data");
  }
  return traces;
}

}  // namespace ardent::doubly_sparse
