"""What the posterior leaves open: latent variances, deviations and intervals of probabilities."""

import numpy as np
import pytest
from scipy import integrate
from scipy.special import expit
from scipy.stats import norm
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.exceptions import NotFittedError

import ardent

X, Y = load_breast_cancer(return_X_y=True)
WINE = load_wine(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)
SAMPLING = {"chains": 2, "burn_in": 20, "sweeps": 40}


def test_latent_moments_follow_from_weights_and_covariance():
    model = ardent.ARDClassifier().fit(X, Y)
    mean, variance = model.latent_mean_and_variance(X)
    rows = np.column_stack([X[:, model.active_], np.ones(len(X))])
    expected = np.einsum("ij,jk,ik->i", rows, model.sigma_with_intercept_, rows)
    np.testing.assert_allclose(mean, X @ model.coef_[0] + model.intercept_[0], atol=1e-9)
    np.testing.assert_allclose(variance, expected, rtol=1e-6, atol=1e-9)
    several = ardent.ARDClassifier().fit(*WINE)
    means, variances = several.latent_mean_and_variance(WINE[0])
    assert means.shape == variances.shape == (178, 3)
    np.testing.assert_allclose(means, WINE[0] @ several.coef_.T + several.intercept_, atol=1e-8)


def test_decisions_are_the_log_odds_of_the_probabilities():
    for kind in (ardent.ARDClassifier, ardent.RVMClassifier, ardent.SBELMClassifier):
        for moderated in (None, True, False):
            model = kind(moderated=moderated).fit(X, Y)
            decision = model.decision_function(X)
            assert decision.shape == (len(X),)
            np.testing.assert_allclose(expit(decision), model.predict_proba(X)[:, 1], atol=1e-12)
            np.testing.assert_array_equal(
                model.classes_[(decision > 0).astype(int)], model.predict(X)
            )
    # Linear, at the mean weights: what scikit-learn's linear models give.
    model = ardent.ARDClassifier(moderated=False).fit(X, Y)
    np.testing.assert_allclose(
        model.decision_function(X), X @ model.coef_[0] + model.intercept_[0], atol=1e-9
    )
    several = ardent.ARDClassifier().fit(*WINE)
    decision = several.decision_function(WINE[0])
    np.testing.assert_array_equal(
        several.classes_[decision.argmax(axis=1)], several.predict(WINE[0])
    )
    coder = ardent.SparseRepresentationClassifier(atoms=60).fit(*WINE)
    assert np.isfinite(coder.decision_function(WINE[0])).all()


def test_two_classes_have_the_moments_and_quantiles_of_a_gaussian_through_a_sigmoid():
    model = ardent.ARDClassifier().fit(X, Y)
    mean, variance = model.latent_mean_and_variance(X[:12])
    probabilities, std = model.predict_proba(X[:12], return_std=True)
    np.testing.assert_array_equal(probabilities, model.predict_proba(X[:12]))
    low, high = model.predict_interval(X[:12], level=0.9)
    for i, (m, v) in enumerate(zip(mean, variance)):

        def moment(power):  # of the smaller of p and 1 - p
            f = lambda z: expit(-abs(m) + np.sqrt(v) * z) ** power * norm.pdf(z)
            return integrate.quad(f, -9, 9, limit=500, epsabs=0, points=[0, 3, 6])[0]

        deviation = np.sqrt(moment(2) - moment(1) ** 2)
        np.testing.assert_allclose(std[i], deviation, rtol=1e-3)
        ends = expit(norm.ppf([0.05, 0.95], m, np.sqrt(v)))
        np.testing.assert_allclose([low[i, 1], high[i, 1]], ends, rtol=1e-9)
        others = expit(norm.ppf([0.05, 0.95], -m, np.sqrt(v)))
        np.testing.assert_allclose([low[i, 0], high[i, 0]], others, rtol=1e-9)


@pytest.mark.parametrize("multiclass", ["ovo", "ovr"])
def test_several_classes_are_drawn_and_coupled(multiclass):
    features, y = WINE
    model = ardent.ARDClassifier(multiclass=multiclass).fit(features, y)
    probabilities, std = model.predict_proba(features, return_std=True)
    low, high = model.predict_interval(features)
    assert std.shape == low.shape == high.shape == probabilities.shape
    assert (low <= high).all() and (low >= 0).all() and (high <= 1).all()
    assert ((low <= probabilities) & (probabilities <= high)).mean() > 0.9
    # Independent draws of the pairs' predictors, coupled one by one.
    row = int(std.max(axis=1).argmax())
    mean, variance = model.latent_mean_and_variance(features[row : row + 1])
    rng = np.random.default_rng(1)
    draws = expit(mean + np.sqrt(variance) * rng.normal(size=(4000, 3)))
    from ardent import _core

    coupled = _core.combine(model.model_, draws, 1)[:, np.argsort(model.model_.class_values)]
    np.testing.assert_allclose(std[row], coupled.std(axis=0), atol=0.03)
    np.testing.assert_allclose(low[row], np.quantile(coupled, 0.025, axis=0), atol=0.05)
    wider = model.predict_interval(features, level=0.99)
    assert (wider[0] <= low).all() and (wider[1] >= high).all()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_sampled_models_use_their_draws():
    model = ardent.DoublySparseClassifier(moderated=True, **SAMPLING).fit(X[:100], Y[:100])
    probabilities, std = model.predict_proba(X[:50], return_std=True)
    low, high = model.predict_interval(X[:50])
    assert (std >= 0).all() and std.max() > 0.01
    assert ((low <= probabilities) & (probabilities <= high)).mean() > 0.9
    importances = model.feature_importances_
    assert importances.sum() == pytest.approx(1)
    assert importances.argmax() == model.feature_inclusion_.argmax()


def test_intervals_of_observations():
    features, y = DIABETES
    for kind in (ardent.ARDRegressor, ardent.RVMRegressor):
        model = kind().fit(features, y)
        mean, std = model.predict(features, return_std=True)
        low, high = model.predict_interval(features, level=0.6826894921370859)
        np.testing.assert_allclose(low, mean - std)
        np.testing.assert_allclose(high, mean + std)
        low, high = model.predict_interval(features)
        assert 0.92 < ((low <= y) & (y <= high)).mean() < 0.98
    for level in (0, 1, -0.5, 1.5):
        with pytest.raises(ValueError, match="level must be above 0 and below 1"):
            model.predict_interval(features, level=level)


def test_nothing_is_predicted_before_fit():
    for method in ("decision_function", "predict_interval", "latent_mean_and_variance"):
        with pytest.raises(NotFittedError):
            getattr(ardent.ARDClassifier(), method)(X)
