"""A dictionary made ready once, for many calls."""

import numpy as np
from scipy import sparse
from sklearn.utils import check_array

from . import _core
from ._masked import refuse_masked
from ._options import thread_count
from ._tables import aligned, table


class Dictionary:
    """Columns to code with, checked, copied and measured once.

    ``weighted_lasso`` and ``screen`` take it in place of ``Phi``: with an array they do all this in
    every call, which for a large one takes longer than the solution.

    Parameters
    ----------
    Phi : array-like or sparse matrix of shape (n_rows, n_columns)
        What becomes of it later has no effect.
    n_jobs : int or None, default=None
        Threads; None and -1: all cores.

    Attributes
    ----------
    shape : tuple
        (n_rows, n_columns)

    Examples
    --------
    >>> import numpy as np
    >>> from ardent import Dictionary, weighted_lasso
    >>> Phi = Dictionary(np.eye(3))
    >>> weighted_lasso(Phi, [3.0, 0.5, -2.0], None, lam=1.0)
    array([ 2.,  0., -1.])
    >>> weighted_lasso(Phi, [0.0, 4.0, 0.0], None, lam=1.0)
    array([0., 3., 0.])
    """

    def __init__(self, Phi, n_jobs=None):
        Phi = checked_columns(Phi)
        self.shape = Phi.shape
        self.core = _core.dictionary(table(own_rows(Phi.T)), False, thread_count(n_jobs))

    def __repr__(self):
        return f"Dictionary({self.shape[0]} x {self.shape[1]})"


def checked_columns(Phi):
    """``Phi`` as an array or a sparse matrix of numbers."""
    refuse_masked(Phi=Phi)
    return check_array(Phi, accept_sparse=("csc", "csr"), dtype=(np.float64, np.float32))


def own_rows(X):
    """A copy that nobody else changes: lengths computed once stay those of the atoms."""
    return X.copy() if sparse.issparse(X) else aligned(X)
