"""Linear models: which features matter?"""

from ._classification import CoreClassifier
from ._operators import ProductsEstimator
from ._posterior import GaussianPredictors
from ._regression import CoreRegressor
from ._schema import trained
from ._weights import LinearWeights


@trained
class ARDClassifier(LinearWeights, GaussianPredictors, ProductsEstimator, CoreClassifier):
    """Linear classifier that keeps the features which the evidence supports.

    The logit is a weighted sum of the features, each weight with a Gaussian prior of its own
    precision. Precisions that maximise the evidence go to infinity for features that do not help;
    those are pruned. With more than two classes there is one binary model per pair of classes, and
    the probabilities of the pairs are coupled.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    active_ : ndarray
        Features that some binary model keeps.
    coef_ : ndarray of shape (n_models, n_features)
        One row for two classes; for more, one per pair or, against the rest, per class
        (``multiclass``).
    intercept_ : ndarray of shape (n_models,)
    feature_importances_ : ndarray of shape (n_features,)
        Sizes of the weights of the scaled features, of sum 1.
    {posterior}
    {stages}
    report_ : dict
        Status, warnings and seconds, and for each binary model the log evidence and the number of
        weights kept after each stage.
    {fitted}

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
class ARDRegressor(LinearWeights, ProductsEstimator, CoreRegressor):
    """Linear regression that keeps the features which the evidence supports.

    Takes the place of scikit-learn's ``ARDRegression``, with two differences in names: ``alpha_``
    are the precisions of the weights (``lambda_`` there), and ``noise_variance_`` is the inverse of
    what is ``alpha_`` there.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    active_ : ndarray
        Features that are kept.
    coef_ : ndarray of shape (n_features,)
    intercept_ : float
    feature_importances_ : ndarray of shape (n_features,)
        Sizes of the weights of the scaled features, of sum 1.
    {posterior}
    noise_variance_ : float
    {stages}
    scores_ : ndarray of shape (n_iter_,)
        Log evidence after each stage; only with ``compute_score=True``.
    report_ : dict
        Status, warnings and seconds; log evidence and number of weights kept after each stage.
    {fitted}

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
