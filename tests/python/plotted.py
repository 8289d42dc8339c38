"""Fitted models that pictures are drawn of, and what is read from pictures."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes

import ardent

CANCER = load_breast_cancer(return_X_y=True, as_frame=True)


def bars(container):
    """Ends of error bars, a row a bar: low and high."""
    (lines,) = container.lines[2]
    return np.array(lines.get_segments())


@pytest.fixture(scope="module")
def linear():
    return ardent.ARDClassifier(keep_stages=True).fit(*CANCER)


@pytest.fixture(scope="module")
def masks():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    return ardent.DoublySparseRegressor(expected_basis=5, burn_in=100, sweeps=200).fit(X, y)


@pytest.fixture(scope="module")
def coded():
    rng = np.random.default_rng(0)
    atoms = rng.normal(size=(100, 30))
    truth = np.zeros(100)
    truth[[3, 50]] = 2, -1
    return ardent.SparseCoder().fit(atoms), truth @ atoms + 0.1 * rng.normal(size=30), truth
