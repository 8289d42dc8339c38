/* Predicts the rows of numbers that come on standard input, from C: predict_rows MODEL. Compile with
   cc predict_rows.c $(pkg-config --cflags --libs ardent-c). */
#include <ardent/ardent_c.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int complain(void)
{
    fprintf(stderr, "predict_rows: %s\n", ardent_error());
    return 1;
}

/* One row; 0 at the end of the input. */
static int read_row(double *row, int64_t count)
{
    int64_t k;
    for (k = 0; k < count; ++k)
        if (scanf("%lf%*[ ,\n]", &row[k]) != 1)
            return 0;
    return 1;
}

int main(int argc, char **argv)
{
    ardent_model *model = argc == 2 ? ardent_load(argv[1]) : NULL;
    double *row, *p;
    int64_t features, classes, k;
    if (!model)
        return complain();
    features = ardent_features(model);
    classes = ardent_classes(model);
    row = malloc(sizeof *row * (size_t)features);
    p = malloc(sizeof *p * (size_t)(classes + 2));
    while (row && p && read_row(row, features)) {
        if (classes > 0) {
            const int64_t best = ardent_classify(model, row, features, p);
            if (best < 0)
                return complain();
            printf("%s", ardent_label(model, best));
        } else if (ardent_regress(model, row, features, &p[0], &p[1]) != 0) {
            return complain();
        }
        for (k = 0; k < (classes > 0 ? classes : 2); ++k)
            printf("%s%.17g", classes > 0 || k > 0 ? " " : "", p[k]);
        printf("\n");
    }
    free(row);
    free(p);
    ardent_free(model);
    return 0;
}
