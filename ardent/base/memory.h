// How much memory the process has used: what a report tells beside its seconds.
#pragma once

#include <cstddef>

namespace ardent {

/// The most physical memory that this process has held so far, in bytes; 0 where the system does
/// not say. Pages of mapped files that were read count, as far as they were in memory at once.
std::size_t peak_resident_bytes();

}  // namespace ardent
