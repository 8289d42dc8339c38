// All of ardent: sparse Bayesian learning, sparse codes, point sources in images.
//
//   const ardent::Dataset data(x, y);                               // Eigen's, or a file
//   const ardent::Model model = ardent::train(data, {.map = ardent::Map::rbf});
//   const ardent::Prediction found = ardent::predict(model, x_new);
//
// dataset.h, model.h, predict.h and predictor.h are the component `predict`; train.h, evaluate.h,
// fit.h and coding.h are `train`; image.h and imaging.h are `imaging`.
#pragma once

#include "ardent/coding.h"
#include "ardent/dataset.h"
#include "ardent/error.h"
#include "ardent/evaluate.h"
#include "ardent/fit.h"
#include "ardent/image.h"
#include "ardent/imaging.h"
#include "ardent/matrix.h"
#include "ardent/model.h"
#include "ardent/options.h"
#include "ardent/predict.h"
#include "ardent/predictor.h"
#include "ardent/progress.h"
#include "ardent/train.h"
#include "ardent/version.h"
