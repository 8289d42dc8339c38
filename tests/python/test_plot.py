"""Pictures of models show the numbers that models have."""

import subprocess
import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex
from plotted import CANCER, bars, coded, linear, masks  # noqa: F401
from sklearn.datasets import load_diabetes, load_iris, make_moons

import ardent
from ardent import plot


def test_path_has_score_and_weights_of_every_stage(linear):
    ax = plot.path(linear, *CANCER)
    kept, scores = ax.lines[0].get_data()
    assert len(kept) == linear.n_iter_
    np.testing.assert_array_equal(kept, linear.report_["parts"][0]["stages"]["active"])
    assert scores[2] == linear.at_stage(3).score(*CANCER)
    ring = ax.lines[1].get_xydata()
    np.testing.assert_array_equal(ring, [[len(linear.active_), scores[-1]]])
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("weights kept", "accuracy")


def test_path_takes_another_score_and_style(linear):
    def count(model, X, y):
        return len(model.active_)

    ax = plot.path(linear, *CANCER, scoring=count, color="red", label="mine")
    kept, scores = ax.lines[0].get_data()
    np.testing.assert_array_equal(kept, scores)
    assert ax.get_ylabel() == "count" and ax.lines[0].get_label() == "mine"
    assert to_hex(ax.lines[0].get_color()) == to_hex("red")


def test_path_needs_the_path():
    with pytest.raises(ValueError, match="keep_stages=True"):
        plot.path(ardent.ARDClassifier().fit(*CANCER), *CANCER)


def test_stages_are_those_of_the_report(linear):
    ax = plot.stages(linear)
    reported = linear.report_["parts"][0]["stages"]
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), reported["log_evidence"])
    np.testing.assert_array_equal(ax.right_ax.lines[0].get_ydata(), reported["active"])
    np.testing.assert_array_equal(ax.lines[0].get_xdata(), np.arange(linear.n_iter_) + 1)
    assert ax.get_ylabel() == "log evidence" and ax.right_ax.get_ylabel() == "weights kept"
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "log evidence",
        "weights kept",
    ]


def test_weights_are_the_coefficients_with_their_deviations(linear):
    X, _ = CANCER
    ax = plot.weights(linear, X=X, deviations=1.5)
    spread = X.to_numpy().std(axis=0)
    coefficients = (linear.coef_[0] * spread)[linear.active_]
    order = np.argsort(-np.abs(coefficients))
    shown = ax.containers[0].lines[0].get_xdata()
    np.testing.assert_allclose(shown, coefficients[order])
    assert [t.get_text() for t in ax.get_yticklabels()] == list(X.columns[linear.active_][order])
    deviation = np.sqrt(np.diag(linear.sigma_)) * spread[linear.active_]
    ends = bars(ax.containers[0])[:, :, 0]
    np.testing.assert_allclose(ends[:, 1] - ends[:, 0], 3 * deviation[order])
    low, high = ax.get_ylim()
    assert low > high  # the largest is on top


def test_weights_in_the_units_of_the_features_and_at_most_so_many(linear):
    ax = plot.weights(linear, most=3)
    largest = np.sort(np.abs(linear.coef_[0]))[::-1][:3]
    np.testing.assert_allclose(np.abs(ax.containers[0].lines[0].get_xdata()), largest)


def test_weights_of_a_kernel_model_are_those_of_rows():
    X, y = make_moons(80, noise=0.2, random_state=0)
    model = ardent.RVMClassifier(sigma=0.7).fit(X, y)
    ax = plot.weights(model)
    assert sorted(int(t.get_text()) for t in ax.get_yticklabels()) == sorted(model.active_)
    with pytest.raises(ValueError, match="linear models"):
        plot.weights(model, X=X)


def test_one_of_several_binary_models():
    iris = load_iris(return_X_y=True)
    model = ardent.ARDClassifier().fit(*iris)
    shown = plot.weights(model, part=2).containers[0].lines[0].get_xdata()
    np.testing.assert_allclose(np.sort(shown), np.sort(model.coef_[2][model.coef_[2] != 0]))
    evidence = plot.stages(model, part=2).lines[0].get_ydata()
    np.testing.assert_array_equal(evidence, model.report_["parts"][2]["stages"]["log_evidence"])
    with pytest.raises(ValueError, match="part must be from 0 to 2, not 3"):
        plot.stages(model, part=3)


def test_inclusion_has_probabilities_and_errors(masks):
    ax = plot.inclusion(masks, errors=1)
    reported = masks.diagnostics_[0]["features"]
    order = np.argsort(-reported["mean"], kind="stable")
    ends = bars(ax.containers[0])[:, :, 0]
    np.testing.assert_allclose(ends[:, 0], (reported["mean"] - reported["error"])[order])
    np.testing.assert_allclose(ends[:, 1], (reported["mean"] + reported["error"])[order])
    names = masks.feature_names_in_[order]
    assert [t.get_text() for t in ax.get_yticklabels()] == list(names)
    marks = np.concatenate([line.get_xdata() for line in ax.lines if line.get_marker() == "o"])
    np.testing.assert_allclose(np.sort(marks), np.sort(masks.feature_inclusion_))


def test_inclusion_opens_the_marks_of_features_on_which_chains_disagree(masks):
    reported = {**masks.diagnostics_[0]}
    reported["features"] = {**reported["features"], "r_hat": np.where(np.arange(10) < 3, 1.5, 1.0)}

    class Disagreeing:
        diagnostics_ = [reported]
        n_features_in_ = 10

    ax = plot.inclusion(Disagreeing())
    closed, opened = [line for line in ax.lines if line.get_marker() == "o"]
    np.testing.assert_array_equal(
        np.sort(opened.get_xdata()), np.sort(masks.feature_inclusion_[:3])
    )
    assert len(closed.get_xdata()) == 7
    assert to_hex(opened.get_markerfacecolor()) == "#ffffff"
    assert ax.get_legend().get_texts()[0].get_text() == "R-hat above 1.1"


def test_inclusion_of_rows(masks):
    ax = plot.inclusion(masks, of="basis", most=5)
    assert ax.get_yticklabels()[0].get_text() == str(masks.basis_inclusion_.argmax())
    assert len(ax.get_yticks()) == 5
    with pytest.raises(ValueError, match="'features' or 'basis'"):
        plot.inclusion(masks, of="rows")


def test_traces_are_consistent_with_their_summaries(masks):
    reported = masks.diagnostics_[0]
    assert set(reported["traces"]) == {
        *("log_likelihood", "features_on", "basis_on", "log_delta", "log_xi", "log_noise")
    }
    for quantity, values in reported["traces"].items():
        assert values.shape == (200, 3)
        assert values.mean() == pytest.approx(reported[quantity]["mean"], rel=1e-12)
    counts = reported["traces"]["features_on"]
    assert counts.mean() == pytest.approx(masks.feature_inclusion_.sum(), rel=1e-12)


def test_traces_draw_a_line_a_chain(masks):
    ax = plot.traces(masks, "basis_on")
    reported = masks.diagnostics_[0]
    assert len(ax.lines) == 3
    for line, values in zip(ax.lines, reported["traces"]["basis_on"].T):
        np.testing.assert_array_equal(line.get_ydata(), values)
    assert len({line.get_color() for line in ax.lines}) == 3
    assert f"R-hat {reported['basis_on']['r_hat']:.2f}" in ax.get_title(loc="right")
    with pytest.raises(ValueError, match="quantity must be one of log_likelihood"):
        plot.traces(masks, "weights")


def test_the_published_sampler_has_no_traces():
    X, y = make_moons(30, noise=0.2, random_state=0)
    model = ardent.DoublySparseClassifier(sampler="paper-basis").fit(X, y)
    with pytest.raises(ValueError, match="collapsed"):
        plot.traces(model)


def test_weights_of_scaled_features_need_no_rows(linear):
    ax = plot.weights(linear, scaled=True)
    largest = np.sort(np.abs(linear.model_.posteriors[0]["mean"]))[::-1]
    np.testing.assert_allclose(np.abs(ax.containers[0].lines[0].get_xdata()), largest)
    with pytest.raises(ValueError, match="either"):
        plot.weights(linear, X=CANCER[0], scaled=True)


def test_pairs_are_shares_of_the_sampled_states(masks):
    on = masks.model_.masks(0)
    shares = on.T @ on / len(on)
    order = np.argsort(-np.diag(shares), kind="stable")[:3]
    ax = plot.co_inclusion(masks, most=3)
    np.testing.assert_allclose(ax.images[0].get_array(), shares[np.ix_(order, order)])
    names = masks.feature_names_in_[masks.model_.inputs[order]]
    assert [t.get_text() for t in ax.get_yticklabels()] == list(names)


@pytest.mark.parametrize("name", plot.__all__)
def test_pictures_go_into_the_axes_given(name, linear, masks, coded):
    X, y = make_moons(60, noise=0.2, random_state=0)
    sky = np.random.default_rng(0).normal(size=(24, 24))
    arguments = {
        "calibration": (linear, *CANCER),
        "co_inclusion": (masks,),
        "confusion": (linear, *CANCER),
        "predictions": (masks, *load_diabetes(return_X_y=True, as_frame=True)),
        "residual": (ardent.SourceFinder(sigma=1.5).fit(sky), sky),
        "roc": (linear, *CANCER),
        "codes": coded[:2],
        "decision_surface": (ardent.RVMClassifier(sigma=1).fit(X, y), X, y),
        "inclusion": (masks,),
        "path": (linear, *CANCER),
        "sources": (np.zeros((4, 6)), [[2, 3]]),
        "stages": (linear,),
        "traces": (masks,),
        "weights": (linear,),
    }[name]
    figure, (left, right) = plt.subplots(1, 2)
    before = dict(plt.rcParams)
    assert getattr(plot, name)(*arguments, ax=right) is right
    assert right.has_data() and not left.has_data()
    assert right.get_xlabel() or right.get_ylabel() or name == "co_inclusion"
    assert dict(plt.rcParams) == before
    assert plt.get_fignums() == [figure.number]
    new = getattr(plot, name)(*arguments)
    assert new.figure is not figure


def test_without_matplotlib_there_is_an_error_that_says_what_to_do():
    code = """
import sys
sys.modules["matplotlib"] = None
import ardent
assert "plot" in dir(ardent)
try:
    ardent.plot.sources([[0.0]], [])
except ImportError as error:
    assert "pip install ardent-sbl[plot]" in str(error)
else:
    raise SystemExit("drawn all the same")
"""
    subprocess.run([sys.executable, "-c", code], check=True)
