"""Small real jobs with scikit-learn's own tools, and with searches on others' workers."""

import numpy as np
import pytest
from scipy.stats import loguniform
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.inspection import PartialDependenceDisplay, partial_dependence, permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import (
    GridSearchCV,
    HalvingRandomSearchCV,
    cross_val_score,
    train_test_split,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

import ardent


def tumours():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return train_test_split(X, y, random_state=0, stratify=y)


def test_a_pipeline_with_interactions_finds_the_few_that_help():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    pipeline = make_pipeline(
        PolynomialFeatures(2, include_bias=False).set_output(transform="pandas"),
        ardent.ARDRegressor(),
    )
    pipeline.fit(X, y)
    kept = pipeline[:-1].get_feature_names_out()[pipeline[-1].active_]
    assert len(kept) < 20 and {"bmi", "s5"} <= set(kept)
    assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.4


def test_a_selector_in_a_pipeline_feeds_another_s_model():
    X, X_test, y, y_test = tumours()
    pipeline = make_pipeline(StandardScaler(), ardent.ARDSelector(), LogisticRegression())
    assert pipeline.fit(X, y).score(X_test, y_test) > 0.9
    kept = pipeline[:-1].get_feature_names_out()
    assert len(kept) < 10 and set(kept) <= set(X.columns)
    assert pipeline[-1].coef_.shape == (1, len(kept))


def test_columns_of_two_kinds_are_prepared_apart():
    X, X_test, y, y_test = tumours()
    halves = make_column_transformer(
        (StandardScaler(), X.columns[:15]), ("passthrough", X.columns[15:])
    )
    model = make_pipeline(halves, ardent.ARDClassifier()).fit(X, y)
    assert model.score(X_test, y_test) > 0.9


def test_a_grid_search_chooses_a_width():
    X, X_test, y, y_test = tumours()
    search = GridSearchCV(
        make_pipeline(StandardScaler(), ardent.RVMClassifier()),
        {"rvmclassifier__sigma": [0.2, 5.0, 20.0]},
        scoring="neg_log_loss",
        cv=3,
    ).fit(X, y)
    scores = search.cv_results_["mean_test_score"]
    assert scores[0] < scores[1:].min() - 0.1  # kernels far narrower than the gaps between rows
    assert search.score(X_test, y_test) > -0.2


@pytest.mark.parametrize("workers", ["threads", "processes", "dask"])
def test_a_halving_search_runs_on_any_workers(workers):
    """As Dask-ML's searches do it: folds fitted wherever joblib says."""
    import joblib

    X, X_test, y, y_test = tumours()
    search = HalvingRandomSearchCV(
        make_pipeline(StandardScaler(), ardent.RVMClassifier()),
        {"rvmclassifier__sigma": loguniform(1, 30)},
        n_candidates=4,
        min_resources=100,
        cv=2,
        random_state=0,
        n_jobs=2,
    )
    if workers == "dask":
        distributed = pytest.importorskip("distributed")
        with distributed.Client(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
        ):
            with joblib.parallel_backend("dask"):
                search.fit(X, y)
    else:
        with joblib.parallel_backend("threading" if workers == "threads" else "loky"):
            search.fit(X, y)
    assert search.score(X_test, y_test) > 0.9
    alone = search.set_params(n_jobs=1).fit(X, y)
    assert alone.best_params_ == search.best_params_


def test_calibrated_on_folds():
    X, X_test, y, y_test = tumours()
    plain = ardent.ARDClassifier().fit(X, y)
    calibrated = CalibratedClassifierCV(ardent.ARDClassifier(), method="sigmoid", cv=3).fit(X, y)
    assert log_loss(y_test, calibrated.predict_proba(X_test)) < 0.25
    assert log_loss(y_test, plain.predict_proba(X_test)) < 0.25


def test_inspection_says_what_the_model_keeps():
    X, X_test, y, y_test = tumours()
    model = ardent.ARDClassifier().fit(X, y)
    importance = permutation_importance(model, X_test, y_test, n_repeats=5, random_state=0)
    left_out = np.setdiff1d(np.arange(X.shape[1]), model.active_)
    assert np.all(importance.importances_mean[left_out] == 0)
    assert importance.importances_mean[model.active_].max() > 0.02
    kept = int(model.active_[0])
    curve = partial_dependence(model, X, [kept], grid_resolution=10)["average"][0]
    assert np.all(np.diff(curve) >= 0) or np.all(np.diff(curve) <= 0)  # linear in log odds


def test_a_picture_of_partial_dependence():
    import matplotlib

    matplotlib.use("Agg")
    X, y = load_wine(return_X_y=True, as_frame=True)
    model = ardent.RVMClassifier().fit(X, y)
    shown = PartialDependenceDisplay.from_estimator(
        model, X, ["proline", ("proline", "flavanoids")], target=0, grid_resolution=8
    )
    assert len(shown.axes_.ravel()) == 2
