#include "ardent/base/memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

namespace ardent {
namespace {

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

TEST(Memory, PeakRisesByWhatIsTouchedAndStaysWhenItIsFreed) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer's shadow of every byte touched counts, too";
#endif
  // What earlier tests left as peak may be above what is held now: reach it again first.
  const std::size_t earlier = peak_resident_bytes();
  ASSERT_GT(earlier, kMebibyte / 4);
  constexpr std::size_t kTouched = 64 * kMebibyte;
  std::size_t before = 0;
  {
    const std::size_t filler = earlier + kTouched;
    const auto reached = std::make_unique<volatile char[]>(filler);
    for (std::size_t i = 0; i < filler; i += 4096) reached[i] = 1;
    before = peak_resident_bytes();
    EXPECT_GT(before, earlier + kTouched / 2);

    const auto more = std::make_unique<volatile char[]>(kTouched);
    for (std::size_t i = 0; i < kTouched; i += 4096) more[i] = 1;
    EXPECT_GE(peak_resident_bytes(), before + 60 * kMebibyte);
    EXPECT_LE(peak_resident_bytes(), before + 100 * kMebibyte);
  }
  EXPECT_GE(peak_resident_bytes(), before + 60 * kMebibyte);
}

}  // namespace
}  // namespace ardent
