"""What the regressors share: targets that are numbers, means with standard deviations."""

import numpy as np
from scipy.special import ndtri
from sklearn.base import RegressorMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from ._base import CoreEstimator
from ._masked import refuse_masked
from ._posterior import interval_quantiles
from ._tables import name_of, target_labels


class CoreRegressor(RegressorMixin, CoreEstimator):
    """Regression: means with the standard deviation of a new observation."""

    _task = "regression"

    def fit(self, X, y, sample_weight=None):
        """Fit the model.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts.

        Returns
        -------
        self
        """
        label_name = name_of(y)
        X, y = self._validated(X, y=y, y_numeric=True)
        self._train(X, target_labels(y), self._weights(X, sample_weight), label_name)
        return self

    def _weights(self, X, sample_weight):
        if sample_weight is None:
            return None
        refuse_masked(sample_weight=sample_weight)
        return _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)

    def predict(self, X, return_std=False):
        """Predict the mean of the target.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        return_std : bool, default=False
            Also return the standard deviation of a new observation, noise included.

        Returns
        -------
        mean : ndarray of shape (n_samples,)
        std : ndarray of shape (n_samples,)
            Only with ``return_std``.
        """
        if return_std:
            return self._moments(X)
        return self._in_precision(self._predicted(X, variance=False)["mean"])

    def predict_interval(self, X, level=0.95):
        """Intervals of new observations.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        level : float, default=0.95
            Probability that an observation lies in its interval, taken as Gaussian.

        Returns
        -------
        low, high : ndarray of shape (n_samples,)
        """
        _, upper = interval_quantiles(level)
        mean, std = self._moments(X)
        spread = (ndtri(upper) * std).astype(std.dtype)
        return mean - spread, mean + spread

    def _moments(self, X):
        """Mean and standard deviation, in the precision that ``X`` had in ``fit``."""
        found = self._predicted(X)
        return self._in_precision(found["mean"]), self._in_precision(np.sqrt(found["variance"]))

    def _in_precision(self, values):
        return values.astype(getattr(self, "_precision", np.float64), copy=False)

    @property
    def noise_variance_(self):
        """Variance of the target about its mean."""
        check_is_fitted(self, "model_")
        return self.model_.posteriors[0]["noise_variance"]
