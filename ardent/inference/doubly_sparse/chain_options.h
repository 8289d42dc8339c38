// What you ask of the chains of the collapsed sampler.
#pragma once

#include <cstdint>
#include <string>

#include "ardent/base/task_farm.h"
#include "ardent/base/types.h"

namespace ardent::doubly_sparse {

struct ChainOptions {
  Index chains = 3;              // >= 1
  Index burn_in = 200;           // >= 0: sweeps thrown away
  Index sweeps = 300;            // >= 1: sweeps kept; where `until_agreement`, at most
  bool until_agreement = false;  // stop as soon as the chains agree (agreement.h)
  bool tempering = true;         // where `until_agreement`: with companions where chains disagree
  double seconds = 0;      // >= 0: where `until_agreement`, about so long at most; 0: however long
  Index draws = 100;       // >= 1: states kept for prediction, in all chains together at most
  Index burn_in_rows = 0;  // >= 0: rows used in three quarters of the burn-in; 0: all rows up to
                           // 4,000, beyond that max(2,000, N/10)
  std::uint64_t seed = 1;
  std::string checkpoint = "";     // file to go on from and to write; empty: none
  bool resume = true;              // go on from what the file has, if there is one
  double checkpoint_seconds = 10;  // >= 0: time between writes at least; 0: after every sweep
  TaskFarm* farm = nullptr;  // processes that chains are dealt out to; they write after every look
};

/// Throws InputError naming field, rule and value.
void validate(const ChainOptions& options);

}  // namespace ardent::doubly_sparse
