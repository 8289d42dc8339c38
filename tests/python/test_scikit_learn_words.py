"""scikit-learn's words for scikit-learn's things, and its manners."""

import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import ARDRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import ardent

X, Y = load_breast_cancer(return_X_y=True)
WINE = load_wine(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)


@pytest.mark.parametrize(
    "old, new", [("bias", "fit_intercept"), ("max_stages", "max_iter"), ("tolerance", "tol")]
)
def test_the_command_lines_words_are_answered_with_scikit_learns(old, new):
    for kind in (ardent.ARDClassifier, ardent.RVMRegressor, ardent.SBELMClassifier):
        assert new in kind().get_params() and old not in kind().get_params()
        with pytest.raises(TypeError, match=f"takes no keyword {old}: did you mean {new}\\?"):
            kind(**{old: 1})
    with pytest.raises(TypeError, match="did you mean random_state"):
        ardent.ARDClassifier(seed=3)
    with pytest.raises(TypeError, match="did you mean alpha_max"):
        ardent.ARDClassifier(alpha_mx=3)


def test_an_intercept_that_is_not_fitted_is_zero():
    features, y = DIABETES
    model = ardent.ARDRegressor(fit_intercept=False, scale="none").fit(features, y - y.mean())
    assert model.intercept_ == 0
    assert model.sigma_.shape == model.sigma_with_intercept_.shape == (len(model.active_),) * 2


def test_the_limit_of_stages_warns_as_scikit_learn_does():
    with pytest.warns(ConvergenceWarning, match="limit of 2 stages.*increase max_iter") as caught:
        model = ardent.ARDClassifier(max_iter=2).fit(X, Y)
    assert model.n_iter_ == 2 and [w.filename for w in caught] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ardent.ARDClassifier().fit(X, Y)
        ardent.ARDClassifier(early_stop="cv").fit(X, Y)  # a stage that was chosen


def test_warnings_point_at_the_callers_line():
    def places(call):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            call()
        return {warning.filename for warning in caught if warning.category is ConvergenceWarning}

    pipeline = make_pipeline(StandardScaler(), ardent.RVMClassifier(max_iter=1))
    constant = np.full(len(X), 3.0)
    sampler = ardent.DoublySparseClassifier(chains=2, burn_in=2, sweeps=5)
    for call in (
        lambda: ardent.ARDRegressor().fit(X, constant),
        lambda: ardent.ARDSelector(max_iter=1).fit(X, Y),
        lambda: pipeline.fit(X, Y),
        lambda: cross_val_score(pipeline, X, Y, cv=2),
        lambda: sampler.fit(X[:60], Y[:60]),
    ):
        assert places(call) == {__file__}


def test_kernel_and_hidden_layer_models_have_weights_of_what_they_keep():
    from sklearn.metrics.pairwise import rbf_kernel

    features, y = DIABETES
    model = ardent.RVMRegressor(sigma=2.0, scale="none").fit(features, y)
    assert model.coef_.shape == model.alpha_.shape == model.active_.shape
    kernel = rbf_kernel(features, model.relevance_vectors_, gamma=1 / 2.0**2)
    np.testing.assert_allclose(
        kernel @ model.coef_ + model.intercept_, model.predict(features), rtol=1e-9
    )
    elm = ardent.SBELMClassifier(hidden=60).fit(*WINE)
    assert elm.coef_.shape == elm.alpha_.shape == (3, len(elm.active_))
    assert elm.intercept_.shape == (3,)
    np.testing.assert_array_equal(elm.coef_ != 0, np.isfinite(elm.alpha_))
    assert not hasattr(ardent.DoublySparseClassifier, "coef_")


def test_importances_are_shares_that_do_not_depend_on_units():
    model = ardent.ARDClassifier().fit(X, Y)
    importances = model.feature_importances_
    assert importances.shape == (30,) and importances.sum() == pytest.approx(1)
    np.testing.assert_array_equal(np.flatnonzero(importances), model.active_)
    units = 2.0 ** np.arange(-15, 15)
    again = ardent.ARDClassifier().fit(X * units, Y).feature_importances_
    np.testing.assert_allclose(again, importances, rtol=1e-9)
    assert ardent.ARDClassifier().fit(*WINE).feature_importances_.sum() == pytest.approx(1)
    # All pruned: nothing matters.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        nothing = ardent.ARDRegressor().fit(X, np.ones(len(X)))
    np.testing.assert_array_equal(nothing.feature_importances_, 0)


def test_results_have_the_precision_of_the_data():
    features, y = DIABETES
    for dtype in (np.float32, np.float64):
        model = ardent.ARDRegressor().fit(features.astype(dtype), y)
        mean, std = model.predict(features.astype(dtype), return_std=True)
        for array in (model.coef_, model.sigma_, model.intercept_, mean, std):
            assert array.dtype == dtype
        for end in model.predict_interval(features.astype(dtype)):
            assert end.dtype == dtype


def test_scores_and_covariance_are_those_that_a_user_of_ard_regression_expects():
    features, y = DIABETES
    ours = ardent.ARDRegressor(compute_score=True).fit(features, y)
    assert ours.scores_.shape == (ours.n_iter_,)
    assert ours.scores_[-1] == pytest.approx(ours.log_evidence_, rel=1e-3)
    assert not hasattr(ardent.ARDRegressor().fit(features, y), "scores_")
    theirs = ARDRegression().fit(features, y)
    assert ours.sigma_.shape == (len(ours.active_),) * 2
    assert ours.coef_.shape == theirs.coef_.shape
    # alpha_ means the noise's precision there, and the weights' here, as the docstring says.
    assert 1 / ours.noise_variance_ == pytest.approx(float(theirs.alpha_), rel=0.05)
    for kind in (ardent.ARDRegressor, ardent.RVMRegressor, ardent.SBELMRegressor):
        assert "1 / noise_variance_" in kind.alpha_.__doc__


@pytest.mark.parametrize("sparse_output", [True, False])
def test_codes_as_a_frame(sparse_output):
    features, _ = WINE
    signals = pd.DataFrame(features[:5], index=list("abcde"))
    signals.columns = [f"c{k}" for k in signals.columns]
    coder = ardent.SparseCoder(lambda_ratio=0.1, sparse_output=sparse_output)
    atoms = pd.DataFrame(features[::5], columns=signals.columns)
    plain = coder.fit(atoms).transform(signals)
    frame = coder.set_output(transform="pandas").fit(atoms).transform(signals)
    assert list(frame.index) == list("abcde") and frame.columns[0] == "sparsecoder0"
    np.testing.assert_array_equal(frame, plain.toarray() if sparse_output else plain)


def test_only_our_names_are_listed():
    code = "import ardent; print(*dir(ardent)); print(*dir(ardent.plot))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names, pictures = (line.split() for line in done.stdout.splitlines())
    assert set(names) == {*ardent.__all__, "plot"}
    assert set(pictures) == set(ardent.plot.__all__)
    from ardent import _base  # noqa: F401  (an import leaves a name in the module)

    assert set(dir(ardent)) == {*ardent.__all__, "plot"}


def test_shap_explains_the_log_odds():
    shap = pytest.importorskip("shap")
    features, y = load_iris(return_X_y=True)
    for labels in (y == 1, y):
        model = ardent.ARDClassifier(moderated=False).fit(features, labels)
        explained = shap.LinearExplainer(model, features)(features)
        mean, _ = model.latent_mean_and_variance(features)
        total = explained.values.sum(axis=1) + explained.base_values
        np.testing.assert_allclose(total, mean, atol=1e-8)
