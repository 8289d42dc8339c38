/* Predictions from C, and from all that calls C: Rust, Julia, R, Go, ... Link with -lardent
   (pkg-config ardent-c).

     ardent_model *model = ardent_load("tumour.model");
     if (!model) return complain(ardent_error());
     double p[2];
     int64_t best = ardent_classify(model, row, 30, p);
     puts(ardent_label(model, best));
     ardent_free(model);

   A function that fails returns NULL or -1, and ardent_error() says why. Any number of threads may
   use one model. Predicting allocates nothing. */
#ifndef ARDENT_ARDENT_C_H
#define ARDENT_ARDENT_C_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ardent_model ardent_model;

/* Of the library: "MAJOR.MINOR.PATCH". */
const char *ardent_version(void);

/* What the last function that failed in this thread has to say; "" before. */
const char *ardent_error(void);

/* A model file of linear, rbf or elm; NULL where it cannot be read or served. */
ardent_model *ardent_load(const char *path);
/* NULL is allowed. */
void ardent_free(ardent_model *model);

/* Numbers of a row. */
int64_t ardent_features(const ardent_model *model);
/* 0: a regression. */
int64_t ardent_classes(const ardent_model *model);
/* Of class k, from 0; NULL where there is none. Lives as long as the model. */
const char *ardent_label(const ardent_model *model, int64_t k);

/* The most probable class of a row of `count` numbers, from 0; -1: failed. `probabilities`: one
   for each class, or NULL. */
int64_t ardent_classify(const ardent_model *model, const double *row, int64_t count,
                        double *probabilities);

/* Mean of a regression, and the variance of a new observation (NULL: not asked for). 0: done;
   -1: failed. */
int ardent_regress(const ardent_model *model, const double *row, int64_t count, double *mean,
                   double *variance);

#ifdef __cplusplus
}
#endif

#endif
