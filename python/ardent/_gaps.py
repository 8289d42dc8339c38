"""What to say of missing values and words in X: which column, and what fills it in."""

import numpy as np
from scipy import sparse

_SHOWN = 5  # columns that a message names


def explained(error, X, estimator):
    """``error`` of scikit-learn's validation, with the columns that it is about; or as it is.

    Parameters
    ----------
    error : ValueError
    X : what was given as rows
    estimator : str
        Name of the class, for the pipeline that the message shows.

    Returns
    -------
    ValueError
    """
    text = str(error)
    if sparse.issparse(X) or not ("Input X contains NaN" in text or "string to float" in text):
        return error
    columns = _columns(X)
    gaps = [(name, _count(values, _is_gap)) for name, values in columns]
    gaps = [(name, count) for name, count in gaps if count]
    words = [name for name, values in columns if _count(values, _is_word)]
    first = text.split("\n")[0].rstrip(".")
    if words:
        return ValueError(
            f"{first}. X holds words in {_listed(words)}: "
            "make_pipeline(make_column_transformer((OneHotEncoder(), columns), "
            f"remainder='passthrough'), {estimator}()) makes numbers of them"
        )
    if gaps:
        counted = [f"{name} ({count} rows)" for name, count in gaps]
        return ValueError(
            f"{first}. Values are missing in {_listed(counted)}: "
            f"make_pipeline(SimpleImputer(), {estimator}()) fills them in "
            "(sklearn.impute; add_indicator=True shows the model where)"
        )
    return error


def _columns(X):
    """Name and values of each column; none where X is no table."""
    if hasattr(X, "columns"):
        return [(f"column {name!r}", X[name].to_numpy(dtype=object)) for name in X.columns]
    table = np.asarray(X, dtype=object)
    if table.ndim != 2:
        return []
    return [(f"column {k} (from 0)", table[:, k]) for k in range(table.shape[1])]


def _count(values, holds):
    return sum(1 for value in values if holds(value))


def _is_gap(value):
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating)) and np.isnan(value)


def _is_word(value):
    if not isinstance(value, str):
        return False
    try:
        float(value)
    except ValueError:
        return True
    return False


def _listed(names):
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
