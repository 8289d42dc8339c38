"""What the posterior leaves open: deviations and intervals of probabilities."""

import numpy as np
from scipy.special import expit, ndtri
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._options import thread_count
from ._tables import class_places

_DRAWS = 400  # of each predictor, at evenly spaced quantiles
_NUMBERS = 2**22  # held at a time


def interval_quantiles(level):
    """The two quantiles of an interval that holds with this probability."""
    if not 0 < level < 1:
        raise ValueError(f"level must be above 0 and below 1, not {level!r}")
    return (1 - level) / 2, (1 + level) / 2


def _normal_draws(parts):
    """(_DRAWS, parts): every part's at the same quantiles, in an order of its own."""
    quantiles = ndtri((np.arange(_DRAWS) + 0.5) / _DRAWS)
    rng = np.random.default_rng(0)
    return np.column_stack([rng.permutation(quantiles) for _ in range(parts)])


def sigmoid_deviation(mean, variance):
    """Standard deviation of the sigmoid of a Gaussian, by the trapezoidal rule.

    Of the smaller of p and 1 - p, whose deviation is the same: nothing cancels.
    """
    nodes = np.linspace(-8, 8, 401)
    weights = np.exp(-(nodes**2) / 2)
    weights /= weights.sum()
    found = np.empty(len(mean))
    block = _NUMBERS // len(nodes)
    for begin in range(0, len(mean), block):
        some = slice(begin, begin + block)
        spread = np.sqrt(variance[some, None]) * nodes
        p = expit(-np.abs(mean[some, None]) + spread)
        found[some] = np.sqrt(np.maximum(0, p**2 @ weights - (p @ weights) ** 2))
    return found


class PosteriorProbabilities:
    """For classifiers whose weights have a posterior."""

    def _latent(self, X):
        check_is_fitted(self, "model_")
        return _core.latent(self.model_, self._rows(X), thread_count(self.n_jobs))

    def latent_mean_and_variance(self, X):
        """Mean and variance of the predictors, the log-odds before they become probabilities.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        mean, variance : ndarray of shape (n_samples,) or (n_samples, n_models)
            For two classes the log-odds of ``classes_[1]``; for more, one column per binary model.
            Where the joint covariance of the weights was not formed, they are taken as independent,
            which makes variances too large where features overlap.
        """
        found = self._latent(X)
        mean, variance = found["mean"], found["variance"]
        return (mean[:, 0], variance[:, 0]) if mean.shape[1] == 1 else (mean, variance)

    def predict_proba(self, X, return_std=False):
        """Probabilities of the classes, in the order of ``classes_``.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        return_std : bool, default=False
            Also return how far the posterior of the weights leaves each probability open.

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
        std : ndarray of shape (n_samples, n_classes)
            Posterior standard deviations of the probabilities; only with ``return_std``.
        """
        probabilities = super().predict_proba(X)
        if not return_std:
            return probabilities
        found = self._latent(X)
        if found["mean"].shape[1] > 1 or found["draws"]:
            return probabilities, self._of_draws(found, lambda draws: draws.std(axis=0))
        std = sigmoid_deviation(found["mean"][:, 0], found["variance"][:, 0])
        return probabilities, np.column_stack([std, std])

    def predict_interval(self, X, level=0.95):
        """Credible intervals of the probabilities of the classes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        level : float, default=0.95
            Posterior probability of the interval.

        Returns
        -------
        low, high : ndarray of shape (n_samples, n_classes)
        """
        quantiles = interval_quantiles(level)
        found = self._latent(X)
        if found["mean"].shape[1] > 1 or found["draws"]:
            ends = self._of_draws(
                found, lambda draws: np.quantile(draws, quantiles, axis=0), axis=1
            )
            return ends[0], ends[1]
        # One Gaussian predictor: a probability's quantiles are those of the predictor.
        spread = ndtri(quantiles[1]) * np.sqrt(found["variance"])
        ends = found["mean"] - spread, found["mean"] + spread
        low = np.hstack([expit(-ends[1]), expit(ends[0])])
        return low, np.hstack([expit(-ends[0]), expit(ends[1])])

    def _of_draws(self, found, summary, axis=0):
        """``summary`` of draws of the probabilities (draws, rows, classes), by blocks of rows.

        ``axis``: that of the rows in the summary.
        """
        rows, parts = found["mean"].shape
        normal = None if found["draws"] else _normal_draws(parts)
        count = _DRAWS if normal is not None else min(d.shape[1] for d in found["draws"])
        block = max(1, _NUMBERS // (count * max(parts, len(self.classes_))))
        blocks = []
        for begin in range(0, rows, block):
            some = slice(begin, begin + block)
            if normal is None:
                f = np.stack([d[some, :count].T for d in found["draws"]], axis=-1)
            else:
                f = found["mean"][some] + np.sqrt(found["variance"][some]) * normal[:, None, :]
            blocks.append(summary(self._class_draws(f)))
        return np.concatenate(blocks, axis=axis)

    def _class_draws(self, f):
        """Probabilities of the classes from the predictors (draws, rows, parts) of the parts."""
        flat = np.ascontiguousarray(expit(f).reshape(-1, f.shape[-1]))
        combined = _core.combine(self.model_, flat, thread_count(self.n_jobs))
        classes = np.zeros((len(flat), len(self.classes_)))
        classes[:, class_places(self.model_, self.classes_)] = combined
        return classes.reshape(*f.shape[:2], -1)


class GaussianPredictors(PosteriorProbabilities):
    """The same where each predictor's posterior is a Gaussian."""

    _sign_decides = True

    def _log_odds(self, X):
        # Of the predictor, not of the probability, which rounds to 1 early.
        mean, variance = self.latent_mean_and_variance(X)
        if self._moderated() is False or self.model_.covariance(0).size == 0:
            return mean
        return mean / np.sqrt(1 + np.pi / 8 * variance)
