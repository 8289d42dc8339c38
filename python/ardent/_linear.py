"""Linear models: which features matter?"""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ._classification import CoreClassifier
from ._regression import CoreRegressor
from ._schema import trained


class LinearWeights:
    """Weights in the units of ``X``: the scaling that the model keeps is undone.

    With ``scale='tfidf'`` rows are divided by their length, and weights are those of the divided
    rows.
    """

    _map = "linear"

    @property
    def coef_(self):
        """Weights of all features, 0 where pruned: (n_features,) for a regression, else a row a
        binary model."""
        check_is_fitted(self, "model_")
        model = self.model_
        coef = np.zeros((len(model.posteriors), self.n_features_in_))
        factor = model.factor
        for row, part in zip(coef, model.posteriors):
            row[model.inputs[part["active"]]] = part["mean"] * factor[part["active"]]
        return coef[0] if self.model_.task == "regression" else coef

    @property
    def intercept_(self):
        """What a row of zeros predicts: a number for a regression, else one a binary model."""
        check_is_fitted(self, "model_")
        model = self.model_
        shift = model.factor * model.offset
        intercept = np.array(
            [p["bias"] - np.dot(p["mean"], shift[p["active"]]) for p in model.posteriors]
        )
        return intercept[0] if self.model_.task == "regression" else intercept

    @property
    def alpha_(self):
        """Prior precisions of the features in ``active_``, in the units of ``X``.

        Infinite where a binary model of several pruned a feature that another one keeps.
        """
        return super().alpha_ / self.model_.factor[self._kept()] ** 2

    @property
    def sigma_(self):
        """Posterior covariance of the weights of ``active_`` and, last, of the intercept (if any),
        in the units of ``X``.

        Where the joint covariance was not formed (beyond 2,000 weights, engines other than exact)
        it holds the variances of the weights and of the bias of the scaled features. A list where
        there are several binary models, each over the features that it keeps.
        """
        check_is_fitted(self, "model_")
        found = []
        for p, part in enumerate(self.model_.posteriors):
            covariance = self.model_.covariance(p)
            factor = self.model_.factor[part["active"]]
            if covariance.size == 0:
                units = np.append(factor, 1.0) if part["has_bias"] else factor
                found.append(part["variance"] * units**2)
                continue
            units = np.diag(np.append(factor, 1.0) if part["has_bias"] else factor)
            if part["has_bias"]:
                units[-1, :-1] = -factor * self.model_.offset[part["active"]]
            found.append(units @ covariance @ units.T)
        return found[0] if len(found) == 1 else found


@trained
class ARDClassifier(LinearWeights, CoreClassifier):
    """Linear classifier whose evidence decides which features stay.

    The logit is a weighted sum of the features, each weight with a Gaussian prior of its own
    precision. Precisions that maximise the evidence go to infinity for features that do not help;
    those are pruned. More than two classes are separated in pairs whose probabilities are coupled.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    active_ : ndarray
        Features that some binary model keeps.
    coef_ : ndarray of shape (n_models, n_features)
        One row for two classes; for more, one per pair of classes (or a class).
    intercept_ : ndarray of shape (n_models,)
    alpha_, sigma_ : ndarray
        Prior precisions and posterior covariance of the weights.
    log_evidence_ : float
    n_iter_ : int
        Stages: updates of the precisions.
    report_ : dict
        Status, warnings, seconds, and for each binary model evidence and weights kept by stage.
    model_ : ardent._core.Model
        What ``save`` writes.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Where ``X`` has names of its columns.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from ardent import ARDClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = ARDClassifier().fit(X, y)
    >>> len(model.active_) < 20
    True
    >>> model.predict_proba(X[:1]).round(2)
    array([[1., 0.]])
    """

    _own = ("moderated", "warm_start")


@trained
class ARDRegressor(LinearWeights, CoreRegressor):
    """Linear regression whose evidence decides which features stay.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    active_ : ndarray
        Features that are kept.
    coef_ : ndarray of shape (n_features,)
    intercept_ : float
    alpha_, sigma_ : ndarray
        Prior precisions and posterior covariance of the weights.
    noise_variance_ : float
    log_evidence_ : float
    n_iter_ : int
        Stages: updates of the precisions.
    report_ : dict
        Status, warnings, seconds, evidence and weights kept by stage.
    model_ : ardent._core.Model
        What ``save`` writes.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Where ``X`` has names of its columns.

    Examples
    --------
    >>> import numpy as np
    >>> from ardent import ARDRegressor
    >>> X = np.random.default_rng(0).normal(size=(100, 10))
    >>> y = 3 * X[:, 2] - X[:, 7] + 1
    >>> model = ARDRegressor().fit(X, y)
    >>> model.coef_.round(3)[[2, 7]]
    array([ 3., -1.])
    >>> mean, std = model.predict(X[:2], return_std=True)
    >>> bool(np.allclose(mean, y[:2]))
    True
    """

    _own = ("warm_start",)
