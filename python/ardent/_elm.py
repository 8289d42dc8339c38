"""Sparse Bayesian extreme learning machines: random hidden nodes, of which the evidence keeps few."""

from ._classification import CoreClassifier
from ._posterior import GaussianPredictors
from ._regression import CoreRegressor
from ._schema import trained
from ._weights import EvidenceWeights


@trained
class SBELMClassifier(EvidenceWeights, GaussianPredictors, CoreClassifier):
    """Classifier on random sigmoid nodes, pruned by the evidence.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    active_ : ndarray
        Hidden nodes that some binary model keeps.
    alpha_, sigma_ : ndarray
        Prior precisions and posterior covariance of their weights.
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
    >>> from sklearn.datasets import load_wine
    >>> from ardent import SBELMClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> model = SBELMClassifier(hidden=100).fit(X, y)
    >>> model.score(X, y) > 0.95
    True
    """

    _map = "elm"

    _own = ("moderated", "warm_start")


@trained
class SBELMRegressor(EvidenceWeights, CoreRegressor):
    """Regression on random sigmoid nodes, pruned by the evidence.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    active_ : ndarray
        Hidden nodes that are kept.
    alpha_, sigma_ : ndarray
        Prior precisions and posterior covariance of their weights.
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
    >>> from ardent import SBELMRegressor
    >>> X = np.linspace(-3, 3, 80)[:, None]
    >>> model = SBELMRegressor(hidden=50).fit(X, np.tanh(X[:, 0]))
    >>> model.score(X, np.tanh(X[:, 0])) > 0.99
    True
    """

    _map = "elm"

    _own = ("warm_start",)
