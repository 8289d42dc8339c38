"""The estimators are at home in scikit-learn."""

import numpy as np
import pytest
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.feature_selection import SelectFromModel
from sklearn.linear_model import LogisticRegression
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import ardent

X, Y = load_breast_cancer(return_X_y=True)


def test_pipeline_and_cross_validation():
    pipeline = make_pipeline(StandardScaler(), ardent.ARDClassifier(scale="none"))
    assert cross_val_score(pipeline, X, Y, cv=3).mean() > 0.93
    regressor = make_pipeline(StandardScaler(), ardent.RVMRegressor())
    assert cross_val_score(regressor, *load_diabetes(return_X_y=True), cv=3).mean() > 0.3


def test_a_precomputed_kernel_is_cut_by_rows_and_columns():
    features, y = load_wine(return_X_y=True)
    kernel = rbf_kernel(StandardScaler().fit_transform(features), gamma=0.05)
    scores = cross_val_score(ardent.RVMClassifier(kernel="precomputed"), kernel, y, cv=3)
    assert scores.mean() > 0.9


def test_grid_search_finds_a_width_on_two_processes():
    search = GridSearchCV(
        ardent.RVMClassifier(n_jobs=1), {"sigma": [0.01, 2.0]}, cv=3, n_jobs=2, error_score="raise"
    )
    search.fit(*load_wine(return_X_y=True))
    assert search.best_params_ == {"sigma": 2.0}
    assert search.best_score_ > 0.9


def test_joblib_with_two_processes_gives_the_same_model():
    def fit(seed):
        return ardent.SBELMClassifier(hidden=30, random_state=seed, n_jobs=1).fit(X, Y)

    there = Parallel(n_jobs=2)(delayed(fit)(seed) for seed in (1, 2))
    for seed, model in zip((1, 2), there):
        assert model.model_.to_bytes() == fit(seed).model_.to_bytes()


def test_clone_forgets_the_fit_and_keeps_the_parameters():
    model = ardent.ARDClassifier(alpha_max=1e5, class_weight={0: 2.0, 1: 1.0}).fit(X, Y)
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    assert not hasattr(copy, "model_")


def test_select_from_model_and_selector_keep_the_same_features():
    chosen = SelectFromModel(ardent.ARDClassifier(), threshold=1e-12).fit(X, Y)
    selector = ardent.ARDSelector().fit(X, Y)
    np.testing.assert_array_equal(chosen.get_support(), selector.get_support())
    assert selector.transform(X).shape == (len(X), selector.get_support().sum())
    np.testing.assert_array_equal(selector.relevance_ > 0, selector.get_support())
    pipeline = make_pipeline(selector, StandardScaler(), LogisticRegression())
    assert cross_val_score(pipeline, X, Y, cv=3).mean() > 0.93


def test_selector_takes_a_regression_target():
    features, y = load_diabetes(return_X_y=True)
    selector = ardent.ARDSelector().fit(features, y)
    assert selector.model_.task == "regression"
    np.testing.assert_array_equal(selector.active_, ardent.ARDRegressor().fit(features, y).active_)


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_calibration(method):
    model = CalibratedClassifierCV(ardent.ARDClassifier(), method=method, cv=3).fit(X, Y)
    assert model.score(X, Y) > 0.95


def test_cross_validated_probabilities():
    features, y = load_wine(return_X_y=True)
    probabilities = cross_val_predict(
        ardent.SBELMClassifier(hidden=60), features, y, cv=3, method="predict_proba"
    )
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert (probabilities.argmax(axis=1) == y).mean() > 0.9


def test_codes_in_a_pipeline():
    features, y = load_wine(return_X_y=True)
    coder = ardent.SparseCoder(lambda_ratio=0.1, sparse_output=False).fit(features[::5])
    codes = coder.transform(features)
    assert codes.shape == (178, 36) and coder.get_feature_names_out()[0] == "sparsecoder0"
    assert (codes != 0).sum(axis=1).max() < 20


def test_a_coder_reports_how_it_went():
    rng = np.random.default_rng(0)
    atoms = rng.normal(size=(50, 20))
    signals = atoms[[3, 7]] + 0.01 * rng.normal(size=(2, 20))
    codes, deviations, report = ardent.SparseCoder(lam=0.1).fit(atoms).code(signals)
    np.testing.assert_array_equal(codes.nonzero()[1], [3, 7])
    np.testing.assert_array_equal(codes.nonzero(), deviations.nonzero())
    assert report["status"] == ["converged", "converged"]
    assert (report["gap"] <= 1e-6).all()
