// From the parts' probabilities to the probabilities of the classes.
#pragma once

#include "ardent/model/model_frame.h"

namespace ardent {

/// p_c^(1/T)/Σ, each probability taken as 1e-12 at least; T = 1: p as it is.
Vector tempered(const Vector& p, double temperature);

/// Class probabilities of one row, given for each part the probability of its positive class.
///   two classes       p and 1 − p
///   one against rest  the parts' p, normalised to sum 1; all zero: uniform
///   pairs             couple_pairs
/// the latter two at the model's temperature.
Vector combine(const ModelFrame& model, const Vector& part_probabilities);

/// The same of many rows: rows × parts to rows × classes.
Matrix combine_rows(const ModelFrame& model, const Matrix& part_probabilities);

/// Wu, Lin and Weng (JMLR 5, 2004), second method. r_ij is the probability of class i where only i
/// and j are possible (r_ij + r_ji = 1; the diagonal is not read). Minimises
///   Σ_i Σ_{j≠i} (r_ji p_i − r_ij p_j)²  =  2 pᵀQp,   Q_ii = Σ_{j≠i} r_ji²,  Q_ij = −r_ji r_ij,
/// over Σ p = 1 by coordinate updates (their algorithm 2), at most until
/// max |Qp − pᵀQp| < tolerance/k. Pairs are clipped to [1e-7, 1 − 1e-7]. At LIBSVM's tolerance,
/// 0.005, probabilities depend on the order of the classes in their third digit.
Vector couple_pairs(const Matrix& r, double tolerance = 1e-12);

}  // namespace ardent
