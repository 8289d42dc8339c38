"""Tables of pandas, polars and astropy; graphs in onnxruntime."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import ardent


def test_polars_and_pandas_tables_are_the_same_rows():
    import polars

    frame, y = load_breast_cancer(return_X_y=True, as_frame=True)
    table = polars.DataFrame({name: frame[name].to_numpy() for name in frame})
    by_pandas, by_polars = ardent.ARDClassifier().fit(frame, y), ardent.ARDClassifier().fit(
        table, y
    )
    assert list(by_polars.feature_names_in_) == list(frame.columns)
    np.testing.assert_array_equal(by_pandas.predict_proba(frame), by_polars.predict_proba(table))
    with pytest.raises(ValueError, match="feature names"):
        by_polars.predict(table.rename({"mean radius": "size"}))


def test_pandas_categories_and_missing_values():
    rng = np.random.default_rng(0)
    size = rng.normal(size=300)
    kind = pd.Categorical(rng.choice(["apple", "pear", "plum"], 300))
    y = 2.0 * size + 3.0 * (kind == "pear") + 0.1 * rng.normal(size=300)
    one_hot = pd.get_dummies(pd.DataFrame({"size": size, "kind": kind}), dtype=float)
    model = ardent.ARDRegressor().fit(one_hot, y)
    weights = dict(zip(one_hot.columns, model.coef_.ravel(), strict=True))
    assert abs(weights["size"] - 2) < 0.1
    assert abs(weights["kind_pear"] - max(weights["kind_apple"], weights["kind_plum"])) > 2.5


@pytest.mark.parametrize(
    "make", [ardent.ARDClassifier, ardent.RVMClassifier, ardent.SBELMClassifier]
)
def test_a_pipeline_in_onnxruntime(make):
    import onnxruntime
    from skl2onnx import to_onnx

    import ardent.onnx  # noqa: F401

    X, y = load_wine(return_X_y=True)
    model = make_pipeline(StandardScaler(), make()).fit(X, y)
    graph = to_onnx(model, X[:1], options={"zipmap": False})
    session = onnxruntime.InferenceSession(graph.SerializeToString())
    labels, p = session.run(None, {"X": X})
    np.testing.assert_allclose(p, model.predict_proba(X), atol=1e-9)
    np.testing.assert_array_equal(labels, model.predict(X))


def test_astropy_image_in_and_table_out():
    import astropy.units as u
    from astropy.nddata import CCDData
    from astropy.table import QTable

    rng = np.random.default_rng(5)
    rows, columns = np.mgrid[:48, :64]
    truth = rng.uniform(6, 40, size=(8, 2))
    image = rng.normal(size=(48, 64)) + 100
    for x, y in truth:
        image += 30 * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * 1.5**2))
    finder = ardent.SourceFinder(sigma=1.5, origin=0).fit(CCDData(image, unit=u.adu))
    table = finder.to_table()
    assert isinstance(table, QTable) and table["flux"].unit == u.adu
    for x, y in truth:
        assert np.hypot(table["x"].value - x, table["y"].value - y).min() < 0.3


def test_labels_of_any_kind_come_back():
    X, y = load_iris(return_X_y=True, as_frame=True)
    names = pd.Series(load_iris().target_names[y], dtype="category")
    model = ardent.RVMClassifier().fit(X, names)
    assert set(model.predict(X)) == {"setosa", "versicolor", "virginica"}
