"""Weights that the evidence keeps: their means, precisions and covariances."""

import copy

import numpy as np
from sklearn.utils.validation import check_is_fitted


class EvidenceWeights:
    """Weights of the basis functions named by ``active_``."""

    def _by_kept(self, name, absent):
        """One array per binary model over ``active_``; ``absent`` where that model pruned."""
        check_is_fitted(self, "model_")
        kept = self._kept()
        values = []
        for part in self.model_.posteriors:
            row = np.full(len(kept), absent)
            row[np.searchsorted(kept, part["active"])] = part[name]
            values.append(row)
        return values

    def _covariances(self):
        """Of each binary model: the covariance, or the variances where it was not formed."""
        for p, part in enumerate(self.model_.posteriors):
            covariance = self.model_.covariance(p)
            yield part, covariance if covariance.size else part["variance"]

    def _rounded(self, values):
        """In the precision that ``X`` had in ``fit``."""
        return values.astype(getattr(self, "_precision", np.float64), copy=False)

    @property
    def coef_(self):
        """Mean weights of ``active_``: (n_active,) for a regression, else one row per binary model.

        Zero where a binary model of several pruned a weight that another one keeps.
        """
        coef = self._rounded(np.array(self._by_kept("mean", 0.0)))
        return coef[0] if self.model_.task == "regression" else coef

    @property
    def intercept_(self):
        """What is added to the weighted sum: a number for a regression, else one per model."""
        check_is_fitted(self, "model_")
        intercept = self._rounded(np.array([part["bias"] for part in self.model_.posteriors]))
        return intercept[0] if self.model_.task == "regression" else intercept

    @property
    def alpha_(self):
        """Prior precisions of the weights of ``active_``.

        Infinite where a binary model of several pruned a weight that another one keeps. (In
        scikit-learn's ``ARDRegression`` these are called ``lambda_``, and ``alpha_`` is the
        precision of the noise: here that is ``1 / noise_variance_``.)
        """
        return self._by_part(self._by_kept("alpha", np.inf))

    @property
    def sigma_(self):
        """Posterior covariance of the weights of ``active_``.

        Where the joint covariance was not formed (beyond 2,000 weights, engines other than exact)
        it holds the variances alone. A list where there are several binary models, each over the
        weights that it keeps.
        """
        check_is_fitted(self, "model_")
        found = []
        for part, covariance in self._covariances():
            m = len(part["active"])
            cut = covariance[:m, :m] if covariance.ndim == 2 else covariance[:m]
            found.append(self._rounded(cut if m > 0 else np.zeros((0, 0))))
        return found[0] if len(found) == 1 else found

    @property
    def sigma_with_intercept_(self):
        """``sigma_`` with the intercept (if any) as its last row and column."""
        check_is_fitted(self, "model_")
        found = [self._rounded(covariance) for _, covariance in self._covariances()]
        return found[0] if len(found) == 1 else found

    def at_stage(self, stage):
        """The estimator as it was after a stage of training; needs ``keep_stages=True``.

        Parameters
        ----------
        stage : int
            From 1 to ``n_iter_``.

        Returns
        -------
        estimator
            A copy that has the mean weights of that stage alone: no precisions, no variances.
        """
        check_is_fitted(self, "model_")
        earlier = copy.copy(self)
        earlier.model_ = self.model_.at_stage(stage)
        earlier.log_evidence_ = earlier.model_.log_evidence
        earlier.active_ = earlier._origin()[earlier._kept()]
        return earlier


class LinearWeights(EvidenceWeights):
    """Weights in the units of ``X``: the scaling that the model keeps is undone.

    With ``scale='tfidf'`` rows are divided by their length, and weights are those of the divided
    rows.
    """

    _map = "linear"

    @property
    def coef_(self):
        """Weights of all features, 0 where pruned: (n_features,) for a regression, else one row per
        binary model."""
        check_is_fitted(self, "model_")
        model = self.model_
        coef = np.zeros((len(model.posteriors), self.n_features_in_))
        factor = model.factor
        for row, part in zip(coef, model.posteriors):
            row[model.inputs[part["active"]]] = part["mean"] * factor[part["active"]]
        coef = self._rounded(coef)
        return coef[0] if model.task == "regression" else coef

    @property
    def intercept_(self):
        """What a row of zeros predicts: a number for a regression, else one per binary model."""
        check_is_fitted(self, "model_")
        model = self.model_
        shift = model.factor * model.offset
        intercept = self._rounded(
            np.array([p["bias"] - np.dot(p["mean"], shift[p["active"]]) for p in model.posteriors])
        )
        return intercept[0] if model.task == "regression" else intercept

    @property
    def feature_importances_(self):
        """Sizes of the weights of the scaled features, averaged over binary models, of sum 1.

        Features are compared as the model scales them, whatever their units: with ``scale='none'``
        in the units of ``X``. Zero where pruned.
        """
        check_is_fitted(self, "model_")
        model = self.model_
        sizes = np.zeros(self.n_features_in_)
        for part in model.posteriors:
            sizes[model.inputs[part["active"]]] += np.abs(part["mean"])
        return shares(sizes)

    @property
    def alpha_(self):
        """Prior precisions of the features in ``active_``, in the units of ``X``.

        Infinite where a binary model of several pruned a feature that another one keeps. (In
        scikit-learn's ``ARDRegression`` these are called ``lambda_``, and ``alpha_`` is the
        precision of the noise: here that is ``1 / noise_variance_``.)
        """
        precisions = self._by_kept("alpha", np.inf)
        return self._by_part(precisions) / self.model_.factor[self._kept()] ** 2

    def _covariances(self):
        for part, covariance in super()._covariances():
            factor = self.model_.factor[part["active"]]
            scale = np.append(factor, 1.0) if part["has_bias"] else factor
            if covariance.ndim == 1:
                yield part, covariance * scale**2
                continue
            units = np.diag(scale)
            if part["has_bias"]:
                units[-1, :-1] = -factor * self.model_.offset[part["active"]]
            yield part, units @ covariance @ units.T


def shares(sizes):
    """Sizes divided by their sum; left alone where that is zero."""
    total = sizes.sum()
    return sizes / total if total > 0 else sizes
