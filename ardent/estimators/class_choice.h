// More than two classes: pairs or one against the rest, and how sure the coupled probabilities may
// be, where the user leaves it to us.
//
// Neither scheme is the better one everywhere: pairs have few rows each, and coupling many small
// models loses what each of them knows; one against the rest has unequal sides. So both are trained
// on four folds of the training rows, and each is given the temperature T ≥ 1, p_c ← p_c^(1/T)/Σ,
// at which the probabilities of held-out rows have the highest likelihood (none is made surer than
// its parts are); one against the rest is taken where its likelihood is higher by two standard
// errors: it has rare rows of probability near 0, which few folds may miss. Eight trainings of
// three quarters of the rows: only up to 500 rows. Beyond, and where a class has a single row, it
// is pairs, T = 1.
//
// That is `--multiclass folds`. `auto` is pairs, T = 1; for text (sparse_choice.h) and for more
// columns than rows (wide_classes.h) one against the rest, T from ¼ on, by what its folds predict.
#pragma once

#include <functional>
#include <string>

#include "ardent/estimators/problem.h"
#include "ardent/estimators/train_options.h"

namespace ardent {

struct ClassDecision {
  std::string multiclass = "ovo";
  double temperature = 1;
  std::string note = "";
  double log_loss = 0;  // calibrate_rest: per held-out row
};

/// Trains on these rows as the options say, which leave nothing about classes open.
using TrainRows = std::function<Model(const Dataset& data, const TrainOptions& options)>;

/// `options`: all but `multiclass` is decided. `data`: of more than two classes.
ClassDecision choose_classes(const Dataset& data, const TrainOptions& options,
                             const TrainRows& train_rows);

/// The temperature from 1 to 8 at which the classes `truth` of the rows of `probabilities` are
/// likeliest; `surer`: from ¼ on. `share`: of the rows, or null.
double best_temperature(const Matrix& probabilities, const std::vector<std::uint32_t>& truth,
                        bool surer = false, const RowShare* share = nullptr);

/// The temperature of one against the rest, and a line on it. `f`: of each problem for each row of
/// the classes `truth`, by models that do not know the row.
ClassDecision calibrate_rest(const ClassTable& classes, const std::vector<Problem>& problems,
                             const std::vector<Vector>& f, const std::vector<std::uint32_t>& truth,
                             const RowShare* share = nullptr);

}  // namespace ardent
