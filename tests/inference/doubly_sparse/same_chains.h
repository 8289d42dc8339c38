// Chains compared to the bit.
#pragma once

#include <gtest/gtest.h>

#include "ardent/inference/doubly_sparse/chains.h"

namespace ardent::doubly_sparse {

inline void expect_same(const ChainsResult& a, const ChainsResult& b) {
  ASSERT_EQ(a.chains.size(), b.chains.size());
  for (std::size_t c = 0; c < a.chains.size(); ++c) {
    const ChainTrace &x = a.chains[c], &y = b.chains[c];
    EXPECT_EQ(x.done, y.done);
    EXPECT_EQ(x.log_likelihood, y.log_likelihood);
    EXPECT_EQ(x.log_delta, y.log_delta);
    EXPECT_EQ(x.features, y.features);
    EXPECT_EQ(x.basis, y.basis);
    EXPECT_EQ(x.feature_flips, y.feature_flips);
    EXPECT_EQ(x.state.alpha, y.state.alpha);
    EXPECT_EQ(x.state.scales, y.state.scales);
    EXPECT_EQ(x.best_log_joint, y.best_log_joint);
    ASSERT_EQ(x.draws.size(), y.draws.size());
    for (std::size_t d = 0; d < x.draws.size(); ++d) {
      EXPECT_EQ(x.draws[d].alpha, y.draws[d].alpha);
      EXPECT_EQ(x.draws[d].basis, y.draws[d].basis);
    }
  }
}

}  // namespace ardent::doubly_sparse
