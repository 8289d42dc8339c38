"""A further fit begins where the last one ended."""

from functools import partial

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine

import ardent

# Fits are cut short on purpose, and say so.
pytestmark = pytest.mark.filterwarnings("ignore:.*limit of .* stages")

X, Y = load_breast_cancer(return_X_y=True)
ENGINES = ["exact", "diagonal", "dqn", "probes", "sequential"]


def stages(model):
    return [len(part["stages"]["active"]) for part in model.report_["parts"]]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_converged_fit_has_little_left_to_do(engine):
    model = ardent.ARDClassifier(engine=engine, warm_start=True).fit(X, Y)
    before, evidence, probabilities = model.n_iter_, model.log_evidence_, model.predict_proba(X)
    kept = len(model.active_)
    assert 3 < before and kept < 30
    model.fit(X, Y)
    assert model.report_["parts"][0]["stages"]["active"].max(initial=0) <= kept
    if engine not in ("dqn", "probes"):  # whose precisions do not come to rest here
        assert model.n_iter_ <= before / 3
        assert model.log_evidence_ == pytest.approx(evidence, abs=0.05)
        np.testing.assert_allclose(model.predict_proba(X), probabilities, atol=0.05)


def test_stages_in_parts_end_where_those_of_one_fit_end():
    for kind, data in (
        (partial(ardent.ARDClassifier, support_prior="none"), (X, Y)),
        (ardent.ARDRegressor, load_diabetes(return_X_y=True)),
        (partial(ardent.SBELMClassifier, hidden_weights="published"), load_wine(return_X_y=True)),
        (ardent.RVMRegressor, load_diabetes(return_X_y=True)),
    ):
        whole = kind().fit(*data)
        parts = kind(max_iter=10, warm_start=True).fit(*data)
        assert parts.log_evidence_ < whole.log_evidence_
        for _ in range(30):
            before = parts.log_evidence_
            parts.fit(*data)
            assert parts.log_evidence_ > before - 0.1  # Laplace's evidence may fall a little
        assert parts.log_evidence_ == pytest.approx(whole.log_evidence_, rel=1e-5)


def test_without_it_a_fit_begins_anew():
    model = ardent.ARDClassifier(max_iter=4).fit(X, Y)
    bytes_before = model.model_.to_bytes()
    assert model.fit(X, Y).model_.to_bytes() == bytes_before
    warm = ardent.ARDClassifier(max_iter=4, warm_start=True).fit(X, Y)
    assert warm.model_.to_bytes() == bytes_before  # nothing to begin from
    assert warm.fit(X, Y).model_.to_bytes() != bytes_before


def test_linear_models_may_see_other_rows_and_another_scaling():
    # One prior for all three: `auto` may decide otherwise for other rows.
    prior = {"support_prior": "none", "tol": 1e-5}
    model = ardent.ARDClassifier(warm_start=True, **prior).fit(X[::2], Y[::2])
    kept = set(model.active_)
    model.set_params(scale="standard").fit(X, Y)
    assert set(model.active_) <= kept
    # Restricted to those features, a cold fit ends at the same place.
    columns = sorted(kept)
    cold = ardent.ARDClassifier(scale="standard", **prior).fit(X[:, columns], Y)
    assert model.log_evidence_ == pytest.approx(cold.log_evidence_, abs=0.2)


def test_pairs_of_classes_are_found_by_their_names():
    features, ids = load_wine(return_X_y=True)
    names = np.array(["b", "c", "a"])[ids]
    model = ardent.ARDClassifier(warm_start=True, support_prior="none").fit(features, names)
    cold, probabilities = stages(model), model.predict_proba(features)
    model.fit(features[::-1], names[::-1])  # the classes appear in another order
    assert max(stages(model)) <= max(cold) / 3
    np.testing.assert_allclose(model.predict_proba(features), probabilities, atol=0.05)


def test_kernels_and_nodes_must_be_the_same():
    for estimator in (
        ardent.RVMClassifier(warm_start=True),
        ardent.SBELMClassifier(warm_start=True),
    ):
        estimator.fit(X, Y)
        before = estimator.n_iter_
        estimator.fit(X, Y)
        assert estimator.n_iter_ < before
        with pytest.raises(ValueError, match="have changed: train without it"):
            estimator.set_params(scale="standard").fit(X[::2], Y[::2])


def test_a_clone_has_nothing_to_begin_from():
    model = ardent.ARDClassifier(warm_start=True).fit(X, Y)
    again = clone(model).fit(X, Y)
    assert again.n_iter_ > 3
