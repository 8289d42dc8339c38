"""What the estimators share: from parameters and arrays to a model of the core, and back."""

import warnings

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core
from ._gaps import explained
from ._masked import refuse_masked
from ._options import option_texts, option_value, seed_texts, thread_count
from ._progress import progress
from ._reporting import Reporting
from ._tables import table
from ._warnings import warn_caller


class CoreEstimator(Reporting, BaseEstimator):
    """An estimator whose ``model_`` is the core's."""

    _map = "linear"  # feature map of the core
    _task = "classification"
    _schema = ()  # options of the core, see _schema.py
    _accept_sparse = ("csr", "csc")

    def _options(self):
        return {
            "task": self._task,
            **option_texts(self),
            "map": self._map,
            **seed_texts(self.random_state),
        }

    def _validated(self, X, **how):
        refuse_masked(X=X, y=how.get("y"))
        try:
            found = validate_data(
                self, X, accept_sparse=self._accept_sparse, dtype=(np.float64, np.float32), **how
            )
        except ValueError as error:
            raise explained(error, X, type(self).__name__) from None
        if how.get("reset", True):
            self._from_file = False
            self._precision = (found[0] if isinstance(found, tuple) else found).dtype
        return found

    def _train(self, X, labels, weights, label_name=""):
        rows = table(X, getattr(self, "feature_names_in_", ()), label_name)
        self._train_rows(rows, labels, weights, self._options())

    def _train_rows(self, rows, labels, weights, options):
        start = getattr(self, "model_", None) if getattr(self, "warm_start", False) else None
        with progress(self.verbose, self.callback) as report:
            self.model_ = _core.train(
                rows, labels, weights, options, start, thread_count(self.n_jobs), report
            )
        self._record_labels()
        self._summarise()

    def _record_labels(self):
        """What the model file has to say of the labels: of a target that is a number, nothing."""

    def _summarise(self):
        """Fitted attributes that follow from the model alone."""
        parts = self.model_.reports
        self.report_ = {
            "status": next((p["status"] for p in parts if p["status"] != "converged"), "converged"),
            "warnings": list(dict.fromkeys(text for p in parts for text in p["warnings"])),
            "notes": list(dict.fromkeys(text for p in parts for text in p["notes"])),
            "seconds": sum(p["seconds"] for p in parts),
            "parts": parts,
        }
        self.n_iter_ = max([1, *(len(p["stages"]["active"]) for p in parts)])
        self.log_evidence_ = self.model_.log_evidence
        self.active_ = self._origin()[self._kept()]
        for text in self.report_["warnings"]:
            warn_caller(text, ConvergenceWarning)
        if self.report_["status"] == "iteration limit":
            warn_caller(
                f"{type(self).__name__} reached the limit of {self.n_iter_} stages before it "
                "converged: increase max_iter, or tol",
                ConvergenceWarning,
            )

    def _origin(self):
        """Which feature, training row or hidden node each basis function is."""
        return self.model_.origin

    def _kept(self):
        """Basis functions that some part keeps; with ``keep_stages=True`` a model has more of them."""
        kept = [part["active"] for part in self.model_.posteriors]
        return np.unique(np.concatenate(kept))

    def _predicted(self, X, moderated=None, variance=True, probabilities=True):
        check_is_fitted(self, "model_")
        found = _core.predict(
            self.model_,
            self._rows(X),
            moderated is True,
            moderated is False,
            variance,
            probabilities,
            thread_count(self.n_jobs),
        )
        for text in found["warnings"]:
            warn_caller(text, UserWarning)
        return found

    def _rows(self, X):
        return self._rows_by_name(X) or self._rows_to_predict(self._validated(X, reset=False))

    def _rows_to_predict(self, X):
        # What is scaled is copied block by block.
        return table(X, anywhere=self.model_.scale != "none")

    def _rows_by_name(self, X):
        """For a model from a file that knows names, a frame's columns in any order; else None.

        A file names the columns that are used, not all: scikit-learn's own check needs all.
        """
        if not (getattr(self, "_from_file", False) and self.model_.feature_names):
            return None
        names = getattr(X, "columns", None)
        if names is None or not all(isinstance(name, str) for name in names):
            return None
        return table(check_array(X, dtype=np.float64), names)

    def _by_part(self, values):
        """One array per binary model; the first alone where there is but one."""
        return values[0] if len(values) == 1 else np.array(values)

    # --- files ---

    def save(self, path):
        """Write a model file, which ``ardent predict`` and ``ardent.load`` read.

        Parameters
        ----------
        path : str or path-like
            The file is written whole or not at all.
        """
        check_is_fitted(self, "model_")
        self.model_.save(str(path))

    def export_c(self, path=None, **options):
        """Write the model as C99 code for a device: see ``ardent.export_c``.

        Parameters
        ----------
        path : str, path-like or None
            Header to write; None: none.
        **options
            Those of ``ardent.export_c``.

        Returns
        -------
        str
            The code.
        """
        from ._export import export_c

        return export_c(self, path, **options)

    @classmethod
    def load(cls, path):
        """Load an estimator from a model file of ``save`` or of ``ardent train``.

        Parameters
        ----------
        path : str or path-like

        Returns
        -------
        estimator
            Fitted, with the parameters of the training.
        """
        model = _core.load_model(str(path))
        if model.map != cls._map or cls._task not in ("auto", model.task):
            raise ValueError(
                f"{path}: this model is a {model.task} with the map {model.map}, and "
                f"{cls.__name__} is a {cls._task} with the map {cls._map}; ardent.load finds the "
                "class by itself"
            )
        recorded = model.options
        keywords = {
            o["keyword"]: option_value(o, recorded[o["name"]])
            for o in cls._schema
            if o["name"] in recorded
        }
        estimator = cls(**keywords, random_state=int(recorded.get("seed", 1)))
        estimator._adopt(model)
        return estimator

    def _adopt(self, model):
        self._from_file = True
        self.model_ = model
        self.n_features_in_ = model.features
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            self._summarise()

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = bool(self._accept_sparse)
        return tags
