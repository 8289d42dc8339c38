"""Files as those see them who read them without this package: docs/files.md."""

import json
import pathlib
import subprocess

import numpy as np
import pytest
import scipy.sparse
from safetensors import safe_open
from safetensors.numpy import load_file

import ardent

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def rows():
    random = np.random.default_rng(4)
    x = random.normal(size=(80, 6)) * [1, 2, 3, 4, 5, 6] + 3
    return x, x[:, 1] - 2 * x[:, 4] + random.normal(size=80) * 0.1


def inputs(arrays, x):
    """The columns that a model reads, scaled."""
    return (x[:, arrays["kept_columns"]] - arrays["scaling.offset"]) * arrays["scaling.factor"]


def test_a_linear_model_predicts_without_this_package(rows, tmp_path):
    x, y = rows
    model = ardent.ARDRegressor().fit(x, y)
    model.save(tmp_path / "a.model")
    arrays = load_file(tmp_path / "a.model")
    weights = arrays["weights.mean"]
    mean = inputs(arrays, x)[:, arrays["weights.basis"]] @ weights + arrays["bias"]
    np.testing.assert_allclose(mean, model.predict(x), rtol=1e-10)
    assert 2 <= len(weights) < 6


def test_a_kernel_model_predicts_without_this_package(rows, tmp_path):
    x, y = rows
    model = ardent.RVMRegressor().fit(x, y)
    model.save(tmp_path / "a.model")
    arrays = load_file(tmp_path / "a.model")
    distance = ((inputs(arrays, x)[:, None] - arrays["basis.centres"][None]) ** 2).sum(axis=2)
    phi = np.exp(-distance / arrays["basis.sigma"] ** 2)
    mean = phi[:, arrays["weights.basis"]] @ arrays["weights.mean"] + arrays["bias"]
    np.testing.assert_allclose(mean, model.predict(x), rtol=1e-8)


def test_metadata_say_what_a_file_is(rows, tmp_path):
    ardent.ARDRegressor().fit(*rows).save(tmp_path / "a.model")
    with safe_open(tmp_path / "a.model", "numpy") as file:
        metadata = file.metadata()
    assert metadata["kind"] == "model" and metadata["version"] == "2"
    about = json.loads(metadata["about"])
    assert about["task"] == "regression" and about["features"] == 6


def test_a_dense_cache_is_read_without_this_package(tmp_path, command):
    source, cache = ROOT / "data/wine.csv", tmp_path / "wine.cache"
    subprocess.run([command, "convert", source, "-o", cache], check=True)
    arrays = load_file(cache)
    columns = arrays["features"].shape[1]
    expected = np.genfromtxt(source, delimiter=",", skip_header=1, usecols=range(columns))
    assert np.array_equal(arrays["features"], expected)
    assert len(arrays["labels.ids"]) == len(expected)


def test_a_sparse_cache_is_read_without_this_package(tmp_path, command):
    source, cache = tmp_path / "a.libsvm", tmp_path / "a.cache"
    # Large enough for arrays that are padded to multiples of 64 bytes.
    run = [
        command,
        "synth",
        "-o",
        source,
        "--rows",
        "3000",
        "--columns",
        "5001",
        "--nonzeros",
        "20",
    ]
    subprocess.run(run, check=True, capture_output=True)
    subprocess.run([command, "convert", source, "-o", cache], check=True, capture_output=True)
    arrays = load_file(cache)
    assert any(name.startswith("padding.") for name in arrays)

    def matrix(name):
        values, columns, offsets = (
            arrays[f"{name}.{part}"] for part in ("values", "columns", "offsets")
        )
        return scipy.sparse.csr_array((values, columns.astype(int), offsets.astype(int)))

    expected, _ = ardent.read_libsvm(source)
    found = matrix("features")
    assert abs(found - expected[:, : found.shape[1]].astype(np.float32)).max() == 0
    assert abs(matrix("transposed").T - found).max() == 0
