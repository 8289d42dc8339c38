/* From R to the C interface: R CMD SHLIB ardent.c, with PKG_CPPFLAGS and PKG_LIBS from
   pkg-config ardent-c. predict.R uses it. */
#include <R.h>
#include <Rinternals.h>
#include <ardent/ardent_c.h>

static void free_model(SEXP pointer)
{
    ardent_free(R_ExternalPtrAddr(pointer));
    R_ClearExternalPtr(pointer);
}

static const ardent_model *model_of(SEXP pointer)
{
    const ardent_model *model = R_ExternalPtrAddr(pointer);
    if (!model)
        error("this model is of another session: load it again");
    return model;
}

SEXP load_model(SEXP path)
{
    ardent_model *model = ardent_load(CHAR(asChar(path)));
    SEXP pointer;
    if (!model)
        error("%s", ardent_error());
    pointer = PROTECT(R_MakeExternalPtr(model, R_NilValue, R_NilValue));
    R_RegisterCFinalizerEx(pointer, free_model, TRUE);
    UNPROTECT(1);
    return pointer;
}

SEXP model_labels(SEXP pointer)
{
    const ardent_model *model = model_of(pointer);
    const R_xlen_t classes = (R_xlen_t)ardent_classes(model);
    SEXP labels = PROTECT(allocVector(STRSXP, classes));
    R_xlen_t k;
    for (k = 0; k < classes; ++k)
        SET_STRING_ELT(labels, k, mkCharCE(ardent_label(model, k), CE_UTF8));
    UNPROTECT(1);
    return labels;
}

/* `columns`: a row of the data in each column. Of classes a column of probabilities for each row, of a
   regression mean and variance. */
SEXP predict_columns(SEXP pointer, SEXP columns)
{
    const ardent_model *model = model_of(pointer);
    const int features = nrows(columns), rows = ncols(columns);
    const int classes = (int)ardent_classes(model), size = classes > 0 ? classes : 2;
    SEXP found = PROTECT(allocMatrix(REALSXP, size, rows));
    int i;
    for (i = 0; i < rows; ++i) {
        const double *row = REAL(columns) + (R_xlen_t)i * features;
        double *p = REAL(found) + (R_xlen_t)i * size;
        const int failed = classes > 0 ? ardent_classify(model, row, features, p) < 0
                                       : ardent_regress(model, row, features, &p[0], &p[1]) != 0;
        if (failed)
            error("%s", ardent_error());
    }
    UNPROTECT(1);
    return found;
}
