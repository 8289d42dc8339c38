"""Linear models: which features matter?"""

from ._classification import CoreClassifier
from ._posterior import GaussianPredictors
from ._regression import CoreRegressor
from ._schema import trained
from ._weights import LinearWeights


@trained
class ARDClassifier(LinearWeights, GaussianPredictors, CoreClassifier):
    """Linear classifier whose evidence decides which features stay.

    The logit is a weighted sum of the features, each weight with a Gaussian prior of its own
    precision. Precisions that maximise the evidence go to infinity for features that do not help;
    those are pruned. More than two classes are told apart in pairs whose probabilities are coupled.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    active_ : ndarray
        Features that some binary model keeps.
    coef_ : ndarray of shape (n_models, n_features)
        One row for two classes; for more, one a pair of classes (or a class).
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

    _own = ("warm_start", "compute_score")

    def _summarise(self):
        super()._summarise()
        if self.compute_score:
            self.scores_ = self.report_["parts"][0]["stages"]["log_evidence"]
