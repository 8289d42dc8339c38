// Rows that several processes hold together, each a share of them.
//
// All processes run the same program on shares of the same rows: what belongs to columns is the
// same in each of them, bit by bit; what belongs to rows is each one's own. So whatever is summed
// over rows is summed over the shares, too, and nothing else is to be known of them. A design and a
// data set carry the share; where there is none all rows are here. Every process asks the same
// questions in the same order, from one thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ardent/base/types.h"

namespace ardent {

class RowShare {
 public:
  virtual ~RowShare() = default;

  /// Of this share among them, from 0, in the order of the rows.
  virtual Index place() const = 0;
  virtual Index shares() const = 0;
  /// Each number becomes the sum of those of all shares, added in their order: the same bits in
  /// all.
  virtual void sum(std::span<double> values) const = 0;
  /// Each number becomes the largest of those of all shares.
  virtual void max(std::span<double> values) const = 0;
  /// What every share gives, in their order.
  virtual std::vector<std::string> gather(const std::string& own) const = 0;
  /// The same for the first share alone; nothing for the others, which need no room for it.
  virtual std::vector<std::string> gather_at_first(const std::string& own) const = 0;
};

using SharePointer = std::shared_ptr<const RowShare>;

/// Of all rows, from what these rows have; `share`: null where these are all.
inline double sum_over(const RowShare* share, double own) {
  if (share) share->sum({&own, 1});
  return own;
}
inline double max_over(const RowShare* share, double own) {
  if (share) share->max({&own, 1});
  return own;
}
inline void sum_over(const RowShare* share, Vector& own) {
  if (share) share->sum({own.data(), static_cast<std::size_t>(own.size())});
}
inline void max_over(const RowShare* share, Vector& own) {
  if (share) share->max({own.data(), static_cast<std::size_t>(own.size())});
}
inline Index count_over(const RowShare* share, Index own) {
  return share ? static_cast<Index>(sum_over(share, static_cast<double>(own))) : own;
}

}  // namespace ardent
