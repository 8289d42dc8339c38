#include "ardent/imaging/cfitsio.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "ardent/base/error.h"

namespace ardent {
namespace {

[[noreturn]] void refuse(const char* reason) {
  throw Error(fmt::format(
      "FITS images need the library CFITSIO, and it cannot be used: {}. Install it (on Debian the "
      "package " ARDENT_CFITSIO_PACKAGE "), or give images as PNG or NPY",
      reason));
}

void* load(const char* library) {
  void* loaded = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  if (!loaded) refuse(dlerror());
  return loaded;
}

}  // namespace

Cfitsio::Cfitsio(const char* library) : library_(load(library)) {}

void* Cfitsio::find(const char* symbol) const {
  void* found = dlsym(library_, symbol);
  if (!found) refuse(dlerror());
  return found;
}

const Cfitsio& cfitsio() {
  static const Cfitsio library(ARDENT_CFITSIO_SONAME);
  return library;
}

}  // namespace ardent
