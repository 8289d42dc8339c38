// Planted data that look like text: sparse rows of words, of which a few decide the label.
//
//   rows      k/2 … 3k/2 different columns each, uniformly; a row draws words by a Zipf law until
//             it has that many; a word drawn c times has value 1 + ln c, divided by the row's
//             length (Euclidean); which column is which word is a random permutation
//   truth     r columns spread over the frequent words (see draw_truth), with weights of either
//             sign and of sizes 0.5 … 1.5 times a scale
//   labels    +1 with probability σ(f), f = intercept + Σ weight·x; else −1. The intercept makes
//             the mean of f zero, the scale makes the Bayes classifier right as often as asked
//
// Truth, scale and intercept depend on the seed, the shape and the accuracy asked for, not on the
// sample: two samples of one seed are training and test data of one problem.
#pragma once

#include <cstdint>
#include <vector>

#include "ardent/base/option_schema.h"
#include "ardent/data/dataset.h"

namespace ardent {

struct SynthOptions {
  Index rows = 20000;           // ≥ 1
  Index columns = 1000000;      // 4 … 2^32 − 2
  Index nonzeros = 100;         // mean per row; 1 … columns/4
  Index relevant = 100;         // 1 … columns/4
  double bayes_accuracy = 0.9;  // aimed at; above ½, below 1
  std::uint64_t seed = 1;
  Index sample = 1;  // 1 … 2^20: which sample of the seed's problem
};

inline Schema schema(SynthOptions& options) {
  Schema schema;
  schema.add("rows", options.rows, "rows", 1);
  schema.add("columns", options.columns, "columns", 4);
  schema.add("nonzeros", options.nonzeros,
             "nonzeros k of a row on average: k/2 to 3k/2, at most a quarter of the columns", 1);
  schema.add("relevant", options.relevant,
             "columns that decide the label, spread over the frequent ones", 1);
  schema.add("bayes-accuracy", options.bayes_accuracy,
             "how often the true probabilities' own choice is to be right; sets the size of the "
             "planted weights",
             {.low = 0.5, .high = 1});
  schema.add("seed", options.seed, "seed of the planted weights and of the samples");
  schema.add("sample", options.sample, "which sample of the seed's problem: 1 to train, 2 to test",
             1);
  return schema;
}

struct PlantedTruth {
  std::vector<Index> columns;   // relevant ones, ascending
  std::vector<double> weights;  // of these
  double intercept = 0;
};

struct Synth {
  Dataset data;  // sparse; labels ±1
  PlantedTruth truth;
  double bayes_accuracy = 0;  // of these rows: mean of max(p, 1 − p)
  double bayes_log_loss = 0;  // mean of −p ln p − (1 − p) ln(1 − p)
};

/// Same bits for the same options whatever the threads. InputError names an option out of range.
/// Where few relevant columns leave many rows without any, the accuracy asked for may be out of
/// reach: what was attained is reported.
Synth make_synth(const SynthOptions& options);

}  // namespace ardent
