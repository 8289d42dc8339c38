"""From Dask's collections to blocks of rows, which stay on the workers."""

import pathlib

import dask
import dask.array
import dask.bag
import numpy as np
from scipy import sparse


def is_collection(X):
    """Is it a Dask array, data frame, series or bag?"""
    return dask.is_dask_collection(X)


def is_frame(X):
    """Is it a Dask data frame?"""
    return is_collection(X) and hasattr(X, "to_dask_array") and hasattr(X, "columns")


def column_names(X):
    """The names of a frame's columns, if they are words; else none."""
    names = list(getattr(X, "columns", ())) if is_frame(X) else []
    return names if all(isinstance(name, str) for name in names) else []


def row_blocks(X):
    """``(rows, labels)``: two lists of delayed blocks; ``labels`` is None where X has none."""
    if isinstance(X, dask.bag.Bag):
        parts = [dask.delayed(read_rows)(items) for items in X.to_delayed()]
        parts = dask.persist(*parts)
        return [part[0] for part in parts], [part[1] for part in parts]
    if is_frame(X):
        X = X.to_dask_array()
    if not isinstance(X, dask.array.Array) or X.ndim != 2:
        raise ValueError(
            "rows on workers must be a Dask array of two dimensions, a Dask data frame, or a bag of "
            f"files or (X, y) pairs, not {type(X).__name__}"
        )
    if X.shape[1] != X.shape[1]:  # NaN: unknown
        raise ValueError("the number of columns of the Dask array is not known: set its chunks")
    if len(X.chunks[1]) > 1:
        X = X.rechunk({1: X.shape[1]})
    return list(X.to_delayed().ravel()), None


def in_memory(y):
    """Labels or weights as one array here: N numbers."""
    if is_collection(y):
        (y,) = dask.compute(y)
    return np.asarray(y)


def read_rows(items):
    """``(X, y)`` of the items of a partition: names of files, arrays, or pairs of rows and labels."""
    parts = [_rows_and_labels(item) for item in items]
    if not parts:
        return None, None
    rows = [rows for rows, _ in parts]
    labels = [labels for _, labels in parts if labels is not None]
    if labels and len(labels) < len(parts):
        raise ValueError("some of the files have labels and some have none")
    return _stacked(rows), np.concatenate(labels) if labels else None


def read_features(item):
    """The rows of one item of a bag."""
    return _rows_and_labels(item)[0]


def _rows_and_labels(item):
    if isinstance(item, (str, pathlib.Path)):
        path = pathlib.Path(item)
        if path.suffix == ".npy":
            return np.load(path), None
        if path.suffix == ".npz":
            return sparse.load_npz(path).tocsr(), None
        from .. import read_libsvm

        return read_libsvm(path, n_jobs=1)
    if isinstance(item, (tuple, list)) and len(item) == 2:
        rows, labels = item
        return _as_rows(rows), np.asarray(labels)
    return _as_rows(item), None


def _as_rows(rows):
    return rows.tocsr() if sparse.issparse(rows) else np.atleast_2d(np.asarray(rows))


def _stacked(blocks):
    """Rows beneath each other, as wide as the widest: LIBSVM text leaves out zeros at the end."""
    width = max(block.shape[1] for block in blocks)
    blocks = [widened(block, width) for block in blocks]
    if any(sparse.issparse(block) for block in blocks):
        return sparse.vstack([sparse.csr_matrix(block) for block in blocks], format="csr")
    return np.concatenate(blocks)


def widened(block, width):
    """The block with columns of zeros at its end."""
    missing = width - block.shape[1]
    if missing == 0:
        return block
    if sparse.issparse(block):
        return sparse.csr_matrix((block.data, block.indices, block.indptr), (block.shape[0], width))
    return np.pad(block, ((0, 0), (0, missing)))
