"""Rows on the workers: their scaling, and their products with vectors."""

import uuid
import warnings

import dask
import numpy as np
from scipy import sparse

from ._collections import row_blocks, widened

_ATTEMPTS = 4  # to compute a graph whose workers go away
_SMALL = 2**16  # bytes of vectors that go with each task instead of being one
_GATHERED = 2**22  # bytes of partial sums that are added here, not by a tree of tasks


def computed(*tasks):
    """``dask.compute`` that tries again where a worker was lost with what it held."""
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            with warnings.catch_warnings():
                # Vectors of a product are part of its graph, so that they outlive any worker.
                warnings.filterwarnings("ignore", message="Sending large graph")
                return dask.compute(*tasks, traverse=False)
        except Exception as error:
            if attempt == _ATTEMPTS or not _is_loss(error):
                raise


def _is_loss(error):
    """Was it a worker that failed, not the work?"""
    return isinstance(error, OSError) or type(error).__name__ in (
        "KilledWorker",
        "CommClosedError",
        "FutureCancelledError",
        "FuturesCancelledError",
        "CancelledError",
    )


def _task(function, *arguments):
    return dask.delayed(function, pure=False, traverse=False)(*arguments)


def _constant(value):
    """A value as one task of a graph, however many others take it; small ones as they are."""
    if value.nbytes <= _SMALL:
        return value
    return dask.delayed(value, name=f"vectors-{uuid.uuid4().hex}", traverse=False)


def _sum(values, add):
    """The sum in a tree of a fixed shape: the same bits wherever it is added."""
    while len(values) > 1:
        pairs = [add(*values[k : k + 2]) for k in range(0, len(values) - 1, 2)]
        values = pairs + list(values[2 * len(pairs) :])
    return values[0]


class WorkerRows:
    """Blocks of rows, one per partition, kept in the workers' memory."""

    def __init__(self, X):
        blocks, self._labels = row_blocks(X)
        shapes = computed(*[_task(_shape, block) for block in blocks])
        kept = [k for k, shape in enumerate(shapes) if shape[0] > 0]
        if not kept:
            raise ValueError("there are no rows")
        columns = max(shapes[k][1] for k in kept)
        is_sparse = any(shapes[k][2] for k in kept)
        self.counts = [shapes[k][0] for k in kept]
        self.shape = (sum(self.counts), columns)
        self.is_sparse = is_sparse
        if self._labels is not None:
            self._labels = [self._labels[k] for k in kept]
        self.blocks = dask.persist(
            *[_task(_checked, blocks[k], columns, is_sparse) for k in kept], traverse=False
        )
        self._bounds = np.cumsum([0, *self.counts])

    def labels(self):
        """What the files said, here; None where they had no labels."""
        if self._labels is None:
            return None
        parts = computed(*self._labels)
        return None if any(part is None for part in parts) else np.concatenate(parts)

    def pieces(self, values):
        """The part of an array over rows that belongs to each block."""
        return [values[a:b] for a, b in zip(self._bounds[:-1], self._bounds[1:])]

    def over_rows(self, function, vectors):
        """The sum over blocks of ``function(block, its rows of the vectors)``, columns × k."""
        pieces = self.pieces(vectors)
        tasks = [_task(function, block, own) for block, own in zip(self.blocks, pieces)]
        if 8 * len(tasks) * self.shape[1] * vectors.shape[1] <= _GATHERED:
            return np.ascontiguousarray(_sum(computed(*tasks), np.add))
        return np.ascontiguousarray(computed(_sum(tasks, lambda a, b: _task(np.add, a, b)))[0])

    def extremes(self):
        """Smallest and largest value of each column."""
        parts = computed(*[_task(_extremes, block) for block in self.blocks])
        return np.min([low for low, _ in parts], axis=0), np.max(
            [high for _, high in parts], axis=0
        )

    def scaled(self, offset, factor):
        """These rows with columns ``(x - offset) * factor``, on the workers."""
        other = object.__new__(WorkerRows)
        other.__dict__.update(self.__dict__)
        offset, factor = _constant(offset), _constant(factor)
        other.blocks = dask.persist(
            *[_task(_scaled, block, offset, factor) for block in self.blocks], traverse=False
        )
        return other


class RowProducts:
    """The products that the core asks for, as graphs over the blocks."""

    def __init__(self, rows):
        self.rows, self.shape = rows, rows.shape

    def matmat(self, W):
        W = _constant(W)
        parts = computed(*[_task(_times, block, W) for block in self.rows.blocks])
        return np.ascontiguousarray(np.concatenate(parts))

    def rmatmat(self, R):
        return self.rows.over_rows(_transposed_times, R)

    def square_norms(self, beta):
        return self.rows.over_rows(_square_norms, beta)


def scaling_of(rows, kind, weights):
    """``(kind, offset, factor)`` as the core would fit it to these rows."""
    if kind == "auto":
        kind = "rms" if rows.is_sparse else "minmax"
    columns = rows.shape[1]
    counts = np.ones(rows.shape[0]) if weights is None else np.asarray(weights, dtype=np.float64)
    if kind == "none":
        return kind, np.zeros(columns), np.ones(columns)
    if kind == "tfidf":
        raise ValueError("scale='tfidf' is not for rows on workers: use 'rms' or 'none'")
    if kind == "rms":
        squares = rows.over_rows(_square_norms, counts[:, None])[:, 0]
        return kind, np.zeros(columns), _inverse(np.sqrt(squares / counts.sum()))
    if rows.is_sparse:
        raise ValueError(f"scale={kind!r} would make sparse rows dense: use 'rms' or 'none'")
    low, high = rows.extremes()
    if kind == "minmax":
        return kind, high / 2 + low / 2, _inverse(high / 2 - low / 2)
    mean = rows.over_rows(_transposed_times, counts[:, None])[:, 0] / counts.sum()
    centred = rows.scaled(mean, np.ones(columns))
    squares = centred.over_rows(_square_norms, counts[:, None])[:, 0]
    factor = np.where(low == high, 0.0, _inverse(np.sqrt(squares / counts.sum())))
    return kind, mean, factor


def _inverse(spread):
    with np.errstate(divide="ignore", over="ignore"):
        inverse = 1 / spread
    return np.where((spread > 0) & np.isfinite(inverse), inverse, 0.0)


# What workers do with a block.


def _shape(block):
    return (0, 0, False) if block is None else (*block.shape, sparse.issparse(block))


def _checked(block, columns, is_sparse):
    """The block as the products take it: float64, finite, CSR where some block is."""
    if is_sparse:
        # As in memory: sparse values have 32 bits.
        block = sparse.csr_matrix(widened(block, columns), dtype=np.float32).astype(np.float64)
    else:
        block = np.ascontiguousarray(widened(np.asarray(block), columns), dtype=np.float64)
    if not np.isfinite(block.data if is_sparse else block).all():
        raise ValueError("X contains NaN, infinity or a value too large")
    return block


def _extremes(block):
    return block.min(axis=0), block.max(axis=0)


def _scaled(block, offset, factor):
    if sparse.issparse(block):
        return sparse.csr_matrix(block.multiply(factor))
    return (block - offset) * factor


def _times(block, W):
    return block @ W


def _transposed_times(block, R):
    return block.T @ R


def _square_norms(block, beta):
    squares = block.multiply(block) if sparse.issparse(block) else block**2
    return squares.T @ beta
