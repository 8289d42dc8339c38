"""Sparse Bayesian extreme learning machines: random hidden nodes, few of which are kept."""

from ._classification import CoreClassifier
from ._posterior import GaussianPredictors
from ._regression import CoreRegressor
from ._schema import trained
from ._weights import EvidenceWeights


@trained
class SBELMClassifier(EvidenceWeights, GaussianPredictors, CoreClassifier):
    """Classifier on random sigmoid nodes, most of which the evidence prunes.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    active_ : ndarray
        Hidden nodes that some binary model keeps.
    coef_ : ndarray of shape (n_models, n_active)
        Mean weights of the hidden nodes in ``active_``.
    intercept_ : ndarray of shape (n_models,)
    {posterior}
    {stages}
    report_ : dict
        Status, warnings and seconds, and for each binary model the log evidence and the number of
        weights kept after each stage.
    {fitted}

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
    """Regression on random sigmoid nodes, most of which the evidence prunes.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    active_ : ndarray
        Hidden nodes that are kept.
    coef_ : ndarray of shape (n_active,)
        Mean weights of the hidden nodes in ``active_``.
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
    >>> from ardent import SBELMRegressor
    >>> X = np.linspace(-3, 3, 80)[:, None]
    >>> model = SBELMRegressor(hidden=50).fit(X, np.tanh(X[:, 0]))
    >>> model.score(X, np.tanh(X[:, 0])) > 0.99
    True
    """

    _map = "elm"

    _own = ("warm_start",)
