"""scikit-learn's own checks, all of them."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import ardent

# Noise of twenty rows and chains of twenty sweeps: the core is right to warn.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

SAMPLING = {"chains": 1, "burn_in": 10, "sweeps": 20}

ESTIMATORS = [
    # Fits of weighted and of repeated rows are compared to 1e-7: nearer to the optimum than a fit
    # that stops at the default tolerance.
    ardent.ARDClassifier(),
    ardent.ARDRegressor(),
    ardent.RVMClassifier(),
    ardent.RVMClassifier(kernel="laplacian"),
    ardent.RVMRegressor(),
    ardent.RVMRegressor(kernel="laplacian"),
    ardent.SBELMClassifier(hidden=50),
    ardent.SBELMRegressor(hidden=50),
    ardent.SparseCoder(),
    ardent.SparseRepresentationClassifier(),
    ardent.DoublySparseClassifier(**SAMPLING),
    ardent.DoublySparseRegressor(**SAMPLING),
    ardent.ARDSelector(),
    # The checks' images are two pixels wide, and noise is told from blocks of three.
    ardent.SourceFinder(noise=1.0),
]

ROWS_ARE_THE_BASIS = (
    "training rows are the basis functions: a row given twice is offered twice, "
    "and a row of weight two once"
)


def expected_failures(estimator):
    if isinstance(estimator, (ardent.RVMClassifier, ardent.RVMRegressor)):
        return {
            "check_sample_weight_equivalence_on_dense_data": ROWS_ARE_THE_BASIS,
            "check_sample_weight_equivalence_on_sparse_data": ROWS_ARE_THE_BASIS,
        }
    return {}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
def test_scikit_learn_check(estimator, check):
    check(estimator)


def test_every_estimator_is_checked():
    public = {name for name in ardent.__all__ if name[0].isupper()}
    assert public == {type(estimator).__name__ for estimator in ESTIMATORS}
