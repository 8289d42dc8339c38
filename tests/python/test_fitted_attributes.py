"""Weights, precisions, covariances and reports mean what they say."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine, make_moons
from sklearn.exceptions import NotFittedError
from sklearn.metrics.pairwise import rbf_kernel

import ardent

X, Y = load_breast_cancer(return_X_y=True)
WINE = load_wine(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)


def test_coefficients_are_in_the_units_of_the_data():
    model = ardent.ARDRegressor().fit(*DIABETES)
    features, _ = DIABETES
    np.testing.assert_allclose(
        features @ model.coef_ + model.intercept_, model.predict(features), rtol=1e-10
    )
    assert model.coef_.shape == (10,)
    np.testing.assert_array_equal(np.flatnonzero(model.coef_), model.active_)


def test_standard_deviation_follows_from_the_covariance():
    features, y = DIABETES
    for scale in ("minmax", "standard", "none"):
        model = ardent.ARDRegressor(scale=scale).fit(features, y)
        rows = np.column_stack([features[:, model.active_], np.ones(len(y))])
        variance = (
            np.einsum("ij,jk,ik->i", rows, model.sigma_with_intercept_, rows)
            + model.noise_variance_
        )
        _, std = model.predict(features, return_std=True)
        np.testing.assert_allclose(np.sqrt(variance), std, rtol=1e-9)


def test_precisions_do_not_depend_on_the_scaling():
    fits = [ardent.ARDRegressor(scale=s, tol=1e-9).fit(*DIABETES) for s in ("none", "minmax")]
    np.testing.assert_array_equal(fits[0].active_, fits[1].active_)
    np.testing.assert_allclose(fits[0].alpha_, fits[1].alpha_, rtol=1e-4)
    np.testing.assert_allclose(fits[0].sigma_, fits[1].sigma_, rtol=1e-3, atol=1e-3)


def test_probabilities_follow_from_weights_and_covariance():
    model = ardent.ARDClassifier().fit(X, Y)
    logit = X @ model.coef_[0] + model.intercept_[0]
    rows = np.column_stack([X[:, model.active_], np.ones(len(X))])
    variance = np.einsum("ij,jk,ik->i", rows, model.sigma_with_intercept_, rows)
    moderated = 1 / (1 + np.exp(-logit / np.sqrt(1 + np.pi / 8 * variance)))
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], moderated, rtol=1e-6, atol=1e-12)
    model.set_params(moderated=False)
    np.testing.assert_allclose(
        model.predict_proba(X)[:, 1], 1 / (1 + np.exp(-logit)), rtol=1e-6, atol=1e-12
    )


def test_several_classes_have_a_row_a_pair():
    model = ardent.ARDClassifier().fit(*WINE)
    assert model.coef_.shape == (3, 13) and model.intercept_.shape == (3,)
    assert model.alpha_.shape == (3, len(model.active_))
    kept = np.isfinite(model.alpha_)
    np.testing.assert_array_equal(kept, model.coef_[:, model.active_] != 0)
    for matrix, row in zip(model.sigma_, kept):
        assert matrix.shape == (row.sum(),) * 2
    for matrix, row in zip(model.sigma_with_intercept_, kept):
        assert matrix.shape == (row.sum() + 1,) * 2


def test_without_a_joint_covariance_there_are_variances():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(300, 2500))
    model = ardent.ARDClassifier(engine="diagonal", max_iter=1, alpha_max=1e300).fit(
        features, features[:, 0] > 0
    )
    assert len(model.active_) > 2000
    assert model.sigma_.shape == (len(model.active_),)
    assert model.sigma_with_intercept_.shape == (len(model.active_) + 1,)
    assert (model.sigma_ > 0).all()


def test_reports_tell_how_it_went():
    model = ardent.ARDClassifier().fit(X, Y)
    stages = model.report_["parts"][0]["stages"]
    assert model.report_["status"] == "converged"
    assert len(stages["log_evidence"]) == len(stages["active"]) == model.n_iter_
    assert stages["active"][-1] == len(model.active_)
    assert stages["log_evidence"][-1] == pytest.approx(model.log_evidence_, rel=1e-3)
    short = ardent.ARDClassifier(max_iter=2).fit(X, Y)
    assert short.n_iter_ == 2 and short.report_["status"] == "iteration limit"


@pytest.mark.parametrize(
    "kind, options",
    [
        (ardent.ARDClassifier, {"support_prior": "none"}),
        (ardent.ARDClassifier, {"engine": "diagonal"}),
        (ardent.SBELMClassifier, {"hidden": 30}),
        (ardent.RVMClassifier, {"engine": "exact"}),
        (
            ardent.RVMClassifier,
            {"engine": "exact", "kernel": "laplacian", "kernel_params": {"gamma": 1e-3}},
        ),
    ],
)
def test_the_path_of_stages(kind, options):
    features, y = WINE
    plain = kind(**options).fit(features, y)
    model = kind(keep_stages=True, **options).fit(features, y)
    np.testing.assert_array_equal(model.active_, plain.active_)
    np.testing.assert_array_equal(model.alpha_, plain.alpha_)
    np.testing.assert_allclose(
        model.predict_proba(features), plain.predict_proba(features), rtol=1e-9
    )
    first, last = model.at_stage(1), model.at_stage(model.n_iter_)
    np.testing.assert_array_equal(last.active_, model.active_)
    assert len(first.active_) > len(last.active_)
    assert set(last.active_) <= set(first.active_)
    np.testing.assert_allclose(
        last.predict_proba(features), model.predict_proba(features), atol=0.1
    )
    assert np.abs(first.predict_proba(features) - last.predict_proba(features)).max() > 1e-3
    with pytest.raises(ValueError, match="no path of stages"):
        plain.at_stage(1)


def test_relevance_vectors_are_training_rows():
    features, y = make_moons(150, noise=0.2, random_state=0)
    model = ardent.RVMClassifier(sigma=0.5).fit(features, y)
    np.testing.assert_array_equal(model.relevance_vectors_, features[model.active_])
    assert len(model.active_) < 30


@pytest.mark.parametrize("how", ["callable", "precomputed"])
def test_a_kernel_from_python_does_what_the_core_does(how):
    features, y = make_moons(150, noise=0.2, random_state=0)
    core = ardent.RVMClassifier(sigma=0.5, scale="none").fit(features, y)
    gamma = 1 / 0.5**2
    grid = features[::7] + 0.1
    if how == "callable":
        model = ardent.RVMClassifier(kernel=rbf_kernel, kernel_params={"gamma": gamma})
        train, test = features, grid
    else:
        model = ardent.RVMClassifier(kernel="precomputed")
        train, test = rbf_kernel(features, gamma=gamma), rbf_kernel(grid, features, gamma=gamma)
    model.fit(train, y)
    np.testing.assert_array_equal(model.active_, core.active_)
    np.testing.assert_allclose(model.predict_proba(test), core.predict_proba(grid), atol=1e-6)


def test_kernels_by_name():
    features, y = make_moons(150, noise=0.2, random_state=0)
    model = ardent.RVMClassifier(kernel="laplacian", kernel_params={"gamma": 1.0})
    assert model.fit(features, y).score(features, y) > 0.9
    assert len(model.active_) < 40


def test_kernels_of_the_wrong_shape_are_refused():
    features, y = make_moons(20, random_state=0)
    with pytest.raises(ValueError, match=r"matrix of that shape, not \(20,\)"):
        ardent.RVMClassifier(kernel=lambda a, b: np.ones(len(a))).fit(features, y)
    with pytest.raises(ValueError, match="must be square"):
        ardent.RVMClassifier(kernel="precomputed").fit(features, y)


def test_a_kernel_that_python_computes_is_pickled_not_saved(tmp_path):
    import pickle

    features, y = make_moons(60, noise=0.1, random_state=0)
    model = ardent.RVMClassifier(kernel=rbf_kernel).fit(features, y)
    with pytest.raises(ValueError, match="pickle the estimator"):
        model.save(tmp_path / "kernel.model")
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(features), model.predict_proba(features))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_inclusion_probabilities_and_diagnostics():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(80, 5))
    features[:, 4] = 1.0
    y = (features[:, 1] ** 2 > 0.5).astype(int)
    model = ardent.DoublySparseClassifier(burn_in=50, sweeps=100).fit(features, y)
    assert model.feature_inclusion_.shape == (5,) and model.basis_inclusion_.shape == (80,)
    assert model.feature_inclusion_.argmax() == 1
    assert model.feature_inclusion_[4] == 0  # constant: left out
    assert ((0 <= model.basis_inclusion_) & (model.basis_inclusion_ <= 1)).all()
    (reported,) = model.diagnostics_
    np.testing.assert_array_equal(reported["columns"], [0, 1, 2, 3])
    assert reported["features"]["error"].shape == reported["features"]["r_hat"].shape == (4,)
    assert reported["log_likelihood"]["effective"] > 0
    assert reported["ended_by"] == "sweeps"


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_draws_of_masks_and_parameters(tmp_path):
    rng = np.random.default_rng(0)
    features = rng.normal(size=(60, 5))
    features[:, 0] = 1.0
    y = (features[:, 1] ** 2 > 0.5).astype(int)
    model = ardent.DoublySparseClassifier(chains=2, burn_in=20, sweeps=30).fit(features, y)
    masks = model.mask_draws()
    assert masks.shape == (2, 30, 5) and masks.dtype == bool
    np.testing.assert_allclose(masks.mean(axis=(0, 1)), model.feature_inclusion_, atol=1e-12)
    traces = model.diagnostics_[0]["traces"]
    np.testing.assert_array_equal(masks.sum(axis=2), traces["features_on"].T)
    together = model.co_inclusion()
    assert together[1, 2] == pytest.approx((masks[..., 1] & masks[..., 2]).mean(), abs=1e-12)
    np.testing.assert_allclose(np.diag(together), model.feature_inclusion_, atol=1e-12)
    groups = model.posterior_draws()
    np.testing.assert_allclose(np.log(groups["posterior"]["delta"]), traces["log_delta"].T)
    assert groups["sample_stats"]["log_likelihood"].shape == (2, 30)
    assert "noise_variance" not in groups["posterior"]
    with pytest.raises(ValueError, match="part must be"):
        model.mask_draws(1)
    model.save(tmp_path / "m.model")
    with pytest.raises(ValueError, match="from a file"):
        ardent.load(tmp_path / "m.model").co_inclusion()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_weights_of_rows_and_of_classes_count_in_masks():
    X = np.random.default_rng(0).normal(size=(50, 3))
    y = (X[:, 1] + 0.5 * X[:, 2] > 0.3).astype(int)
    short = {"chains": 1, "burn_in": 20, "sweeps": 30}
    plain = ardent.DoublySparseClassifier(**short).fit(X, y).predict_proba(X)
    ones = ardent.DoublySparseClassifier(**short).fit(X, y, sample_weight=np.ones(50))
    np.testing.assert_array_equal(ones.predict_proba(X), plain)
    rows = ardent.DoublySparseClassifier(**short).fit(X, y, sample_weight=np.where(y, 20.0, 1.0))
    classes = ardent.DoublySparseClassifier(class_weight={1: 20.0}, **short).fit(X, y)
    np.testing.assert_array_equal(rows.predict_proba(X), classes.predict_proba(X))
    assert rows.predict_proba(X)[:, 1].mean() > plain[:, 1].mean()
    three = ardent.DoublySparseClassifier(multiclass="ovr", **short).fit(X, y + (X[:, 0] > 0))
    assert three.feature_inclusion_.shape == (3, 3)
    weighted = ardent.DoublySparseRegressor(**short)
    target = np.where(np.arange(50) < 25, 1.0, 3.0) + 0.1 * X[:, 0]
    weighted.fit(
        np.zeros((50, 1)) + X[:, :1] * 1e-9,
        target,
        sample_weight=np.r_[np.ones(25), np.full(25, 9.0)],
    )
    assert weighted.predict(X[:, :1] * 1e-9).mean() == pytest.approx(2.8, abs=0.15)


def test_arviz_has_the_draws():
    arviz = pytest.importorskip("arviz")
    X = np.random.default_rng(0).normal(size=(40, 3))
    model = ardent.DoublySparseRegressor(chains=2, burn_in=10, sweeps=20).fit(X, X[:, 1])
    data = model.to_arviz()
    assert data.posterior["feature"].shape == (2, 20, 3)
    assert float(arviz.rhat(data)["delta"]) > 0
    assert data.sample_stats["log_likelihood_total"].shape == (2, 20)


def test_nothing_is_known_before_fit():
    for name in ("coef_", "intercept_", "alpha_", "sigma_"):
        with pytest.raises(NotFittedError):
            getattr(ardent.ARDClassifier(), name)
    assert not hasattr(ardent.ARDRegressor(), "noise_variance_")


def test_loading_into_the_wrong_class_says_which(tmp_path):
    path = tmp_path / "wine.model"
    ardent.ARDClassifier().fit(*WINE).save(path)
    with pytest.raises(ValueError, match="classification with the map linear"):
        ardent.RVMRegressor.load(path)
    path.write_bytes(b"1 1:0.5\n")
    with pytest.raises(ValueError, match="looks like LIBSVM data"):
        ardent.load(path)
