#include <vector>

#include "ardent/base/checksum.h"
#include "ardent/base/parallel.h"
#include "ardent/data/cache_layout.h"

namespace ardent {

std::uint64_t contents_checksum(const CacheHeader& header, const CacheBytes& sections) {
  constexpr std::size_t kBlock = std::size_t{1} << 20;
  Checksum checksum;
  checksum.add(header.absent_is_zero);
  for (const std::span<const char> section : sections) {
    const std::size_t blocks = (section.size() + kBlock - 1) / kBlock;
    std::vector<std::uint64_t> of_block(blocks);
    parallel_for(static_cast<Index>(blocks), [&](Index b) {
      const std::size_t begin = static_cast<std::size_t>(b) * kBlock;
      Checksum block;
      block.add_all(section.subspan(begin, std::min(kBlock, section.size() - begin)));
      of_block[b] = block.value();
    });
    checksum.add_all(of_block);
  }
  return checksum.value() == 0 ? 1 : checksum.value();
}

}  // namespace ardent
