"""Models in MLflow's and skops's files."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import ardent


def pipeline():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return make_pipeline(StandardScaler(), ardent.ARDClassifier()).fit(X, y), X


@pytest.mark.filterwarnings("ignore")
def test_mlflow_keeps_and_serves_a_pipeline(tmp_path):
    import mlflow.pyfunc
    import mlflow.sklearn

    model, X = pipeline()
    path = tmp_path / "model"
    mlflow.sklearn.save_model(
        model,
        str(path),
        serialization_format="cloudpickle",
        signature=mlflow.models.infer_signature(X, model.predict(X)),
        pip_requirements=["ardent", "scikit-learn"],
    )
    again = mlflow.sklearn.load_model(str(path))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    served = mlflow.pyfunc.load_model(str(path))
    np.testing.assert_array_equal(served.predict(X), model.predict(X))


@pytest.mark.filterwarnings("ignore")
def test_mlflow_logs_a_run(tmp_path, monkeypatch):
    import mlflow

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")  # mlflow-skinny has no database
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    with mlflow.start_run() as run:
        model = ardent.ARDRegressor().fit(X, y)
        mlflow.log_metric("kept", len(model.active_))
        mlflow.log_params({k: v for k, v in model.get_params().items() if v is not None})
    kept = mlflow.get_run(run.info.run_id).data.metrics["kept"]
    assert kept == len(model.active_)


def test_skops_keeps_a_pipeline_without_pickle(tmp_path):
    import skops.io

    model, X = pipeline()
    path = tmp_path / "tumours.skops"
    skops.io.dump(model, path)
    unknown = skops.io.get_untrusted_types(file=path)
    kinds = {"ardent._core.Model", "ardent._linear.ARDClassifier", "numpy.dtype"}
    assert set(unknown) == kinds  # no function, no reduced object: the model is its file's bytes
    again = skops.io.load(path, trusted=unknown)
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    with pytest.raises(Exception, match="[Uu]ntrusted"):
        skops.io.load(path)
