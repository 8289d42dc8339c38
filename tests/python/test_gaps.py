"""Missing values, words, and numbers that float32 cannot hold: what is said of them."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import ardent

AGE = np.array([20.0, np.nan, 40.0, 50.0, 30.0, np.nan])
FRAME = pd.DataFrame({"age": AGE, "size": [1.0, 2.0, 3.0, 4.0, 5.0, 7.0]})
Y = np.array([0, 1, 0, 1, 0, 1])


@pytest.mark.parametrize("kind", [ardent.ARDClassifier, ardent.RVMRegressor, ardent.ARDSelector])
def test_missing_values_name_the_column_and_the_pipeline(kind):
    with pytest.raises(ValueError) as refused:
        kind().fit(FRAME, Y)
    assert str(refused.value).startswith("Input X contains NaN. Values are missing in column 'age'")
    assert "(2 rows)" in str(refused.value) and "'size'" not in str(refused.value)
    assert f"make_pipeline(SimpleImputer(), {kind.__name__}())" in str(refused.value)
    with pytest.raises(ValueError, match=r"column 0 \(from 0\) \(2 rows\)"):
        kind().fit(FRAME.to_numpy(), Y)


def test_prediction_names_the_column_too():
    model = ardent.ARDClassifier().fit(FRAME.fillna(0), Y)
    with pytest.raises(ValueError, match="missing in column 'age'"):
        model.predict(FRAME)


def test_words_name_the_column_and_the_encoder():
    frame = FRAME.fillna(0).assign(city=["Rome", "Oslo"] * 3)
    with pytest.raises(ValueError, match="words in column 'city'.*OneHotEncoder"):
        ardent.ARDClassifier().fit(frame, Y)


def test_the_pipelines_that_the_messages_show_work():
    model = make_pipeline(SimpleImputer(), ardent.ARDClassifier()).fit(FRAME, Y)
    assert model.predict(FRAME).shape == (6,)
    frame = FRAME.fillna(0).assign(city=["Rome", "Oslo"] * 3)
    encoder = make_column_transformer((OneHotEncoder(), ["city"]), remainder="passthrough")
    assert make_pipeline(encoder, ardent.ARDClassifier()).fit(frame, Y).score(frame, Y) == 1


def test_other_faults_are_scikit_learns():
    with pytest.raises(ValueError, match="Input X contains infinity"):
        ardent.ARDClassifier().fit(FRAME.fillna(np.inf), Y)
    with pytest.raises(ValueError, match="Input y contains NaN"):
        ardent.ARDRegressor().fit(FRAME.fillna(0), AGE)


def test_sparse_values_that_vanish_are_counted(tmp_path):
    features = sparse.csr_matrix(np.diag([1e-50, 1.0, 2.0, 1e-60]))
    with pytest.warns(UserWarning, match="2 sparse values other than 0 are too small for float32"):
        ardent.ARDClassifier().fit(features, [0, 1, 0, 1])
    path = tmp_path / "small.libsvm"
    path.write_text("1 1:1e-50 900:1\n")
    with pytest.warns(UserWarning, match="1 value is too small for sparse data"):
        ardent.read_libsvm(path)


def test_weights_beyond_reason_are_refused():
    with pytest.raises(ValueError, match="at most 1e\\+15"):
        ardent.ARDClassifier().fit(FRAME.fillna(0), Y, sample_weight=[1e300, 1, 1, 1, 1, 1])
