"""Arrays, sparse matrices and labels as the core takes them, copied only where layouts differ."""

import re
import warnings

import numpy as np
from scipy import sparse

from . import _core


def table(X, names=(), label_name="", anywhere=False):
    """The rows of ``X`` for the core, with the names of its columns and of the labels' column.

    Row-major float64 arrays are looked at in place where they begin at a multiple of 64 bytes;
    others are copied to that, so that sums have the command line's bits, unless ``anywhere`` says
    that the core copies rows before it adds them up. Sparse matrices
    stay sparse: the core keeps their values in float32, so that float32 CSR is looked at in place
    (indices included) and float64 values are rounded into a copy; CSC serves as the columns that
    the engines need beside the rows.
    """
    if sparse.issparse(X):
        found = _sparse_table(X)
    else:
        found = _core.dense_table(np.ascontiguousarray(X, dtype=np.float64), anywhere)
    found.names = [str(name) for name in names]
    found.label_name = label_name
    return found


def aligned(X):
    """A row-major float64 copy that begins at a multiple of 64 bytes: ``table`` takes it in place."""
    memory = np.empty(X.size + 8)
    begin = -memory.ctypes.data % 64 // 8
    rows = memory[begin : begin + X.size].reshape(X.shape)
    rows[...] = X
    return rows


def _sparse_table(X):
    if X.format not in ("csr", "csc"):
        X = X.tocsr()
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    if np.count_nonzero(X.data) != X.data.size:
        X = X.copy()
        X.eliminate_zeros()
    values = X.data
    if values.dtype != np.float32:
        with np.errstate(over="ignore"):
            values = values.astype(np.float32)
        if not np.isfinite(values).all():
            raise ValueError("sparse values are kept in float32, and one is beyond its range")
        vanished = X.data.size - np.count_nonzero(values)
        if vanished:
            warnings.warn(
                f"{vanished} sparse values other than 0 are too small for float32 and count as 0",
                UserWarning,
                stacklevel=2,
            )
    if max(X.shape) > np.iinfo(np.int32).max:
        raise ValueError(f"sparse data of shape {X.shape}: at most 2**31 - 1 rows and columns")
    indices = X.indices.astype(np.int32, copy=False)
    indptr = X.indptr if X.indptr.dtype in (np.int32, np.int64) else X.indptr.astype(np.int64)
    make = _core.csr_table if X.format == "csr" else _core.csc_table
    return make(indptr, indices, np.ascontiguousarray(values), *X.shape)


def with_short_indices(X):
    """Sparse rows whose indices have 32 bits, which is all that scikit-learn's kernels take."""
    if not sparse.issparse(X) or max(*X.shape, X.nnz) > np.iinfo(np.int32).max:
        return X
    arrays = X.data, X.indices.astype(np.int32, copy=False), X.indptr.astype(np.int32, copy=False)
    return type(X)(arrays, shape=X.shape)


def class_labels(y):
    """``(classes, labels)``: the sorted classes, and the labels for the core.

    Numbers stay numbers, so that the class of a model file is the number that the command line
    reads; everything else is a word.
    """
    classes, ids = np.unique(y, return_inverse=True)
    if classes.dtype.kind in "iuf":
        return classes, _core.numeric_labels(np.ascontiguousarray(y, dtype=np.float64))
    names = [str(name) for name in classes]
    return classes, _core.text_labels(names, ids.astype(np.uint32).ravel())


def class_places(model, classes):
    """For each class of the model its place in ``classes``."""
    values = model.class_values
    if len(values) > 0 and classes.dtype.kind in "iuf":
        return np.searchsorted(classes.astype(np.float64), values)
    place = {str(name): k for k, name in enumerate(classes)}
    return np.array([place[name] for name in model.class_names])


# What a model file may name as the type of its labels: truth values, numbers, words.
_LABEL_TYPE = re.compile(r"\|b1|\|O|[|<>][iu][1248]|[<>]f[248]|[<>]U\d{1,6}")


def _plain_classes(model):
    values = model.class_values
    if len(values) == 0:
        return np.unique(np.array(model.class_names))
    whole = np.all(values == np.floor(values)) and np.all(np.abs(values) < 2**53)
    return np.unique(values.astype(np.int64) if whole else values)


def classes_of(model):
    """The classes of a model that came from a file, sorted, of the type that they were given in."""
    classes = _plain_classes(model)
    if not _LABEL_TYPE.fullmatch(model.label_type):
        return classes
    kind = np.dtype(model.label_type)
    if kind.kind == "b":
        return np.unique(classes == "True")
    return classes.astype(kind)


def record_label_type(model, classes):
    """Let the model file say what type the labels had, where its classes alone do not."""
    kind = classes.dtype
    needed = kind != _plain_classes(model).dtype and _LABEL_TYPE.fullmatch(kind.str)
    model.label_type = kind.str if needed else ""


def target_labels(y):
    """A regression target for the core."""
    return _core.numeric_labels(np.ascontiguousarray(y, dtype=np.float64))


def name_of(y):
    """Name of a pandas column; empty for anything else."""
    name = getattr(y, "name", None)
    return name if isinstance(name, str) else ""
