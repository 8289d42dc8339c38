// The functions of CFITSIO that are called. The library is loaded at the first FITS file, not
// with the program: it brings some 30 shared libraries with it (curl, Kerberos, LDAP), which take
// longer to load than everything else that happens at start.
// This file is not installed: the header of CFITSIO is needed to build ardent, not to use it.
#pragma once

#include <fitsio.h>

namespace ardent {

/// Calls read as in CFITSIO's manual: `cfitsio().fits_open_memfile(…)`. The macros of its header
/// turn the long names into those of the symbols, here as there.
class Cfitsio {
 public:
  /// Throws an Error that says what to install where `library` cannot be loaded or lacks a
  /// function.
  explicit Cfitsio(const char* library);

// Type and symbol of one name: they cannot differ from what fitsio.h declares.
#define ARDENT_SYMBOL(name) #name
#define ARDENT_CFITSIO(name) \
  decltype(&::name) name = reinterpret_cast<decltype(&::name)>(find(ARDENT_SYMBOL(name)))

 private:
  void* find(const char* symbol) const;

  void* library_;  // stays loaded: CFITSIO keeps state of its own

 public:
  ARDENT_CFITSIO(fits_clear_errmsg);
  ARDENT_CFITSIO(fits_close_file);
  ARDENT_CFITSIO(fits_create_imgll);
  ARDENT_CFITSIO(fits_create_memfile);
  ARDENT_CFITSIO(fits_create_tbl);
  ARDENT_CFITSIO(fits_flush_file);
  ARDENT_CFITSIO(fits_get_errstatus);
  ARDENT_CFITSIO(fits_get_hdrspace);
  ARDENT_CFITSIO(fits_get_hdu_num);
  ARDENT_CFITSIO(fits_get_hdu_type);
  ARDENT_CFITSIO(fits_get_hduaddrll);
  ARDENT_CFITSIO(fits_get_img_paramll);
  ARDENT_CFITSIO(fits_get_keyclass);
  ARDENT_CFITSIO(fits_get_num_hdus);
  ARDENT_CFITSIO(fits_is_compressed_image);
  ARDENT_CFITSIO(fits_movabs_hdu);
  ARDENT_CFITSIO(fits_movnam_hdu);
  ARDENT_CFITSIO(fits_open_memfile);
  ARDENT_CFITSIO(fits_read_pixll);
  ARDENT_CFITSIO(fits_read_record);
  ARDENT_CFITSIO(fits_write_col_dbl);
  ARDENT_CFITSIO(fits_write_key_lng);
  ARDENT_CFITSIO(fits_write_pixnullll);
  ARDENT_CFITSIO(fits_write_record);

#undef ARDENT_CFITSIO
#undef ARDENT_SYMBOL
};

/// The library that ardent was built for, loaded by the first call, whichever thread makes it.
const Cfitsio& cfitsio();

}  // namespace ardent
