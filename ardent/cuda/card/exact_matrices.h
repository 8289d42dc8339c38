// The matrices of weight spaces (inference/evidence/space_matrices.h) in a card's memory.
#pragma once

#include <memory>

#include "ardent/cuda/card/dense_design.h"
#include "ardent/inference/evidence/space_matrices.h"
#include "ardent/inference/evidence/weight_space.h"

namespace ardent {

/// `phi` and `prior` must outlive them. `unit_beta`, if given: every beta will be a multiple of it,
/// and the Gram matrix is formed once.
std::unique_ptr<PrimalMatrices> make_card_primal(const CardDesign& phi, const Prior& prior,
                                                 const Vector* unit_beta);
std::unique_ptr<DualMatrices> make_card_dual(const CardDesign& phi, const Prior& prior);

}  // namespace ardent
