"""Pictures of data, predictions and codes show the numbers that models give."""

import numpy as np
import pytest
from plotted import CANCER, bars, coded, linear  # noqa: F401
from sklearn.datasets import load_diabetes, load_iris, make_moons

import ardent
from ardent import plot


def test_decision_surface_rings_the_relevance_vectors():
    X, y = make_moons(80, noise=0.2, random_state=0)
    words = np.where(y == 1, "lower", "upper")
    model = ardent.RVMClassifier(sigma=0.7).fit(X, words)
    ax = plot.decision_surface(model, X, words, resolution=30)
    lines = {line.get_label(): line.get_xydata() for line in ax.lines}
    np.testing.assert_array_equal(lines["lower"], X[y == 1])
    np.testing.assert_array_equal(lines["upper"], X[y == 0])
    np.testing.assert_array_equal(lines["relevance vectors"], X[model.active_])
    assert [t.get_text() for t in ax.get_legend().get_texts()] == list(lines)
    # Shades: the first class is blue and the second orange, the stronger the surer.
    shades = ax.images[0].get_array()
    left, right, bottom, top = ax.images[0].get_extent()
    across, up = np.linspace(left, right, 30), np.linspace(bottom, top, 30)
    sure = model.predict_proba([[across[5], up[7]]])[0, 0]
    blue = shades[7, 5, 2] > shades[7, 5, 0]
    assert blue == (sure > 0.5)
    contour = ax.collections[0]
    np.testing.assert_array_equal(contour.levels, [0.1, 0.5, 0.9])
    edge = contour.get_paths()[1].vertices
    np.testing.assert_allclose(model.predict_proba(edge)[:, 1], 0.5, atol=0.1)


@pytest.mark.parametrize("kernel", ["rbf", "laplacian"])
def test_vectors_of_earlier_stages_have_no_ring(kernel):
    X, y = make_moons(200, noise=0.25, random_state=0)
    model = ardent.RVMClassifier(kernel=kernel, keep_stages=True).fit(X[:100], y[:100])
    assert len(model.relevance_vectors_) > len(model.active_)
    ax = plot.decision_surface(model, X, y, resolution=10)
    (rings,) = (line for line in ax.lines if line.get_label() == "relevance vectors")
    np.testing.assert_array_equal(rings.get_xydata(), X[model.active_])


def test_decision_surface_of_several_classes_and_named_columns():
    iris = load_iris(as_frame=True)
    X = iris.data[["petal length (cm)", "petal width (cm)"]]
    model = ardent.ARDClassifier().fit(X, iris.target)
    ax = plot.decision_surface(model, X, iris.target, resolution=20)
    assert (ax.get_xlabel(), ax.get_ylabel()) == tuple(X.columns)
    assert [line.get_label() for line in ax.lines] == ["0", "1", "2"]  # features, not rows, matter
    assert not ax.collections
    assert ax.images[0].get_array().shape == (20, 20, 3)
    with pytest.raises(ValueError, match="two features"):
        plot.decision_surface(model, iris.data, iris.target)


def test_codes_have_a_stem_for_each_atom_used(coded):
    coder, signal, truth = coded
    ax = plot.codes(coder, signal, truth=truth)
    code, deviation, _ = coder.code([signal])
    used = code.indices
    place, value = ax.containers[0].lines[0].get_data()
    np.testing.assert_array_equal(place, used)
    np.testing.assert_array_equal(value, code.data)
    stems = np.array(ax.collections[0].get_segments())
    np.testing.assert_array_equal(stems[:, 1, 1], code.data)
    ends = bars(ax.containers[0])[:, :, 1]
    np.testing.assert_allclose(ends[:, 1] - ends[:, 0], 4 * deviation.data)
    (crosses,) = [line for line in ax.lines if line.get_label() == "truth"]
    np.testing.assert_array_equal(crosses.get_xydata(), [[3, 2], [50, -1]])


def test_codes_by_group_stand_together(coded):
    coder, signal, _ = coded
    groups = np.where(np.arange(100) % 2 == 0, "even", "odd")  # 50 is even, 3 is odd
    ax = plot.codes(coder, signal, groups=groups)
    place = ax.containers[0].lines[0].get_xdata()
    assert {25, 51} <= set(place)
    assert [t.get_text() for t in ax.get_xticklabels()] == ["even", "odd"]
    np.testing.assert_allclose(ax.get_xticks(), [24.5, 74.5])
    with pytest.raises(ValueError, match="groups needs an entry for each of 100 atoms, not 3"):
        plot.codes(coder, signal, groups=[1, 2, 3])


def test_sources_are_circles_at_their_places():
    image = np.arange(24.0).reshape(4, 6)
    found = np.array(
        [(2.0, 3.0, 1.5, 0.99), (5.0, 1.0, 1.0, 0.6)],
        dtype=[("x", float), ("y", float), ("sigma", float), ("probability", float)],
    )
    ax = plot.sources(image, found, truth=[[2.1, 2.9]])
    assert [(*c.center, c.radius, c.get_linestyle()) for c in ax.patches] == [
        (2, 3, 4.5, "-"),
        (5, 1, 3, "--"),
    ]
    assert list(ax.images[0].get_extent()) == [0.5, 6.5, 0.5, 4.5]
    assert ax.images[0].origin == "lower"  # row y - 1 of the image is at y
    cross = [line for line in ax.lines if line.get_label() == "truth"]
    np.testing.assert_array_equal(cross[0].get_xydata(), [[2.1, 2.9]])


def test_places_alone_are_sources_too():
    ax = plot.sources(np.zeros((4, 6)), [[2, 3]])
    assert ax.patches[0].radius == 3 and ax.get_legend() is None
    with pytest.raises(ValueError, match="two axes"):
        plot.sources(np.zeros(3), [])


def test_calibration_compares_probabilities_with_shares(linear):
    ax = plot.calibration(linear, *CANCER, bins=4)
    p = linear.predict_proba(CANCER[0])[:, 1]
    groups = np.array_split(np.argsort(p, kind="stable"), 4)
    mean, share = ax.containers[0].lines[0].get_data()
    np.testing.assert_allclose(mean, [p[g].mean() for g in groups])
    np.testing.assert_allclose(share, [CANCER[1].to_numpy()[g].mean() for g in groups])
    for (low, high), g in zip(bars(ax.containers[0])[:, :, 1], groups):
        # Wilson's ends: where the share is 1.96 standard deviations away, of that very end.
        rate, count = CANCER[1].to_numpy()[g].mean(), len(g)
        for end in (low, high):
            away = abs(rate - end)
            assert away == pytest.approx(1.959964 * np.sqrt(end * (1 - end) / count), abs=1e-6)


def test_roc_has_the_area_that_scikit_learn_finds(linear):
    from sklearn.metrics import roc_auc_score

    area = roc_auc_score(CANCER[1], linear.predict_proba(CANCER[0])[:, 1])
    (text,) = plot.roc(linear, *CANCER).get_legend().get_texts()
    assert text.get_text() == f"1: area {area:.3f}"
    with pytest.raises(ValueError, match="one class"):
        plot.roc(linear, CANCER[0][:2], [1, 1])


def test_confusion_counts_every_row(linear):
    ax = plot.confusion(linear, *CANCER)
    predicted = linear.predict(CANCER[0])
    counts = [int(text.get_text()) for text in ax.texts]
    assert counts == [np.sum((CANCER[1] == i) & (predicted == j)) for i in (0, 1) for j in (0, 1)]


def test_predictions_have_observations_and_deviations():
    X, y = load_diabetes(return_X_y=True)
    model = ardent.ARDRegressor().fit(X, y)
    ax = plot.predictions(model, X[:50], y[:50], deviations=1)
    mean, deviation = model.predict(X[:50], return_std=True)
    np.testing.assert_array_equal(ax.containers[0].lines[0].get_xydata(), np.c_[mean, y[:50]])
    ends = bars(ax.containers[0])[:, :, 0]
    np.testing.assert_allclose(ends[:, 1] - ends[:, 0], 2 * deviation)
    assert f"within 1 sd {np.mean(np.abs(mean - y[:50]) <= deviation):.0%}" in ax.get_title("right")


def test_what_is_left_is_in_standard_deviations():
    image = np.random.default_rng(0).normal(3, 2, size=(24, 24))
    finder = ardent.SourceFinder(sigma=1.5).fit(image)
    left = plot.residual(finder, image).images[0].get_array()
    spread = np.sqrt(finder.noise_variance_)
    np.testing.assert_allclose(
        left, (image - finder.background_ - finder.model_image_) / spread, atol=1e-12
    )
    with pytest.raises(ValueError, match="fitted to the shape"):
        plot.residual(finder, image[1:])
