// The scan of the basis functions that goes with the likelihood.
#pragma once

#include <memory>

#include "ardent/inference/sequential/scan.h"

namespace ardent {

/// `candidates` must outlive the scan; the state's relevances must be known.
std::unique_ptr<BasisScan> make_basis_scan(const ActiveProblem& candidates);

}  // namespace ardent
