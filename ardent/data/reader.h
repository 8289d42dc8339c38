// The one way in: any file that ardent understands becomes a Dataset.
//
//   LIBSVM   label index:value …            .libsvm .svm .txt .dat, and anything not named below
//   CSV      header; label column by name   .csv .tsv
//   NPY      one 1-D or 2-D array           .npy     labels from a second file
//   IDX      MNIST's format                 …idx3-ubyte, .idx   labels from a second file
//   cache    what `ardent convert` wrote    recognised by its first bytes
// Each may be compressed (.gz .xz .bz2; recognised by its first bytes) or "-" for standard input.
#pragma once

#include <string>

#include "ardent/data/dataset.h"

namespace ardent {

struct ReadOptions {
  std::string format = "auto";   // auto | libsvm | csv | npy | idx | cache
  Index features = 0;            // number of columns; 0: the highest index present
  std::string label = "";        // CSV: name of the label column; "": "label", "class", "target" or
                                 // "y", else the last column
  std::string labels = "";       // NPY, IDX: file with one label per row (NPY, IDX or text lines)
  std::string weights = "";      // file with one row weight per row (NPY, IDX or text lines), >= 0
  bool labels_optional = false;  // a CSV, NPY or IDX source may lack labels (prediction)
};

Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

}  // namespace ardent
