"""Sparse codes over dictionaries, and classification by them."""

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core
from ._classification import CoreClassifier
from ._dictionary import own_rows
from ._masked import refuse_masked
from ._options import option_texts, thread_count
from ._progress import progress
from ._reporting import Reporting
from ._schema import from_schema, trained
from ._tables import name_of, table


@from_schema("code")
class SparseCoder(Reporting, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Write each signal as a combination of few atoms of a dictionary.

    ``fit`` takes the dictionary, one atom per row; ``transform`` takes signals of the same length
    and returns their codes.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    dictionary_ : ndarray or sparse matrix of shape (n_atoms, n_features)
    n_features_in_ : int
        Length of an atom.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only where the dictionary has column names.

    Examples
    --------
    >>> import numpy as np
    >>> from ardent import SparseCoder
    >>> rng = np.random.default_rng(0)
    >>> atoms = rng.normal(size=(100, 30))
    >>> signal = 2 * atoms[3] - atoms[50] + 0.01 * rng.normal(size=30)
    >>> codes = SparseCoder().fit(atoms).transform([signal])
    >>> codes.nonzero()[1]
    array([ 3, 50], dtype=int32)
    """

    _own = ("sparse_output",)

    def fit(self, X, y=None):
        """Set the dictionary.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_atoms, n_features)
            One atom per row; it is copied.
        y : ignored

        Returns
        -------
        self
        """
        refuse_masked(X=X)
        self.dictionary_ = own_rows(
            validate_data(self, X, accept_sparse=("csr", "csc"), dtype=(np.float64, np.float32))
        )
        self._prepared = None
        self._prepare()
        return self

    def _prepare(self):
        """The dictionary of the core, made in ``fit``, after unpickling, or for a new unit_norm."""
        unit_norm = option_texts(self)["unit-norm"] == "on"
        prepared = getattr(self, "_prepared", None)
        if prepared is None or prepared[0] != unit_norm:
            rows, threads = table(self.dictionary_), thread_count(self.n_jobs)
            self._prepared = unit_norm, _core.dictionary(rows, unit_norm, threads)
        return self._prepared[1]

    def __getstate__(self):
        return {k: v for k, v in super().__getstate__().items() if k != "_prepared"}

    def transform(self, X):
        """Codes of signals.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_signals, n_features)

        Returns
        -------
        csr_matrix or ndarray of shape (n_signals, n_atoms)
            Posterior means; an array with ``sparse_output=False``, a frame where ``set_output``
            asks for one.
        """
        codes = self.code(X)[0]
        frame = _get_output_config("transform", self)["dense"] != "default"
        return codes.toarray() if frame and self.sparse_output else codes

    def code(self, X):
        """Codes of signals, their standard deviations, and a report per signal.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_signals, n_features)

        Returns
        -------
        codes : csr_matrix or ndarray of shape (n_signals, n_atoms)
            Posterior means.
        deviations : csr_matrix or ndarray of shape (n_signals, n_atoms)
            Posterior standard deviations of the coefficients that are not zero.
        report : dict of arrays, one number per signal
            lambda, nonzeros, gap, outer_iterations, loss, status.
        """
        check_is_fitted(self, "dictionary_")
        refuse_masked(X=X)
        X = validate_data(
            self, X, accept_sparse=("csr", "csc"), dtype=(np.float64, np.float32), reset=False
        )
        with progress(self.verbose, self.callback) as report:
            found = _core.code(
                self._prepare(),
                table(X),
                option_texts(self),
                thread_count(self.n_jobs),
                report,
            )
        shape = (X.shape[0], self.dictionary_.shape[0])
        pattern = (found["indices"], found["indptr"])
        codes = sparse.csr_matrix((found["data"], *pattern), shape=shape)
        deviations = sparse.csr_matrix((np.sqrt(found["variances"]), *pattern), shape=shape)
        if not self.sparse_output:
            codes, deviations = codes.toarray(), deviations.toarray()
        return codes, deviations, found["report"]

    @property
    def _n_features_out(self):
        return self.dictionary_.shape[0]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


@trained
class SparseRepresentationClassifier(CoreClassifier):
    """Code each row over the training rows, and let the classes of the rows in the code vote.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    active_ : ndarray
        Training rows that are atoms.
    {fitted}

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from ardent import SparseRepresentationClassifier
    >>> X, y = load_digits(return_X_y=True)
    >>> model = SparseRepresentationClassifier(atoms=300).fit(X[:1500], y[:1500])
    >>> model.score(X[1500:1600], y[1500:1600]) > 0.85
    True
    """

    _map = "dictionary"

    def fit(self, X, y):
        """Keep training rows as atoms.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Numbers or words.

        Returns
        -------
        self
        """
        label_name = name_of(y)
        X, y = self._validated(X, y=y, ensure_min_samples=2)
        self._train(X, self._labels(y), None, label_name)
        return self

    def _summarise(self):
        self.active_ = self.model_.origin
