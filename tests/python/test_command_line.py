"""Results equal the command line's bit for bit, and models travel both ways."""

import json
import pickle
import subprocess
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.datasets import dump_svmlight_file

import ardent
from ardent import _core
from ardent._options import option_text


def run(command, *arguments):
    done = subprocess.run([command, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def flags(options):
    known = {o["keyword"]: o for what in ("train", "code") for o in _core.options(what)}
    return [
        text
        for k, v in options.items()
        for text in ("--" + known[k]["name"], option_text(known[k], v))
    ]


def write(folder, X, y):
    np.save(folder / "X.npy", X)
    if np.asarray(y).dtype.kind in "iuf":
        np.save(folder / "y.npy", np.asarray(y, dtype=np.float64))
        return [folder / "X.npy", "--labels", folder / "y.npy"]
    (folder / "y.txt").write_text("".join(f"{label}\n" for label in y))
    return [folder / "X.npy", "--labels", folder / "y.txt"]


BINARY = load_breast_cancer(return_X_y=True)
WINE = load_wine(return_X_y=True)
IRIS = load_iris(return_X_y=True)
WORDS = IRIS[0], np.array(["setosa", "versicolor", "virginica"])[IRIS[1]]
REGRESSION = load_diabetes(return_X_y=True)
SAMPLING = {"burn_in": 20, "sweeps": 30, "chains": 2}

CASES = {
    "linear": (ardent.ARDClassifier, "linear", BINARY, {}),
    "linear, 3 classes": (ardent.ARDClassifier, "linear", WINE, {}),
    "linear, ovr": (ardent.ARDClassifier, "linear", WINE, {"multiclass": "ovr"}),
    "linear, words": (ardent.ARDClassifier, "linear", WORDS, {"scale": "standard"}),
    "diagonal": (
        ardent.ARDClassifier,
        "linear",
        BINARY,
        {"engine": "diagonal", "keep_stages": True},
    ),
    "dqn": (ardent.ARDClassifier, "linear", BINARY, {"engine": "dqn", "warm_b": True}),
    "probes": (ardent.ARDClassifier, "linear", BINARY, {"engine": "probes", "probes": 5}),
    "balanced": (ardent.ARDClassifier, "linear", BINARY, {"class_weight": "balanced"}),
    "early stop": (ardent.ARDClassifier, "linear", BINARY, {"early_stop": "cv", "refit": True}),
    "rbf": (ardent.RVMClassifier, "rbf", WINE, {"sigma": 3.5}),
    "rbf, auto": (ardent.RVMClassifier, "rbf", WORDS, {"engine": "sequential"}),
    "elm": (ardent.SBELMClassifier, "elm", WINE, {"hidden": 60}),
    "regression": (ardent.ARDRegressor, "linear", REGRESSION, {}),
    "rbf regression": (ardent.RVMRegressor, "rbf", REGRESSION, {"sigma": 2}),
    "elm regression": (ardent.SBELMRegressor, "elm", REGRESSION, {"hidden": 40}),
    "masks": (ardent.DoublySparseClassifier, "doubly-sparse", WORDS, SAMPLING),
    "masks regression": (
        ardent.DoublySparseRegressor,
        "doubly-sparse",
        (REGRESSION[0][:80], REGRESSION[1][:80]),
        SAMPLING,
    ),
    "dictionary": (
        ardent.SparseRepresentationClassifier,
        "dictionary",
        WORDS,
        {"atoms": 60, "lambda_ratio": 0.01},
    ),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_same_bits_as_the_command_line(case, command, tmp_path):
    kind, feature_map, (X, y), options = CASES[case]
    data = write(tmp_path, X, y)
    task = kind._task
    there = tmp_path / "there.model"
    arguments = ["--map", feature_map, "--task", task, "--seed", 3, *flags(options)]
    run(command, "train", *data, "-o", there, *arguments)
    estimator = kind(random_state=3, **options).fit(X, y)
    here = tmp_path / "here.model"
    estimator.save(here)
    assert here.read_bytes() == there.read_bytes()

    # What the command line says of Python's model, and Python of the command line's.
    reported = json.loads(run(command, "predict", here, tmp_path / "X.npy", "--json"))
    for other in (estimator, pickle.loads(pickle.dumps(estimator)), ardent.load(there)):
        assert isinstance(other, kind)
        if task == "regression":
            mean, std = other.predict(X, return_std=True)
            np.testing.assert_array_equal(mean, reported["predictions"])
            np.testing.assert_array_equal(std, reported["sd"])
            continue
        labels = np.array(reported["labels"])
        labels = labels if y.dtype.kind == "U" else labels.astype(np.float64)
        order = np.argsort(labels)
        np.testing.assert_array_equal(other.classes_, labels[order])
        np.testing.assert_array_equal(
            other.predict_proba(X), np.array(reported["probabilities"])[:, order]
        )
        np.testing.assert_array_equal(
            other.predict(X), np.array(reported["predictions"]).astype(labels.dtype)
        )
    assert ardent.load(there).get_params()["random_state"] == 3
    for keyword, value in options.items():
        assert ardent.load(there).get_params()[keyword] == value


def test_probabilities_asked_for_as_on_the_command_line(command, tmp_path):
    X, y = WINE
    write(tmp_path, X, y)
    estimator = ardent.ARDClassifier().fit(X, y)
    estimator.save(tmp_path / "wine.model")
    arguments = ("predict", tmp_path / "wine.model", tmp_path / "X.npy", "--json")
    seen = []
    for moderated, flag in ((None, []), (True, ["--moderated"]), (False, ["--plug-in"])):
        reported = json.loads(run(command, *arguments, *flag))
        order = np.argsort(np.array(reported["labels"], dtype=float))
        estimator.set_params(moderated=moderated)
        np.testing.assert_array_equal(
            estimator.predict_proba(X), np.array(reported["probabilities"])[:, order]
        )
        seen.append(estimator.predict_proba(X))
    assert np.abs(seen[1] - seen[2]).max() > 1e-3
    np.testing.assert_array_equal(seen[0], seen[2])  # more than two classes: the mean weights


@pytest.mark.parametrize("layout", ["csr", "csc"])
@pytest.mark.parametrize("scale", ["auto", "tfidf"])
def test_sparse_data_give_the_same_bits(layout, scale, command, tmp_path):
    rng = np.random.default_rng(0)
    X = sparse.random(200, 400, 0.05, random_state=0, dtype=np.float32, format=layout)
    y = np.where(X[:, :5].sum(axis=1).A1 + 0.05 * rng.normal(size=200) > 0.1, 1, -1)
    path = tmp_path / "data.libsvm"
    dump_svmlight_file(X.tocsr(), y, str(path), zero_based=False)
    arguments = ["--task", "classification", "--engine", "diagonal", "--scale", scale]
    run(command, "train", path, "--features", 400, "-o", tmp_path / "there.model", *arguments)
    read, labels = ardent.read_libsvm(path, n_features=400)
    np.testing.assert_array_equal(read.toarray(), X.toarray())
    np.testing.assert_array_equal(labels, y)
    for matrix in (X, read, X.astype(np.float64)):
        # Whole numbers: of y as floats the file would also say that they were floats.
        estimator = ardent.ARDClassifier(engine="diagonal", scale=scale).fit(matrix, y)
        estimator.save(tmp_path / "here.model")
        assert (tmp_path / "here.model").read_bytes() == (tmp_path / "there.model").read_bytes()
    reported = json.loads(run(command, "predict", tmp_path / "here.model", path, "--json"))
    order = np.argsort(np.array(reported["labels"], dtype=float))
    np.testing.assert_array_equal(
        estimator.predict_proba(X), np.array(reported["probabilities"])[:, order]
    )


def test_weights_and_names_of_columns_travel_too(command, tmp_path):
    data = load_wine(as_frame=True)
    X, y = data.data, data.target.rename("cultivar")
    pd.concat([X, y], axis=1).to_csv(tmp_path / "wine.csv", index=False)
    weights = np.random.default_rng(0).integers(0, 3, size=len(y)).astype(np.float64)
    np.save(tmp_path / "w.npy", weights)
    arguments = ["--task", "classification", "--label", "cultivar", "--weights", tmp_path / "w.npy"]
    run(command, "train", tmp_path / "wine.csv", "-o", tmp_path / "there.model", *arguments)
    estimator = ardent.ARDClassifier().fit(X, y, sample_weight=weights)
    estimator.save(tmp_path / "here.model")
    assert (tmp_path / "here.model").read_bytes() == (tmp_path / "there.model").read_bytes()
    assert estimator.model_.feature_names == [X.columns[k] for k in estimator.active_]
    loaded = ardent.load(tmp_path / "there.model")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shuffled = X[X.columns[::-1]].assign(more=0.0)  # found by name, as the command line does
        np.testing.assert_array_equal(loaded.predict_proba(shuffled), estimator.predict_proba(X))
        with pytest.raises(ValueError, match=X.columns[estimator.active_[0]]):
            loaded.predict(X.drop(columns=X.columns[estimator.active_[0]]))


def test_codes_are_those_of_the_command_line(command, tmp_path):
    rng = np.random.default_rng(0)
    atoms, signals = rng.normal(size=(80, 20)), rng.normal(size=(6, 20))
    np.save(tmp_path / "atoms.npy", atoms)
    np.save(tmp_path / "signals.npy", signals)
    options = {"lambda_ratio": 0.3, "screening": "tht", "nonnegative": True}
    files = (tmp_path / "atoms.npy", tmp_path / "signals.npy")
    run(command, "code", *files, "-o", tmp_path / "codes.npz", *flags(options))
    codes = ardent.SparseCoder(**options).fit(atoms).transform(signals)
    reported = sparse.load_npz(tmp_path / "codes.npz")
    np.testing.assert_array_equal(codes.toarray(), reported.toarray())
    assert codes.nnz > 0


def test_sources_are_those_of_the_command_line(command, tmp_path):
    scene = tmp_path / "scene.fits"
    run(command, "scene", "-o", scene, "--truth", tmp_path / "truth.csv", "--sources", 6)
    run(command, "locate", scene, "--sigma", 1.5, "-o", tmp_path / "found.csv")
    reported = json.loads(run(command, "locate", scene, "--sigma", 1.5, "--json"))
    pixels = read_fits(scene)
    assert pixels.shape == (reported["height"], reported["width"])
    finder = ardent.SourceFinder(sigma=1.5).fit(pixels)
    assert len(reported["sources"]) == len(finder.sources_) > 0
    for one, other in zip(reported["sources"], finder.sources_):
        assert one == {name: other[name] for name in other.dtype.names}
    truth = np.genfromtxt(tmp_path / "truth.csv", delimiter=",", names=True)
    scored = json.loads(
        run(command, "score-sources", tmp_path / "found.csv", tmp_path / "truth.csv", "--json")
    )
    assert ardent.group_iou(finder.sources_, truth) == scored["group_iou"]


def test_a_sweep_and_an_own_psf_are_those_of_the_command_line(command, tmp_path):
    scene, table, psf = tmp_path / "scene.npy", tmp_path / "table.csv", tmp_path / "psf.npy"
    run(command, "scene", "-o", scene, "--sources", 4, "--truth", tmp_path / "truth.csv")
    flags = ["--sigma", 1.5, "--json", "--lambda", "0.5,0.02,0.005", "--table", table]
    reported = json.loads(run(command, "locate", scene, *flags))
    finder = ardent.SourceFinder(sigma=1.5, lam=[0.5, 0.02, 0.005]).fit(np.load(scene))
    assert [one["x"] for one in reported["sources"]] == list(finder.sources_["x"])
    steps = np.genfromtxt(table, delimiter=",", names=True)
    np.testing.assert_allclose([step["bic"] for step in finder.sweep_], steps["bic"], rtol=1e-5)
    assert [len(step["sources"]) for step in finder.sweep_] == list(steps["sources"])
    assert sum(step["chosen"] for step in finder.sweep_) == 1
    y, x = np.mgrid[-6:7, -6:7]
    np.save(psf, np.exp(-(x**2 + y**2) / (2 * 1.5**2)))
    reported = json.loads(run(command, "locate", scene, "--psf", psf, "--json"))
    own = ardent.SourceFinder(psf=np.load(psf)).fit(np.load(scene))
    assert [one["flux"] for one in reported["sources"]] == list(own.sources_["flux"])
    with pytest.raises(ValueError, match="dictionary= belongs to psf= none"):
        ardent.SourceFinder(psf=np.load(psf), dictionary="uniform").fit(np.load(scene))
    with pytest.raises(ValueError, match="lam= must be auto, sweep, or numbers"):
        ardent.SourceFinder(lam="swept").fit(np.load(scene))


def read_fits(path):
    """The pixels of a plain FITS image, for want of a reader among the tests' requirements."""
    raw = path.read_bytes()
    cards = {}
    place = 0
    while True:
        card = raw[place : place + 80].decode()
        place += 80
        if card.startswith("END"):
            break
        if card[8] == "=":
            cards[card[:8].strip()] = card[10:].split("/")[0].strip()
    begin = -(-place // 2880) * 2880
    kind = {"-64": ">f8", "-32": ">f4"}[cards["BITPIX"]]
    shape = int(cards["NAXIS2"]), int(cards["NAXIS1"])
    return np.frombuffer(raw, kind, shape[0] * shape[1], begin).reshape(shape).astype(np.float64)
