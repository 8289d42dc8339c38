"""Sparse Bayesian extreme learning machines: random hidden nodes, of which the evidence keeps few."""

from ._base import ENGINE_OPTIONS
from ._classification import CoreClassifier
from ._documentation import with_parameters
from ._regression import CoreRegressor


@with_parameters
class SBELMClassifier(CoreClassifier):
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
    _option_keywords = ("hidden", *ENGINE_OPTIONS, "multiclass", "class_weight")

    def __init__(
        self,
        *,
        hidden=200,
        engine="auto",
        scale="auto",
        multiclass="ovo",
        class_weight=None,
        bias=True,
        alpha_init=0.001,
        alpha_max=1000000.0,
        tolerance="auto",
        max_stages=0,
        early_stop=None,
        refit=False,
        path=False,
        probes=20,
        second_start=True,
        warm_b=False,
        moderated=None,
        warm_start=False,
        n_jobs=None,
        random_state=None,
        verbose=0,
        callback=None,
    ):
        self.hidden = hidden
        self.engine = engine
        self.scale = scale
        self.multiclass = multiclass
        self.class_weight = class_weight
        self.bias = bias
        self.alpha_init = alpha_init
        self.alpha_max = alpha_max
        self.tolerance = tolerance
        self.max_stages = max_stages
        self.early_stop = early_stop
        self.refit = refit
        self.path = path
        self.probes = probes
        self.second_start = second_start
        self.warm_b = warm_b
        self.moderated = moderated
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback


@with_parameters
class SBELMRegressor(CoreRegressor):
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
    _option_keywords = ("hidden", *ENGINE_OPTIONS)

    def __init__(
        self,
        *,
        hidden=200,
        engine="auto",
        scale="auto",
        bias=True,
        alpha_init=0.001,
        alpha_max=1000000.0,
        tolerance="auto",
        max_stages=0,
        early_stop=None,
        refit=False,
        path=False,
        probes=20,
        second_start=True,
        warm_b=False,
        warm_start=False,
        n_jobs=None,
        random_state=None,
        verbose=0,
        callback=None,
    ):
        self.hidden = hidden
        self.engine = engine
        self.scale = scale
        self.bias = bias
        self.alpha_init = alpha_init
        self.alpha_max = alpha_max
        self.tolerance = tolerance
        self.max_stages = max_stages
        self.early_stop = early_stop
        self.refit = refit
        self.path = path
        self.probes = probes
        self.second_start = second_start
        self.warm_b = warm_b
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback
