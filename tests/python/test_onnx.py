"""ONNX graphs, run by onnxruntime, say what the estimators say (make test-onnx)."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

pytest.importorskip("skl2onnx", reason="skl2onnx is not installed: make test-onnx")
onnxruntime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")

from skl2onnx import to_onnx  # noqa: E402

import ardent  # noqa: E402
import ardent.onnx  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
MASKS = {"burn_in": 5, "sweeps": 10, "chains": 1}
CLASSIFIERS = {
    "linear": lambda: ardent.ARDClassifier(),
    "linear rest": lambda: ardent.ARDClassifier(multiclass="ovr"),
    "linear folds": lambda: ardent.ARDClassifier(multiclass="folds"),
    "linear moderated": lambda: ardent.ARDClassifier(moderated=True),
    "rbf": lambda: ardent.RVMClassifier(),
    "elm": lambda: ardent.SBELMClassifier(hidden=40, random_state=1),
    "masks": lambda: ardent.DoublySparseClassifier(random_state=1, **MASKS),
}
REGRESSORS = {
    "linear": lambda: ardent.ARDRegressor(),
    "rbf": lambda: ardent.RVMRegressor(),
    "elm": lambda: ardent.SBELMRegressor(hidden=40, random_state=1),
    "masks": lambda: ardent.DoublySparseRegressor(random_state=1, **MASKS),
}


def run(model, X, dtype, **options):
    X = X.astype(dtype)
    graph = to_onnx(model, X[:1], **options)
    session = onnxruntime.InferenceSession(graph.SerializeToString())
    found = session.run(None, {"X": X})
    return dict(zip([output.name for output in session.get_outputs()], found, strict=True))


def classes_agree(model, X):
    for dtype, error in ((np.float64, 1e-9), (np.float32, 1e-3)):
        p = model.predict_proba(X)
        found = run(model, X, dtype, options={"zipmap": False})
        np.testing.assert_allclose(found["probabilities"], p, atol=error)
        sure = np.sort(p, axis=1)[:, -1] - np.sort(p, axis=1)[:, -2] > 2 * error
        np.testing.assert_array_equal(found["label"][sure], model.predict(X)[sure])


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_two_and_three_classes(name):
    X, y = load_iris(return_X_y=True)
    X = X.astype(np.float32).astype(np.float64)
    classes_agree(CLASSIFIERS[name]().fit(X, y), X)
    words = np.array(["yes", "no"])[(y[50:] == 1).astype(int)]
    classes_agree(CLASSIFIERS[name]().fit(X[50:], words), X[50:])


@pytest.mark.parametrize("name", REGRESSORS)
def test_mean_and_deviation(name):
    X, y = load_diabetes(return_X_y=True)
    X = X[:120].astype(np.float32).astype(np.float64)
    model = REGRESSORS[name]().fit(X, y[:120])
    mean, std = model.predict(X, return_std=True)
    for dtype, error in ((np.float64, 1e-9), (np.float32, 1e-3)):
        found = run(model, X, dtype)
        np.testing.assert_allclose(found["variable"][:, 0], mean, rtol=error)
        np.testing.assert_allclose(found["std"][:, 0], std, rtol=error)


def test_a_pipeline_with_a_scaler_and_a_selector_is_one_graph():
    X, y = load_breast_cancer(return_X_y=True)
    steps = StandardScaler(), ardent.ARDSelector(), ardent.RVMClassifier()
    model = make_pipeline(*steps).fit(X, y)
    assert 0 < model[1].get_support().sum() < X.shape[1]
    found = run(model, X, np.float64, options={"zipmap": False})
    np.testing.assert_allclose(found["probabilities"], model.predict_proba(X), atol=1e-9)
    np.testing.assert_array_equal(found["label"], model.predict(X))


def test_missing_values_and_text_scaling():
    random = np.random.default_rng(1)
    X = random.poisson(0.4, size=(200, 30)).astype(float)
    y = (X[:, 0] > X[:, 1]).astype(int)
    model = ardent.ARDClassifier(scale="tfidf").fit(X, y)
    X[3] = 0
    classes_agree(model, X)


def test_what_has_no_graph_says_so():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="'laplacian', which Python computes, has no ONNX form"):
        to_onnx(ardent.RVMClassifier(kernel="laplacian").fit(X, y), X[:1])
    with pytest.raises(ValueError, match="codes each row by an iteration"):
        to_onnx(ardent.SparseRepresentationClassifier().fit(X, y), X[:1])
    with pytest.raises(ValueError, match="SparseCoder codes each row by an iteration"):
        to_onnx(ardent.SparseCoder().fit(X[::10]), X[:1])
    with pytest.raises(ValueError, match="SourceFinder searches an image"):
        to_onnx(ardent.SourceFinder(sigma=1.5), X[:1])


def test_every_estimator_has_a_converter_or_a_reason():
    from skl2onnx._supported_operators import sklearn_operator_name_map

    public = (getattr(ardent, name) for name in ardent.__all__)
    estimators = [kind for kind in public if isinstance(kind, type) and hasattr(kind, "fit")]
    assert len(estimators) == 12
    assert [kind for kind in estimators if kind not in sklearn_operator_name_map] == []
