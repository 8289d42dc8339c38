// The stages of the engine diagonal on a card: design, weights and precisions stay there, from
// stage to stage, and pruning compacts them there. Only single numbers come to the host: sums, and
// the length of a step.
//
// The same steps as newton_cg.h, conjugate_gradient.h and ard_stages.cpp, with sums in another
// order. One fit at a time: the others wait for their turn.
#pragma once

#include <memory>

#include "ardent/cuda/card/card.h"
#include "ardent/inference/engines/ard_stages.h"

namespace ardent {

/// The references must outlive the stages. Error where the card's memory is too small.
std::unique_ptr<ArdStages> card_stages(std::shared_ptr<Card> card, ArdState& state,
                                       const EngineOptions& options);

}  // namespace ardent
