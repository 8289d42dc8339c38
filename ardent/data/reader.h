// The one way in: any file that ardent understands becomes a Dataset.
//
//   LIBSVM   label index:value …
//   CSV      label column by name, with or without a header
//   NPY      one 1-D or 2-D array            labels from a second file
//   IDX      MNIST's format                  labels from a second file
//   cache    what `ardent convert` wrote
// Formats are recognised by content (data_format.h). Each may be compressed (gzip, xz, bzip2) or
// "-" for standard input.
#pragma once

#include <string>

#include "ardent/data/bytes.h"
#include "ardent/data/data_format.h"
#include "ardent/data/dataset.h"
#include "ardent/data/read_options.h"

namespace ardent {

Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

/// The same of bytes that are in memory; `path` is where they came from.
Dataset dataset_of(const Bytes& bytes, const std::string& path, const ReadOptions& options);

}  // namespace ardent
