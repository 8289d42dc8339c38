"""Functions: one weighted LASSO, safe screening, LIBSVM files."""

import warnings

import numpy as np
from scipy import sparse

from . import _core
from ._dictionary import Dictionary, checked_columns
from ._masked import refuse_masked
from ._options import thread_count
from ._tables import table


def _checked_problem(Phi, y, weights, threads):
    if not isinstance(Phi, Dictionary):
        Phi = checked_columns(Phi)
    refuse_masked(y=y, weights=weights)
    y = np.ascontiguousarray(y, dtype=np.float64)
    if weights is None:
        weights = np.ones(Phi.shape[1])
    weights = np.ascontiguousarray(weights, dtype=np.float64)
    if y.shape != (Phi.shape[0],) or weights.shape != (Phi.shape[1],):
        raise ValueError(
            f"Phi of shape {Phi.shape} needs y of shape ({Phi.shape[0]},) and weights of shape "
            f"({Phi.shape[1]},), not {y.shape} and {weights.shape}"
        )
    if not isinstance(Phi, Dictionary):
        return _core.dictionary(table(Phi.T), False, threads), y, weights
    return Phi.core, y, weights


def weighted_lasso(Phi, y, weights, lam, nonnegative=False, tol=1e-6, n_jobs=None):
    """Minimise ``|y - Phi theta|^2/2 + lam * sum(weights * |theta|)``.

    Parameters
    ----------
    Phi : array-like, sparse matrix or Dictionary of shape (n_rows, n_columns)
        Column-major arrays and CSC matrices are used in place; for many signals see ``Dictionary``.
    y : array-like of shape (n_rows,)
    weights : array-like of shape (n_columns,) or None
        Penalties, >= 0: at 0 a coefficient is free, at infinity it is left out. None: all 1.
    lam : float
    nonnegative : bool, default=False
        Coefficients >= 0.
    tol : float, default=1e-6
        Duality gap, relative to the objective, at which the solution is accepted.
    n_jobs : int or None, default=None
        Threads; None and -1: all cores.

    Returns
    -------
    ndarray of shape (n_columns,)

    Examples
    --------
    >>> import numpy as np
    >>> from ardent import weighted_lasso
    >>> weighted_lasso(np.eye(3), [3.0, 0.5, -2.0], [1.0, 1.0, 0.5], lam=1.0)
    array([ 2. ,  0. , -1.5])
    """
    threads = thread_count(n_jobs)
    atoms, y, weights = _checked_problem(Phi, y, weights, threads)
    found = _core.weighted_lasso(
        atoms, y, weights, float(lam), bool(nonnegative), float(tol), threads
    )
    theta = np.zeros(len(weights))
    theta[found["active"]] = found["theta"]
    return theta


def screen(Phi, y, weights, lam, test="tht", ball="half", nonnegative=False, n_jobs=None):
    """Find columns that are zero in every solution of the weighted LASSO, without solving it.

    Parameters
    ----------
    Phi : array-like, sparse matrix or Dictionary of shape (n_rows, n_columns)
    y : array-like of shape (n_rows,)
    weights : array-like of shape (n_columns,) or None
        Penalties, as in ``weighted_lasso``.
    lam : float
    test : {'sphere', 'dome', 'tht', 'gap', 'none'}, default='tht'
        The region that bounds the dual optimum: a ball, cut by one or two hyperplanes, or the ball
        of the duality gap.
    ball : {'half', 'paper'}, default='half'
        half: the ball whose diameter is the line from y to its feasible multiple; paper: the
        published one of twice that radius.
    nonnegative : bool, default=False
    n_jobs : int or None, default=None

    Returns
    -------
    ndarray of bool of shape (n_columns,)
        True: rejected.

    Examples
    --------
    >>> import numpy as np
    >>> from ardent import screen
    >>> screen(np.eye(3), [3.0, 0.5, -2.9], None, lam=2.5)
    array([False,  True, False])
    """
    threads = thread_count(n_jobs)
    atoms, y, weights = _checked_problem(Phi, y, weights, threads)
    kept = _core.screen(atoms, y, weights, float(lam), test, ball, bool(nonnegative), threads)
    rejected = np.ones(len(weights), dtype=bool)
    rejected[kept] = False
    return rejected


def read_libsvm(path, n_features=0, n_jobs=None):
    """Read a LIBSVM file, which may be compressed, as the command line does.

    Parameters
    ----------
    path : str or path-like
    n_features : int, default=0
        Number of columns, for a file whose last ones may be empty; 0: the highest index present.
    n_jobs : int or None, default=None
        Threads; None and -1: all cores.

    Returns
    -------
    X : csr_matrix of float32, or ndarray of float64 of shape (n_samples, n_features)
        An array where at least a quarter of the entries are not zero.
    y : ndarray of shape (n_samples,)
        Numbers, or words where some label is not a number.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from ardent import read_libsvm
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "two.libsvm")
    ...     _ = path.write_text("1 1:0.5 3:2\\n-1 2:1\\n")
    ...     X, y = read_libsvm(path)
    >>> X
    array([[0.5, 0. , 2. ],
           [0. , 1. , 0. ]])
    >>> y
    array([ 1., -1.])
    """
    found = _core.read_libsvm(str(path), n_features, thread_count(n_jobs))
    for text in found["warnings"]:
        warnings.warn(text, UserWarning, stacklevel=2)
    y = np.asarray(found["labels"])
    if "values" in found:
        return found["values"].reshape(found["shape"]), y
    arrays = (found["data"], found["indices"], found["indptr"])
    X = sparse.csr_matrix(arrays, shape=found["shape"], copy=False)
    X.has_sorted_indices = True
    return X, y
