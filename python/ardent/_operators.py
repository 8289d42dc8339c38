"""Designs that exist as their products alone: linear operators, and rows on other machines."""

import numpy as np
from scipy.sparse.linalg import LinearOperator
from sklearn.utils.validation import (
    assert_all_finite,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
)

from . import _core
from ._masked import refuse_masked
from ._options import thread_count
from ._progress import progress
from ._tables import name_of, table, target_labels
from ._warnings import warn_caller

_COLUMNS_AT_ONCE = 64  # of an operator, for predictions


class OperatorProducts:
    """What the core asks of a design, of a ``scipy.sparse.linalg.LinearOperator``.

    An operator that has a method ``square_norms(beta)``, giving ``sum_i beta_i phi_ik**2`` for every
    column, is asked for it. Otherwise the core estimates these sums by products with random signs.
    """

    def __init__(self, operator):
        self.operator = operator
        self.shape = operator.shape
        own = callable(getattr(operator, "square_norms", None))
        self.square_norms = self._square_norms if own else None

    def matmat(self, W):
        return _product(self.operator.matmat(W), "matmat")

    def rmatmat(self, R):
        try:
            return _product(self.operator.rmatmat(R), "rmatmat")
        except (NotImplementedError, TypeError) as error:
            # SciPy calls a product that was not given, which is None.
            if isinstance(error, TypeError) and "NoneType" not in str(error):
                raise
            raise ValueError(
                "the operator has no products with its transpose: define rmatvec or rmatmat"
            ) from error

    def _square_norms(self, beta):
        return _product(self.operator.square_norms(beta.ravel()), "square_norms").reshape(-1, 1)


def _product(values, name):
    values = np.asarray(values)
    if np.iscomplexobj(values):
        raise ValueError(f"{name} of the operator is complex: a design is real")
    values = np.ascontiguousarray(values, dtype=np.float64)
    if not np.isfinite(values).all():
        raise ValueError(f"{name} of the operator has a value that is not finite")
    return values


class ProductsEstimator:
    """Linear estimators whose ``fit`` and predictions take linear operators, too."""

    def fit(self, X, y, sample_weight=None):
        """Fit the model.

        Parameters
        ----------
        X : array-like, sparse matrix or LinearOperator of shape (n_samples, n_features)
            Of a ``scipy.sparse.linalg.LinearOperator`` products are all that is used
            (docs/dask.md): the engines diagonal (the default there), probes and dqn do with them.
        y : array-like of shape (n_samples,)
            Of a classifier numbers or words.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts.

        Returns
        -------
        self
        """
        if not isinstance(X, LinearOperator):
            return super().fit(X, y, sample_weight)
        label_name = name_of(y)
        labels, weights = self._targets(y, X.shape[0], sample_weight)
        return self._fit_products(OperatorProducts(X), labels, weights, label_name=label_name)

    def _targets(self, y, rows, sample_weight):
        """Labels and weights for the core; of a classifier ``classes_`` as well."""
        refuse_masked(y=y)
        y = column_or_1d(y, warn=True)
        check_consistent_length(y, range(rows))
        if self._task != "regression":
            return self._labels(y), self._weights(y, y, sample_weight)
        y = np.asarray(y, dtype=np.float64)
        assert_all_finite(y, input_name="y")
        return target_labels(y), self._weights(y, sample_weight)

    def _fit_products(self, products, labels, weights, *, scaling=None, names=(), label_name=""):
        """Train on products with a design of scaled columns: see ``_core.train_on_design``."""
        rows, columns = products.shape
        start = getattr(self, "model_", None) if self.warm_start else None
        self._from_file = False
        self._precision = np.dtype(np.float64)
        self.n_features_in_ = int(columns)
        if len(names) > 0:
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        with progress(self.verbose, self.callback) as report:
            self.model_ = _core.train_on_design(
                products,
                int(rows),
                int(columns),
                labels,
                weights,
                self._options(),
                scaling,
                [str(name) for name in names],
                label_name,
                start,
                thread_count(self.n_jobs),
                report,
            )
        self._record_labels()
        self._summarise()
        return self

    def _predicted(self, X, moderated=None, variance=True, probabilities=True):
        if not isinstance(X, LinearOperator):
            return super()._predicted(X, moderated, variance, probabilities)
        check_is_fitted(self, "model_")
        rows = table(self._kept_columns(X), anywhere=self.model_.scale != "none")
        found = _core.predict(
            self.model_.compacted(),
            rows,
            moderated is True,
            moderated is False,
            variance,
            probabilities,
            thread_count(self.n_jobs),
        )
        for text in found["warnings"]:
            warn_caller(text, UserWarning)
        return found

    def _kept_columns(self, operator):
        """The columns of the operator that the model uses."""
        rows, columns = operator.shape
        if columns != self.n_features_in_:
            raise ValueError(
                f"the operator has {columns} columns, but {type(self).__name__} was fitted to "
                f"{self.n_features_in_}"
            )
        used = self.model_.inputs
        found = np.zeros((rows, len(used)))
        for begin in range(0, len(used), _COLUMNS_AT_ONCE):
            some = used[begin : begin + _COLUMNS_AT_ONCE]
            units = np.zeros((columns, len(some)))
            units[some, np.arange(len(some))] = 1
            found[:, begin : begin + len(some)] = _product(operator.matmat(units), "matmat")
        return found
