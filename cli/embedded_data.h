// Data sets that travel inside the command, so that `ardent demo` works anywhere.
#pragma once

#include <string_view>

namespace ardent::cli {

/// data/breast_cancer.csv: 569 tumours, 30 measurements of cell nuclei, benign or malignant.
std::string_view breast_cancer_csv();

}  // namespace ardent::cli
