"""Relevance vector machines: which training points matter?"""

import numpy as np
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._classification import CoreClassifier
from ._posterior import GaussianPredictors
from ._regression import CoreRegressor
from ._schema import trained
from ._tables import table, with_short_indices
from ._weights import EvidenceWeights


def _centres(X, weights):
    """Rows that count, each once however often it is given: as the core's own kernel has it."""
    dense = not hasattr(X, "indptr")
    X = X if dense else X.tocsr()
    seen = {}
    for i in range(X.shape[0]):
        if weights is not None and weights[i] == 0:
            continue
        part = slice(None) if dense else slice(X.indptr[i], X.indptr[i + 1])
        key = X[i].tobytes() if dense else (X.indices[part].tobytes(), X.data[part].tobytes())
        seen.setdefault(key, i)
    return np.array(list(seen.values()))


class KernelMap:
    """Kernels to the training rows: the core's Gaussian one, or any that Python computes.

    For the latter the core is given the kernel matrix as a linear map without scaling. What it
    keeps are training rows, and new rows need kernels to those alone.
    """

    _map = "rbf"

    def _kernel_matrix(self, X, Z):
        if Z.shape[0] == 0:
            return np.zeros((X.shape[0], 0))
        X, Z = with_short_indices(X), with_short_indices(Z)
        parameters = self.kernel_params or {}
        if callable(self.kernel):
            K = np.asarray(self.kernel(X, Z, **parameters), dtype=np.float64)
        else:
            K = pairwise_kernels(X, Z, metric=self.kernel, **parameters)
        if K.shape != (X.shape[0], Z.shape[0]):
            raise ValueError(
                f"the kernel of {X.shape[0]} and {Z.shape[0]} rows must be a matrix of that shape, "
                f"not {K.shape}"
            )
        return K

    def _train(self, X, labels, weights, label_name=""):
        if hasattr(self, "_rows_kept"):  # of an earlier fit
            del self._rows_kept
            if self.warm_start:
                raise ValueError(
                    f"no warm start for the kernel {self.kernel!r}: its model knows no other rows"
                )
        self._refuse_idle()
        if isinstance(self.kernel, str) and self.kernel == "rbf":
            super()._train(X, labels, weights, label_name)
            self.relevance_vectors_ = X[self.model_.origin]
            return
        precomputed = isinstance(self.kernel, str) and self.kernel == "precomputed"
        if precomputed and X.shape[0] != X.shape[1]:
            raise ValueError(f"a precomputed kernel must be square, rows by rows, not {X.shape}")
        centres = None if precomputed else _centres(X, weights)
        K = X if precomputed else self._kernel_matrix(X, X[centres])
        options = self._options()
        options.update(map="linear", scale="none", sigma="auto")
        options["engine"] = _core.choose_engine(options["engine"], "rbf", *K.shape)
        self._train_rows(table(K, label_name=label_name), labels, weights, options)
        if not precomputed:
            self.active_ = centres[self.active_]
            self._rows_kept = centres[self.model_.origin]
            self.relevance_vectors_ = X[self._rows_kept]
            self.model_ = self.model_.compacted()

    def _refuse_idle(self):
        """Keywords that have no effect with the kernel are refused, as the core does."""
        named = self.kernel if isinstance(self.kernel, str) else ""
        idle = {}
        if named in ("rbf", "precomputed"):
            idle["kernel_params"] = self.kernel_params or None
        if named != "rbf":
            idle.update(sigma=self.sigma, scale=self.scale)
        for name, value in idle.items():
            if value is not None and not (isinstance(value, str) and value in ("auto", "none")):
                where = "other kernels" if name == "kernel_params" else "the kernel 'rbf'"
                raise ValueError(f"{name}= belongs to {where}; the kernel is {self.kernel!r}")

    def _origin(self):
        return getattr(self, "_rows_kept", self.model_.origin)

    def _rows_to_predict(self, X):
        if isinstance(self.kernel, str) and self.kernel in ("rbf", "precomputed"):
            return super()._rows_to_predict(X)
        return table(self._kernel_matrix(X, self.relevance_vectors_))

    def save(self, path):
        """Write a model file, which ``ardent predict`` and ``ardent.load`` read.

        With a precomputed kernel it is a linear model of the columns of the kernel. A model whose
        kernel Python computes cannot be written: pickle the estimator instead.

        Parameters
        ----------
        path : str or path-like
            The file is written whole or not at all.
        """
        check_is_fitted(self, "model_")
        if callable(self.kernel) or self.kernel not in ("rbf", "precomputed"):
            raise ValueError(
                f"a model file cannot hold the kernel {self.kernel!r}, which Python computes: "
                "pickle the estimator instead"
            )
        super().save(path)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags


@trained
class RVMClassifier(KernelMap, EvidenceWeights, GaussianPredictors, CoreClassifier):
    """Relevance vector machine: a kernel classifier that keeps few training rows.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    active_ : ndarray
        Training rows that some binary model keeps.
    relevance_vectors_ : ndarray or sparse matrix of shape (n_active, n_features)
        Those rows (with ``keep_stages=True``, those of every stage); not for a precomputed kernel.
    coef_ : ndarray of shape (n_models, n_active)
        Mean weights of the rows in ``active_``.
    intercept_ : ndarray of shape (n_models,)
    {posterior}
    {stages}
    report_ : dict
        Status, warnings and seconds, and for each binary model the log evidence and the number of
        weights kept after each stage.
    {fitted}

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from ardent import RVMClassifier
    >>> X, y = make_moons(200, noise=0.2, random_state=1)
    >>> model = RVMClassifier(sigma=0.5).fit(X, y)
    >>> len(model.relevance_vectors_) < 20
    True
    >>> model.score(X, y) > 0.95
    True
    """

    _own = ("kernel", "kernel_params", "moderated", "warm_start")


@trained
class RVMRegressor(KernelMap, EvidenceWeights, CoreRegressor):
    """Relevance vector machine for regression, with error bars.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    active_ : ndarray
        Training rows that are kept.
    relevance_vectors_ : ndarray or sparse matrix of shape (n_active, n_features)
        Those rows (with ``keep_stages=True``, those of every stage); not for a precomputed kernel.
    coef_ : ndarray of shape (n_active,)
        Mean weights of the rows in ``active_``.
    intercept_ : float
    {posterior}
    noise_variance_ : float
    {stages}
    report_ : dict
        Status, warnings and seconds; log evidence and number of weights kept after each stage.
    {fitted}

    Examples
    --------
    >>> import numpy as np
    >>> from ardent import RVMRegressor
    >>> X = np.linspace(-10, 10, 100)[:, None]
    >>> y = np.sinc(X[:, 0] / np.pi) + np.random.default_rng(0).normal(scale=0.1, size=100)
    >>> model = RVMRegressor().fit(X, y)
    >>> mean, std = model.predict(X, return_std=True)
    >>> len(model.active_) < 15
    True
    """

    _own = ("kernel", "kernel_params", "warm_start")
