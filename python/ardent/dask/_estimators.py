"""The estimators whose rows, signals and images are on Dask's workers."""

import pathlib

import dask.array
import dask.bag
import numpy as np

from .. import _coding, _imaging, _linear
from ._collections import column_names, in_memory, is_collection, is_frame, read_features
from ._rows import RowProducts, WorkerRows, scaling_of


class _RowsOnWorkers:
    """``fit`` and predictions of the linear estimators for Dask's collections."""

    def fit(self, X, y=None, sample_weight=None):
        """Fit the model to rows that stay on the workers.

        Parameters
        ----------
        X : Dask array, data frame or bag; or all that the estimator takes in memory
            A bag holds names of files (LIBSVM text; .npy and .npz without labels), arrays of rows,
            or pairs of rows and labels.
        y : array-like or Dask collection of shape (n_samples,)
            Left out where X is a bag of files with labels. It is gathered here.
        sample_weight : array-like or Dask collection of shape (n_samples,), optional

        Returns
        -------
        self
        """
        if not is_collection(X):
            return super().fit(X, y, sample_weight)
        rows = WorkerRows(X)
        y = rows.labels() if y is None else in_memory(y)
        if y is None:
            raise ValueError("y is needed: the rows have no labels of their own")
        weights = None if sample_weight is None else in_memory(sample_weight)
        labels, weights = self._targets(y, rows.shape[0], weights)
        scaling = scaling_of(rows, self.scale or "none", weights)
        if scaling[0] != "none":
            rows = rows.scaled(*scaling[1:])
        names = column_names(X)
        return self._fit_products(RowProducts(rows), labels, weights, scaling=scaling, names=names)

    def _lazily(self, method, X, dtype, width=None):
        """A Dask array of what the method of the plain estimator says of each block."""
        plain = self._in_memory()
        if isinstance(X, dask.bag.Bag):
            return X.map(_of_file, plain, method)
        names = column_names(X)
        if is_frame(X):
            X = X.to_dask_array()
        if len(X.chunks[1]) > 1:
            X = X.rechunk({1: X.shape[1]})
        shape = {"drop_axis": 1} if width is None else {"chunks": (X.chunks[0], (width,))}
        return X.map_blocks(
            _of_block,
            plain,
            method,
            names,
            dtype=dtype,
            meta=np.empty((0,) * (1 if width is None else 2), dtype),
            **shape,
        )

    def _in_memory(self):
        """The same model as an estimator of the package itself: workers need no more."""
        plain = self._plain(**self.get_params())
        plain.__dict__.update({k: v for k, v in self.__dict__.items() if k.endswith("_")})
        plain._from_file, plain._precision = self._from_file, np.dtype(np.float64)
        plain.callback, plain.n_jobs = None, 1
        return plain

    def predict(self, X, *args, **keywords):
        """As in memory; of a Dask collection a Dask array, or of a bag a bag, computed when asked."""
        if not is_collection(X):
            return super().predict(X, *args, **keywords)
        if args or keywords:
            raise ValueError("predictions of Dask collections take no further arguments")
        dtype = self.classes_.dtype if self._task == "classification" else np.dtype(np.float64)
        return self._lazily("predict", X, dtype)

    def score(self, X, y, sample_weight=None):
        """Accuracy, or R² of a regression."""
        if not is_collection(X):
            return super().score(X, y, sample_weight)
        from sklearn.metrics import accuracy_score, r2_score

        found = in_memory(self.predict(X))
        measure = accuracy_score if self._task == "classification" else r2_score
        weights = None if sample_weight is None else in_memory(sample_weight)
        return measure(in_memory(y), found, sample_weight=weights)


def _of_block(block, plain, method, names):
    if names:
        import pandas

        block = pandas.DataFrame(block, columns=names)
    return getattr(plain, method)(block)


def _of_file(item, plain, method):
    from ._collections import widened

    rows = read_features(item)
    if rows.shape[1] < plain.n_features_in_:
        rows = widened(rows, plain.n_features_in_)
    return getattr(plain, method)(rows)


class ARDClassifier(_RowsOnWorkers, _linear.ARDClassifier):
    """``ardent.ARDClassifier`` for rows on Dask's workers.

    Engines are diagonal (the default), probes and dqn. Parameters and attributes are those of
    ``ardent.ARDClassifier``.
    """

    _plain = _linear.ARDClassifier

    def predict_proba(self, X, return_std=False):
        """As in memory; of a Dask collection a Dask array, computed when asked for."""
        if not is_collection(X):
            return super().predict_proba(X, return_std)
        if return_std:
            raise ValueError("return_std is not for Dask collections: ask block by block")
        return self._lazily("predict_proba", X, np.dtype(np.float64), len(self.classes_))


class ARDRegressor(_RowsOnWorkers, _linear.ARDRegressor):
    """``ardent.ARDRegressor`` for rows on Dask's workers.

    Engines are diagonal (the default), probes and dqn. Parameters and attributes are those of
    ``ardent.ARDRegressor``.
    """

    _plain = _linear.ARDRegressor


class SparseCoder(_coding.SparseCoder):
    """``ardent.SparseCoder`` for signals on Dask's workers; the dictionary is sent to them."""

    def fit(self, X, y=None):
        """Set the dictionary, which must fit into memory: a Dask array is gathered."""
        return super().fit(in_memory(X) if is_collection(X) else X)

    def transform(self, X):
        """Codes of signals: of a Dask array or frame a Dask array, of a bag of files or arrays a
        bag."""
        if not is_collection(X):
            return super().transform(X)
        if isinstance(X, dask.bag.Bag):
            return X.map(_codes_of_item, self._in_memory())
        if is_frame(X):
            X = X.to_dask_array()
        if len(X.chunks[1]) > 1:
            X = X.rechunk({1: X.shape[1]})
        return X.map_blocks(
            _codes_of_block,
            self._in_memory(),
            dtype=np.float64,
            chunks=(X.chunks[0], (self.dictionary_.shape[0],)),
            meta=np.empty((0, 0)),
        )

    def _in_memory(self):
        plain = _coding.SparseCoder(**self.get_params())
        plain.dictionary_, plain.n_features_in_ = self.dictionary_, self.n_features_in_
        plain.callback, plain.n_jobs = None, 1
        return plain


def _codes_of_block(block, coder):
    return coder.transform(block)


def _codes_of_item(item, coder):
    return coder.transform(read_features(item))


class SourceFinder(_imaging.SourceFinder):
    """``ardent.SourceFinder`` for many images on Dask's workers."""

    def find(self, X):
        """The sources of an image; of many images a bag of structured arrays, in their order.

        Parameters
        ----------
        X : array-like of shape (height, width), Dask array of shape (n, height, width), or bag
            A bag holds images or names of files: .npy, and what astropy reads as FITS.

        Returns
        -------
        structured ndarray, or Dask bag of them
        """
        if not is_collection(X):
            return super().find(X)
        plain = _imaging.SourceFinder(**self.get_params())
        plain.callback, plain.n_jobs = None, 1
        if isinstance(X, dask.bag.Bag):
            return X.map(_sources_of, plain)
        if X.ndim != 3:
            raise ValueError(f"a Dask array of images has three dimensions, not {X.ndim}")
        X = X.rechunk({1: X.shape[1], 2: X.shape[2]})
        return dask.bag.from_delayed(list(X.to_delayed().ravel())).map(_sources_of, plain)

    def fit(self, X, y=None):
        """As in memory: an image. (``find`` takes many.)"""
        if is_collection(X):
            raise ValueError("fit takes one image: use find for images on workers")
        return super().fit(X, y)


def _sources_of(item, finder):
    return finder.find(_image(item) if isinstance(item, (str, pathlib.Path)) else item)


def _image(path):
    if pathlib.Path(path).suffix == ".npy":
        return np.load(path)
    from astropy.io import fits

    return np.asarray(fits.getdata(path), dtype=np.float64)
