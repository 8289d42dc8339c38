"""What the classifiers share: labels of any kind, weights by class, probabilities."""

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from ._base import CoreEstimator
from ._masked import refuse_masked
from ._tables import class_labels, class_places, classes_of, name_of, record_label_type


class CoreClassifier(ClassifierMixin, CoreEstimator):
    """Classification: labels of any kind, probabilities."""

    _task = "classification"
    _sign_decides = False  # two classes: by the sign of one f for each row

    def _labels(self, y):
        check_classification_targets(y)
        self.classes_, labels = class_labels(y)
        return labels

    def _weights(self, X, y, sample_weight):
        """Rows' weights, times those of their classes where they are given class by class."""
        given = getattr(self, "class_weight", None)
        by_class = isinstance(given, dict)
        if sample_weight is None and not by_class:
            return None
        refuse_masked(sample_weight=sample_weight)
        weights = _check_sample_weight(
            sample_weight, X, dtype=np.float64, ensure_non_negative=True, copy=True
        )
        if by_class:
            unknown = set(given) - set(self.classes_.tolist())
            if unknown:
                raise ValueError(f"class_weight names classes that y does not have: {unknown}")
            weights *= np.array([given.get(c, 1.0) for c in self.classes_.tolist()])[
                np.searchsorted(self.classes_, y)
            ]
        return weights

    def _options(self):
        options = super()._options()
        if isinstance(getattr(self, "class_weight", None), dict):
            options["class-weight"] = "none"
        return options

    def fit(self, X, y, sample_weight=None):
        """Fit the model.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Numbers or words.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts.

        Returns
        -------
        self
        """
        label_name = name_of(y)
        X, y = self._validated(X, y=y, ensure_min_samples=2)
        labels = self._labels(y)
        self._train(X, labels, self._weights(X, y, sample_weight), label_name)
        return self

    def _record_labels(self):
        record_label_type(self.model_, self.classes_)

    def _adopt(self, model):
        self.classes_ = classes_of(model)
        super()._adopt(model)

    def _class_probabilities(self, found):
        probabilities = np.zeros((len(found["classes"]), len(self.classes_)))
        probabilities[:, class_places(self.model_, self.classes_)] = found["probabilities"]
        return probabilities

    def predict(self, X):
        """Predict the most probable class of each row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        check_is_fitted(self, "model_")
        # Of two classes the sign of f decides, however sure it is: no variance is needed.
        by_sign = self._sign_decides and len(self.classes_) == 2
        found = (
            self._predicted(X, False, probabilities=False)
            if by_sign
            else self._predicted(X, self._moderated())
        )
        return self.classes_[class_places(self.model_, self.classes_)[found["classes"]]]

    def predict_proba(self, X):
        """Probabilities of the classes, in the order of ``classes_``.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        return self._class_probabilities(self._predicted(X, self._moderated()))

    def predict_log_proba(self, X):
        """Logarithms of ``predict_proba``."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def decision_function(self, X):
        """How far each row is on the side of each class.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            For two classes the log-odds of ``classes_[1]``, of which ``predict_proba`` is the
            sigmoid; for more, logarithms of ``predict_proba``. Of a linear model with
            ``moderated=False`` the log-odds are ``X @ coef_[0] + intercept_[0]``.
        """
        check_is_fitted(self, "model_")
        if len(self.classes_) == 2:
            return self._log_odds(X)
        return _log(self.predict_proba(X))

    def _log_odds(self, X):
        logs = _log(self.predict_proba(X))
        return logs[:, 1] - logs[:, 0]

    def _moderated(self):
        return getattr(self, "moderated", None)


def _log(probabilities):
    """Finite logarithms: a probability of 0 counts as the smallest number."""
    return np.log(np.maximum(probabilities, np.finfo(np.float64).tiny))
