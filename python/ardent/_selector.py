"""Feature selection by the evidence."""

import numpy as np
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from ._base import CoreEstimator
from ._masked import refuse_masked
from ._schema import trained
from ._tables import class_labels, name_of, target_labels
from ._weights import LinearWeights


@trained
class ARDSelector(SelectorMixin, LinearWeights, CoreEstimator):
    """Select the features that a linear sparse Bayesian model of the target keeps.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    active_ : ndarray
        Features kept.
    relevance_ : ndarray of shape (n_features,)
        How far the data, rather than the prior, determine each weight: from 0 (pruned) to 1; for
        more than two classes the largest over the binary models.
    coef_, intercept_, feature_importances_, alpha_, sigma_, sigma_with_intercept_ : ndarray
        As in ``ARDClassifier`` or ``ARDRegressor``.
    log_evidence_, n_iter_, report_, model_
        As in ``ARDClassifier`` or ``ARDRegressor``.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where ``X`` has column names.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from ardent import ARDSelector
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> pipeline = make_pipeline(ARDSelector(), LogisticRegression(max_iter=5000)).fit(X, y)
    >>> int(pipeline[0].get_support().sum()) < 20
    True
    """

    _task = "auto"

    _own = ("warm_start",)

    def fit(self, X, y):
        """Find the features that matter.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Words, or numbers: at most 20 distinct whole ones are classes, others a regression
            target, unless ``task`` says.

        Returns
        -------
        self
        """
        label_name = name_of(y)
        X, y = self._validated(X, y=y, ensure_min_samples=2)
        labels = target_labels(y) if y.dtype.kind in "iuf" else class_labels(y)[1]
        self._train(X, labels, None, label_name)
        self.relevance_ = np.zeros(self.n_features_in_)
        for part in self.model_.posteriors:
            kept = self.model_.inputs[part["active"]]
            self.relevance_[kept] = np.maximum(self.relevance_[kept], part["gamma"])
        return self

    def transform(self, X):
        """The columns that are kept.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        array or sparse matrix of shape (n_samples, n_features_kept)
        """
        refuse_masked(X=X)
        return super().transform(X)

    def _get_support_mask(self):
        check_is_fitted(self, "model_")
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[self.active_] = True
        return mask

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
