// The labels of rows that several processes share.
#pragma once

#include <string>

#include "ardent/base/row_share.h"
#include "ardent/data/labels.h"

namespace ardent {

/// The same labels, their names numbered as one process that reads all shares in order would number
/// them: by first appearance. InputError where some shares have numbers and others text.
Labels joint_labels(Labels own, const RowShare& share, const std::string& source);

}  // namespace ardent
