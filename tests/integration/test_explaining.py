"""SHAP and ArviZ on fitted models."""

import numpy as np
from sklearn.datasets import load_diabetes, load_iris

import ardent


def test_shapley_values_of_a_linear_model_are_its_terms():
    import shap

    X, y = load_diabetes(return_X_y=True, as_frame=True)
    model = ardent.ARDRegressor().fit(X, y)
    explained = shap.Explainer(model.predict, shap.maskers.Independent(X, max_samples=100), seed=1)(
        X[:20]
    )
    total = explained.values.sum(axis=1) + explained.base_values
    np.testing.assert_allclose(total, model.predict(X[:20]), rtol=1e-6)
    # Of a linear model each is w (x - mean of the background).
    left_out = np.setdiff1d(np.arange(X.shape[1]), model.active_)
    assert np.abs(explained.values[:, left_out]).max() < 1e-8
    first = int(model.active_[0])
    slope = np.polyfit(X.iloc[:20, first], explained.values[:, first], 1)[0]
    assert abs(slope / model.coef_.ravel()[first] - 1) < 1e-6


def test_shapley_values_of_kernel_probabilities_add_up():
    import shap

    X, y = load_iris(return_X_y=True, as_frame=True)
    model = ardent.RVMClassifier().fit(X, y)
    explainer = shap.Explainer(
        model.predict_proba, shap.maskers.Independent(X, max_samples=50), seed=1
    )
    explained = explainer(X[:10])
    total = explained.values.sum(axis=1) + explained.base_values
    np.testing.assert_allclose(total, model.predict_proba(X[:10]), atol=1e-6)
    petals = np.abs(explained.values[:, 2:]).sum()
    assert petals > np.abs(explained.values[:, :2]).sum()


def test_chains_in_arviz():
    import arviz

    X, y = load_diabetes(return_X_y=True, as_frame=True)
    model = ardent.DoublySparseRegressor(
        expected_basis=5, chains=4, burn_in=100, sweeps=300, random_state=1
    ).fit(X, y)
    chains = model.to_arviz()
    assert chains.posterior.sizes["chain"] == 4
    share = chains.posterior["feature"].mean(("chain", "draw")).values
    assert np.argmax(share) == X.columns.get_loc("bmi")
    summary = arviz.summary(chains, var_names=["noise_variance", "features_on"], round_to="none")
    assert abs(summary.loc["features_on", "mean"] - share.sum()) < 1e-9
    diagnosed = arviz.rhat(chains, var_names=["noise_variance"])["noise_variance"]
    assert float(diagnosed) < 1.2
