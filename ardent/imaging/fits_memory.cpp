#include "ardent/imaging/fits_memory.h"

#include <fmt/format.h>

#include <cstdlib>

#include "ardent/base/error.h"

namespace ardent {

// CFITSIO wants a pointer that it could reallocate; read-only files it leaves alone. It reads whole
// blocks of 2880 bytes, past the end of a file that is cut off within one: such a file is read from
// a copy that is filled up.
MemoryFile::MemoryFile(std::string_view contents, std::string name) : name_(std::move(name)) {
  constexpr std::size_t kBlock = 2880;
  if (contents.size() % kBlock != 0) {
    filled_ = contents;
    filled_.resize((contents.size() / kBlock + 1) * kBlock, '\0');
    contents = filled_;
  }
  buffer_ = const_cast<char*>(contents.data());
  size_ = contents.size();
  int status = 0;
  cfitsio().fits_open_memfile(&file_, "memory.fits", READONLY, reinterpret_cast<void**>(&buffer_),
                              &size_, 0, nullptr, &status);
  check(status, "is no FITS file that can be read");
}

MemoryFile::MemoryFile(std::string name) : name_(std::move(name)), owned_(true) {
  const Cfitsio& library = cfitsio();  // throws where it is missing: before memory is taken
  int status = 0;
  constexpr std::size_t kBlock = 2880 * 64;
  size_ = kBlock;
  // Zeros: a second part is put after the last one that is found in the memory, and memory that was
  // used before may hold the parts of a file that is gone.
  buffer_ = static_cast<char*>(std::calloc(size_, 1));
  library.fits_create_memfile(&file_, reinterpret_cast<void**>(&buffer_), &size_, kBlock,
                              std::realloc, &status);
  check(status, "cannot be made");
}

MemoryFile::~MemoryFile() {
  int status = 0;
  if (file_) cfitsio().fits_close_file(file_, &status);
  if (owned_) std::free(buffer_);
}

void MemoryFile::check(int status, std::string_view what) const {
  if (status == 0) return;
  char text[FLEN_STATUS];
  cfitsio().fits_get_errstatus(status, text);
  cfitsio().fits_clear_errmsg();
  throw InputError(fmt::format("{}: {} ({})", name_, what, text));
}

std::string MemoryFile::finish() {
  int status = 0;
  cfitsio().fits_flush_file(file_, &status);
  check(status, "cannot be written");
  LONGLONG header = 0, data = 0, end = 0;
  cfitsio().fits_get_hduaddrll(file_, &header, &data, &end, &status);
  check(status, "cannot be written");
  return {buffer_, static_cast<std::size_t>(end)};
}

}  // namespace ardent
