// A FITS file in memory, by CFITSIO (cfitsio.h). Not installed, as that one is not.
#pragma once

#include <string>
#include <string_view>

#include "ardent/imaging/cfitsio.h"

namespace ardent {

/// Closed when it goes out of scope.
class MemoryFile {
 public:
  /// Reads `contents`, which must outlive this; `name` is for messages.
  MemoryFile(std::string_view contents, std::string name);
  /// Writes; finish() gives the bytes.
  explicit MemoryFile(std::string name);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  fitsfile* get() const { return file_; }

  /// InputError with CFITSIO's reason unless the status is 0.
  void check(int status, std::string_view what) const;

  std::string finish();

 private:
  std::string name_;
  std::string filled_;
  bool owned_ = false;
  fitsfile* file_ = nullptr;
  char* buffer_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace ardent
