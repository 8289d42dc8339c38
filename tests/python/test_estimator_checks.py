"""scikit-learn's own checks, all of them."""

import pytest
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import parametrize_with_checks

import ardent

# Noise of twenty rows and chains of twenty sweeps: the core is right to warn.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

SAMPLING = {"chains": 1, "burn_in": 10, "sweeps": 20}

ESTIMATORS = [
    ardent.ARDClassifier(),
    ardent.ARDRegressor(),
    ardent.RVMClassifier(),
    ardent.RVMClassifier(kernel="laplacian"),
    ardent.RVMRegressor(),
    ardent.RVMRegressor(kernel="laplacian"),
    ardent.SBELMClassifier(),
    ardent.SBELMRegressor(),
    ardent.SparseCoder(),
    ardent.SparseRepresentationClassifier(),
    ardent.DoublySparseClassifier(**SAMPLING),
    ardent.DoublySparseRegressor(**SAMPLING),
    ardent.ARDSelector(),
    ardent.SourceFinder(),
]


def expected_failures(estimator):
    if not type(estimator).__name__.startswith("DoublySparse"):
        return {}
    why = "repeated rows have the posterior of weighted ones, but a sampler draws others from it"
    return {f"check_sample_weight_equivalence_on_{kind}_data": why for kind in ("dense", "sparse")}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
def test_scikit_learn_check(estimator, check):
    check(estimator)


def test_every_estimator_is_checked():
    classes = {name: getattr(ardent, name) for name in ardent.__all__ if name[0].isupper()}
    public = {name for name, own in classes.items() if issubclass(own, BaseEstimator)}
    assert set(classes) - public == {"Dictionary"}
    assert public == {type(estimator).__name__ for estimator in ESTIMATORS}
