// Pages of a mapped file that are written here and there, as by a sort into buckets.
#pragma once

#include <cstddef>

namespace ardent {

/// While it lives, the system brings in no neighbours of a page of this range that is touched:
/// where memory is limited they would push out pages in use. Nothing without a limit of memory, and
/// of addresses that are no file's.
class ScatteredPages {
 public:
  ScatteredPages(const void* begin, std::size_t bytes);
  ~ScatteredPages();
  ScatteredPages(const ScatteredPages&) = delete;
  ScatteredPages& operator=(const ScatteredPages&) = delete;

 private:
  const void* begin_;
  std::size_t bytes_;
};

}  // namespace ardent
