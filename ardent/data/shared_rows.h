// A data set of which every process reads its share, so that none holds the whole.
//
//   LIBSVM text            bytes place·size/shares …, cut at line ends
//   part-*.libsvm          one file for each process, in alphabetical order: "*" stands for
//   anything an ardent cache        rows place·N/shares …
//
// What a data set says of all its rows is that of all processes together: the number of columns,
// whether it is dense, classes in the order in which they first appear.
#pragma once

#include <string>

#include "ardent/data/dataset.h"
#include "ardent/data/read_options.h"

namespace ardent {

/// InputError for what cannot be read in shares (compressed files, pipes, other formats, row
/// weights), and where a process would have no rows.
Dataset read_share(const std::string& path, const ReadOptions& options, SharePointer share);

}  // namespace ardent
