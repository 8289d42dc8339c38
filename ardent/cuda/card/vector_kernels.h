// What is done with vectors on a card, number by number. Pointers are to the card's memory.
#pragma once

#include <cstddef>

#include "ardent/cuda/card/card.h"

namespace ardent {

double dot_on_card(const Card& card, std::size_t size, const double* x, const double* y);
double sum_on_card(const Card& card, std::size_t size, const double* x);
/// y ← y + factor x
void add_scaled_on_card(const Card& card, std::size_t size, double factor, const double* x,
                        double* y);

}  // namespace ardent
