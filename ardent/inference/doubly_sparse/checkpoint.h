// Chains on disk, so that a killed run goes on from where it was, to the same bits.
//
// A container (base/container.h) of the kind "checkpoint"; docs/files.md names its arrays. Written
// to a temporary file and renamed: whoever is killed while writing leaves the previous checkpoint.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ardent/inference/doubly_sparse/chain_options.h"
#include "ardent/inference/doubly_sparse/chain_trace.h"

namespace ardent::doubly_sparse {

/// Of all that decides the chains' course: every number of the problem, and the options but those
/// of the checkpoint itself.
std::uint64_t fingerprint(const KernelProblem& problem, const CollapsedOptions& sampler,
                          const ChainOptions& options);

class Checkpoint {
 public:
  /// An empty path: no checkpoints.
  /// `adaptive`: chains have sums of their burn-in (CollapsedOptions::adaptive_flips).
  Checkpoint(std::string path, std::uint64_t run, bool adaptive)
      : path_(std::move(path)), fingerprint_(run), adaptive_(adaptive) {}

  bool enabled() const { return !path_.empty(); }
  void save(const std::vector<ChainTrace>& chains) const;
  /// Nothing where there is no file. A file that is damaged, or of another run, is an InputError.
  /// Those of version 0.1 are read, too.
  std::optional<std::vector<ChainTrace>> load(const KernelProblem& problem,
                                              const CollapsedOptions& sampler,
                                              const ChainOptions& options) const;

 private:
  std::vector<ChainTrace> contents(const KernelProblem& problem, const CollapsedOptions& sampler,
                                   const ChainOptions& options) const;
  void check_run(bool same_run, bool same_chains, std::string_view hint = "") const;
  [[noreturn]] void refuse(const std::string& why) const;

  std::string path_;
  std::uint64_t fingerprint_;
  bool adaptive_;
};

}  // namespace ardent::doubly_sparse
