"""Doubly sparse kernel models: which features and which basis points, with probabilities."""

import os

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._classification import CoreClassifier
from ._options import thread_count
from ._posterior import PosteriorProbabilities
from ._progress import progress
from ._regression import CoreRegressor
from ._schema import trained
from ._tables import name_of, table, target_labels
from ._warnings import warn_caller
from ._weights import shares


class MaskSampling:
    """Chains over masks of features and basis points."""

    _map = "doubly-sparse"

    def _sample(self, X, labels, weights, label_name):
        rows = table(X, getattr(self, "feature_names_in_", ()), label_name)
        checkpoint = "" if self.checkpoint is None else os.fspath(self.checkpoint)
        with progress(self.verbose, self.callback) as report:
            self.model_, self.diagnostics_ = _core.train_doubly_sparse(
                rows,
                labels,
                weights,
                self._options(),
                checkpoint,
                thread_count(self.n_jobs),
                report,
            )
        for reported in self.diagnostics_:  # which features were on: lists, not sweeps by chains
            reported["masks"] = reported["traces"].pop("features")
        self._record_labels()
        self._summarise()
        self.basis_inclusion_ = self._by_part(
            [_spread(d["basis"]["mean"], d["candidates"], X.shape[0]) for d in self.diagnostics_]
        )
        self.feature_inclusion_ = self._by_part(
            [
                _spread(d["features"]["mean"], d["columns"], self.n_features_in_)
                for d in self.diagnostics_
            ]
        )

    def _summarise(self):
        model = self.model_
        self.active_ = model.origin
        self.report_ = {
            "status": next(
                (r["status"] for r in model.reports if r["status"] != "converged"), "converged"
            ),
            "warnings": list(dict.fromkeys(t for r in model.reports for t in r["warnings"])),
        }
        # What a model file knows: inclusion of the features that are on in some draw.
        self.feature_inclusion_ = self._by_part(
            [_spread(p["inclusion"], model.inputs, model.features) for p in model.posteriors]
        )
        for text in self.report_["warnings"]:
            warn_caller(text, ConvergenceWarning)

    def mask_draws(self, part=0):
        """Which features were on in each sweep of each chain.

        Parameters
        ----------
        part : int, default=0
            Which of several binary models.

        Returns
        -------
        ndarray of bool, of shape (chains, sweeps, n_features)
        """
        reported = self._chains(part)
        counts = reported["traces"]["features_on"].T.astype(int)
        chains, sweeps = counts.shape
        masks = np.zeros((chains * sweeps, self.n_features_in_), dtype=bool)
        rows = np.repeat(np.arange(chains * sweeps), counts.ravel())
        masks[rows, reported["columns"][reported["masks"]]] = True
        return masks.reshape(chains, sweeps, -1)

    def co_inclusion(self, part=0):
        """Probability that two features are on together; on the diagonal that each is on.

        Features that stand in for each other are each on for a share of the sweeps, but less often
        together than the product of these shares.

        Parameters
        ----------
        part : int, default=0
            Which of several binary models.

        Returns
        -------
        ndarray of shape (n_features, n_features)
        """
        masks = self.mask_draws(part).reshape(-1, self.n_features_in_).astype(float)
        return masks.T @ masks / len(masks)

    def posterior_draws(self, part=0):
        """Draws after burn-in by name, each of shape (chains, sweeps, ...).

        Parameters
        ----------
        part : int, default=0
            Which of several binary models.

        Returns
        -------
        dict
            "posterior": delta, xi, feature (the masks), features_on, basis_on and, of a regression,
            noise_variance; "sample_stats": log_likelihood, the total of all rows.
        """
        traces = self._chains(part)["traces"]
        posterior = {
            "delta": np.exp(traces["log_delta"].T),
            "xi": np.exp(traces["log_xi"].T),
            "features_on": traces["features_on"].T.astype(int),
            "basis_on": traces["basis_on"].T.astype(int),
            "feature": self.mask_draws(part),
        }
        if not hasattr(self, "classes_"):
            posterior["noise_variance"] = np.exp(traces["log_noise"].T)
        return {
            "posterior": posterior,
            "sample_stats": {"log_likelihood": traces["log_likelihood"].T},
        }

    def to_arviz(self, part=0):
        """The draws as ArviZ's InferenceData (``pip install ardent-sbl[arviz]``).

        Parameters
        ----------
        part : int, default=0
            Which of several binary models.

        Returns
        -------
        arviz.InferenceData (ArviZ 0.x) or xarray.DataTree (1.x)
            Groups and names of ``posterior_draws``; ``log_likelihood`` is
            ``log_likelihood_total``, since ArviZ means that of each row by the former.
        """
        try:
            import arviz
        except ImportError as error:
            raise ImportError(
                "to_arviz needs ArviZ, which is not installed: pip install ardent-sbl[arviz]"
            ) from error
        groups = self.posterior_draws(part)
        stats = groups["sample_stats"]
        stats["log_likelihood_total"] = stats.pop("log_likelihood")
        if hasattr(arviz, "InferenceData"):
            return arviz.from_dict(**groups)
        return arviz.from_dict(groups)

    def _chains(self, part):
        check_is_fitted(self, "model_")
        if not hasattr(self, "diagnostics_"):
            raise ValueError("a model from a file has no chains: only fitted ones have draws")
        if not 0 <= part < len(self.diagnostics_):
            raise ValueError(f"part must be from 0 to {len(self.diagnostics_) - 1}, not {part}")
        reported = self.diagnostics_[part]
        if reported["traces"]["log_likelihood"].size == 0:
            raise ValueError(
                "there are no draws: the sampler is not 'collapsed', or few sweeps ran"
            )
        return reported

    @property
    def feature_importances_(self):
        """Inclusion probabilities of the features, averaged over binary models, of sum 1."""
        check_is_fitted(self, "model_")
        return shares(np.atleast_2d(self.feature_inclusion_).mean(axis=0))


def _spread(values, places, size):
    """An array of zeros but for the values at their places."""
    full = np.zeros(size)
    full[places] = values
    return full


@trained
class DoublySparseClassifier(MaskSampling, PosteriorProbabilities, CoreClassifier):
    """Kernel classifier with the probability that each feature and each training row is relevant.

    Gibbs sampling over masks on the features and on the basis points (training rows), the weights
    integrated out; predictions are averages over the sampled states.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    feature_inclusion_ : ndarray of shape (n_features,)
        Inclusion probabilities; for more than two classes one row per pair of classes (or per class,
        ``multiclass='ovr'``).
    feature_importances_ : ndarray of shape (n_features,)
        Inclusion probabilities, averaged over binary models, of sum 1.
    basis_inclusion_ : ndarray of shape (n_samples,)
        The same for the training rows (not after ``load``).
    diagnostics_ : list of dict
        For each binary model what the chains show: Monte-Carlo errors, R-hat and effective sizes
        of the inclusion probabilities and of summary quantities, whose traces (sweeps by chains)
        are under "traces" (not after ``load``).
    active_ : ndarray
        Training rows that are basis points of some sampled state.
    report_ : dict
        Status and warnings.
    {fitted}

    Examples
    --------
    >>> import numpy as np
    >>> from ardent import DoublySparseClassifier
    >>> X = np.random.default_rng(0).normal(size=(80, 4))
    >>> y = np.where(X[:, 1] ** 2 > 0.5, "out", "in")
    >>> model = DoublySparseClassifier(burn_in=50, sweeps=100).fit(X, y)
    >>> int(model.feature_inclusion_.argmax())
    1
    """

    _own = ("checkpoint", "moderated")

    def fit(self, X, y, sample_weight=None):
        """Sample masks and weights.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Numbers or words.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts (sampler 'collapsed').

        Returns
        -------
        self
        """
        label_name = name_of(y)
        X, y = self._validated(X, y=y, ensure_min_samples=2)
        labels = self._labels(y)
        self._sample(X, labels, self._weights(X, y, sample_weight), label_name)
        return self


@trained
class DoublySparseRegressor(MaskSampling, CoreRegressor):
    """Kernel regression with the probability that each feature and each training row is relevant.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    feature_inclusion_ : ndarray of shape (n_features,)
        Inclusion probabilities.
    feature_importances_ : ndarray of shape (n_features,)
        Inclusion probabilities, averaged over binary models, of sum 1.
    basis_inclusion_ : ndarray of shape (n_samples,)
        The same for the training rows (not after ``load``).
    diagnostics_ : list of dict
        What the chains show: Monte-Carlo errors, R-hat and effective sizes of the inclusion
        probabilities and of summary quantities, whose traces (sweeps by chains) are under
        "traces" (not after ``load``).
    active_ : ndarray
        Training rows that are basis points of some sampled state.
    noise_variance_ : float
    report_ : dict
        Status and warnings.
    {fitted}

    Examples
    --------
    >>> import numpy as np
    >>> from ardent import DoublySparseRegressor
    >>> X = np.random.default_rng(0).normal(size=(60, 3))
    >>> model = DoublySparseRegressor(burn_in=50, sweeps=100).fit(X, np.sin(X[:, 2]))
    >>> int(model.feature_inclusion_.argmax())
    2
    """

    _own = ("checkpoint",)

    def fit(self, X, y, sample_weight=None):
        """Sample masks and weights.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts.

        Returns
        -------
        self
        """
        label_name = name_of(y)
        X, y = self._validated(X, y=y, y_numeric=True, ensure_min_samples=2)
        self._sample(X, target_labels(y), self._weights(X, sample_weight), label_name)
        return self
