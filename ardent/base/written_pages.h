// Arrays on disk under a limit of memory (memory_limit.h), for those who make them.
#pragma once

#include <cstddef>

namespace ardent {

/// Would further blocks of so many bytes be in memory? Always where there is no limit.
bool memory_has_room(std::size_t bytes);

/// Like remember_file_pages(), of a file that is open for writing: changes go to disk as pages are
/// released.
void remember_written_pages(const void* begin, std::size_t bytes, int file);

}  // namespace ardent
