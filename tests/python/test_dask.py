"""Dask: rows on the workers of a real cluster of two processes (make test-dask)."""

import os
import signal

import numpy as np
import pytest
from scipy import sparse
from sklearn.model_selection import GridSearchCV

distributed = pytest.importorskip("distributed", reason="Dask is not installed: make test-dask")

import dask.array as da  # noqa: E402
import dask.bag as db  # noqa: E402
import joblib  # noqa: E402

import ardent  # noqa: E402
import ardent.dask  # noqa: E402

# A product is a graph of 10 to 30 ms whatever its size: few stages say as much as many.
FEW = {"max_iter": 5}
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture(scope="module")
def client():
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        memory_limit=None,
    ) as cluster:
        with distributed.Client(cluster) as client:
            yield client


def planted(rows=400, columns=30, seed=0, noise=0.3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns)) + 1
    return X, X[:, 0] * 2 - X[:, 3] + noise * rng.normal(size=rows)


@pytest.mark.parametrize("scale", ["auto", "standard", "rms", None])
def test_a_regression_is_that_of_the_rows_in_memory(client, scale):
    X, y = planted()
    rows = da.from_array(X, chunks=(90, 11))
    found = ardent.dask.ARDRegressor(scale=scale, **FEW).fit(rows, da.from_array(y, chunks=90))
    wanted = ardent.ARDRegressor(engine="diagonal", scale=scale, **FEW).fit(X, y)
    np.testing.assert_allclose(found.coef_, wanted.coef_, rtol=1e-8, atol=1e-10)
    predicted = found.predict(rows)
    assert isinstance(predicted, da.Array)
    np.testing.assert_allclose(predicted.compute(), wanted.predict(X), rtol=1e-9, atol=1e-9)
    assert found.score(rows, da.from_array(y, chunks=90)) == pytest.approx(wanted.score(X, y))


def test_three_classes_with_weights(client):
    X, f = planted(noise=2)
    y = np.array(["low", "middle", "high"])[np.digitize(f, [0, 2])]
    weight = np.where(np.arange(len(y)) % 3 == 0, 2.0, 1.0)
    rows = da.from_array(X, chunks=(100, -1))
    found = ardent.dask.ARDClassifier(scale="standard", **FEW).fit(rows, y, weight)
    wanted = ardent.ARDClassifier(engine="diagonal", scale="standard", **FEW).fit(X, y, weight)
    shares = found.predict_proba(rows)
    assert shares.shape == (400, 3)
    np.testing.assert_allclose(shares.compute(), wanted.predict_proba(X), rtol=1e-7, atol=1e-9)
    np.testing.assert_array_equal(found.predict(rows).compute(), wanted.predict(X))


def test_a_data_frame_gives_names(client):
    frames = pytest.importorskip("dask.dataframe", reason="dask[dataframe] is not installed")
    import pandas

    X, y = planted(columns=5)
    table = pandas.DataFrame(X, columns=list("abcde")).assign(y=y)
    frame = frames.from_pandas(table, npartitions=3)
    model = ardent.dask.ARDRegressor(**FEW).fit(frame[list("abcde")], frame["y"])
    assert list(model.feature_names_in_) == list("abcde")
    wanted = ardent.ARDRegressor(engine="diagonal", **FEW).fit(table[list("abcde")], y)
    np.testing.assert_allclose(
        model.predict(frame[list("abcde")]).compute(),
        wanted.predict(table[list("abcde")]),
        atol=1e-9,
    )


def libsvm_files(folder, X, y, count):
    """Part files; zeros at the end of rows are left out, as LIBSVM does."""
    paths = []
    for part, (rows, labels) in enumerate(zip(np.array_split(X, count), np.array_split(y, count))):
        lines = []
        for row, label in zip(rows, labels):
            entries = " ".join(f"{k + 1}:{row[k]:.6g}" for k in np.flatnonzero(row))
            lines.append(f"{label:g} {entries}\n")
        path = folder / f"part-{part}.libsvm"
        path.write_text("".join(lines))
        paths.append(str(path))
    return paths


def test_a_bag_of_files_is_the_file_that_they_make(client, tmp_path):
    rng = np.random.default_rng(1)
    X = sparse.random(600, 200, density=0.05, random_state=1).toarray()
    y = np.where(X @ rng.normal(size=200) > 0.1, 1, -1)
    paths = libsvm_files(tmp_path, X, y, 5)
    whole = tmp_path / "whole.libsvm"
    whole.write_text("".join(open(path).read() for path in paths))
    files = db.from_sequence(paths, npartitions=3)
    found = ardent.dask.ARDClassifier(**FEW).fit(files)
    rows, labels = ardent.read_libsvm(whole)
    assert sparse.issparse(rows)
    wanted = ardent.ARDClassifier(engine="diagonal", scale="rms", **FEW).fit(rows, labels)
    # Scaled values have 32 bits in memory and 64 on the workers.
    np.testing.assert_allclose(
        found.decision_function(rows), wanted.decision_function(rows), rtol=1e-3, atol=1e-4
    )
    predicted = np.concatenate(found.predict(files).compute())
    np.testing.assert_array_equal(predicted, found.predict(rows))


def test_a_worker_killed_in_the_middle_costs_time_but_not_the_fit(client):
    X, f = planted(rows=600)
    y = f > 2
    rows = da.from_array(X, chunks=(100, -1))
    undisturbed = ardent.dask.ARDClassifier(**FEW).fit(rows, y)
    killed = []

    def kill_one(event):
        if event["done"] == 2 and not killed:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)
        return True

    model = ardent.dask.ARDClassifier(callback=kill_one, **FEW).fit(rows, y)
    assert killed and killed[0] not in client.run(os.getpid).values()
    np.testing.assert_array_equal(model.coef_, undisturbed.coef_)


def test_signals_and_images_stay_on_the_workers(client, tmp_path):
    rng = np.random.default_rng(2)
    atoms = rng.normal(size=(60, 20))
    signals = atoms[rng.integers(60, size=40)] * 2 + 0.01 * rng.normal(size=(40, 20))
    wanted = ardent.SparseCoder(sparse_output=False).fit(atoms).transform(signals)
    coder = ardent.dask.SparseCoder(sparse_output=False).fit(atoms)
    codes = coder.transform(da.from_array(signals, chunks=(15, -1)))
    assert codes.shape == (40, 60)
    np.testing.assert_array_equal(codes.compute(), wanted)

    y, x = np.mgrid[:32, :32]
    images = [
        20 * np.exp(-((x - a) ** 2 + (y - 9) ** 2) / 4.5) + rng.normal(size=x.shape)
        for a in (8, 20)
    ]
    paths = []
    for k, image in enumerate(images):
        np.save(tmp_path / f"{k}.npy", image)
        paths.append(str(tmp_path / f"{k}.npy"))
    finder = ardent.dask.SourceFinder(sigma=1.5)
    alone = [ardent.SourceFinder(sigma=1.5).find(image) for image in images]
    stack = da.from_array(np.array(images), chunks=(1, 32, 32))
    for many in (db.from_sequence(paths, npartitions=2), stack):
        for found, one in zip(finder.find(many).compute(), alone, strict=True):
            np.testing.assert_array_equal(found, one)


@pytest.mark.parametrize(
    "estimator, grid",
    [
        (ardent.ARDClassifier(), {"scale": ["minmax", "standard"]}),
        (ardent.RVMClassifier(), {"sigma": [2.0, 8.0]}),
        (ardent.SBELMClassifier(random_state=1), {"hidden": [20, 40]}),
        (ardent.SparseRepresentationClassifier(), {"atoms": [30, 60]}),
        (
            ardent.DoublySparseClassifier(chains=1, burn_in=5, sweeps=10, random_state=1),
            {"sweeps": [5, 10]},
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_searches_run_on_the_workers(client, estimator, grid):
    X, f = planted(rows=90, columns=6)
    estimator.set_params(n_jobs=1)
    here = GridSearchCV(estimator, grid, cv=3).fit(X, f > 2)
    with joblib.parallel_backend("dask"):
        there = GridSearchCV(estimator, grid, cv=3).fit(X, f > 2)
    np.testing.assert_array_equal(
        here.cv_results_["mean_test_score"], there.cv_results_["mean_test_score"]
    )


def test_what_cannot_work_is_said(client, tmp_path):
    X, y = planted(rows=40)
    rows = da.from_array(X, chunks=(20, -1))
    with pytest.raises(ValueError, match="use the engine diagonal, probes or dqn"):
        ardent.dask.ARDRegressor(engine="exact").fit(rows, y)
    with pytest.raises(ValueError, match="tfidf"):
        ardent.dask.ARDRegressor(scale="tfidf").fit(rows, y)
    with pytest.raises(ValueError, match="y is needed"):
        ardent.dask.ARDRegressor().fit(rows)
    with pytest.raises(ValueError, match="NaN"):
        ardent.dask.ARDRegressor().fit(da.from_array(X * np.nan, chunks=20), y)
    with pytest.raises(ValueError, match="two dimensions"):
        ardent.dask.ARDRegressor().fit(rows[:, 0], y)
    with pytest.raises(ValueError, match="use find"):
        ardent.dask.SourceFinder(sigma=1.5).fit(rows)


def test_in_memory_data_work_as_ever(client):
    X, y = planted(rows=60)
    found, wanted = ardent.dask.ARDRegressor().fit(X, y), ardent.ARDRegressor().fit(X, y)
    np.testing.assert_array_equal(found.coef_, wanted.coef_)
