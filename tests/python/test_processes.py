"""Fits in processes: a forked child of a process that has fitted fits, too, and to the same bits."""

import multiprocessing

import numpy as np
import pytest

import ardent


def fit(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(300, 40))
    y = X[:, 0] - X[:, 1] + 0.3 * rng.normal(size=300) > 0
    return ardent.RVMClassifier(n_jobs=2).fit(X, y).predict_proba(X)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_children_fit_to_the_same_bits(method):
    here = [fit(seed) for seed in range(3)]
    with multiprocessing.get_context(method).Pool(2) as pool:
        there = pool.map_async(fit, range(3)).get(timeout=120)
    for mine, theirs in zip(here, there):
        np.testing.assert_array_equal(mine, theirs)
