"""Expected calibration errors of every classifier on ten real sets."""

import lzma
import os
from pathlib import Path

import numpy as np
from sklearn.datasets import (
    load_breast_cancer,
    load_digits,
    load_iris,
    load_svmlight_file,
    load_wine,
)
from sklearn.model_selection import StratifiedShuffleSplit

from ardent import (
    ARDClassifier,
    DoublySparseClassifier,
    RVMClassifier,
    SBELMClassifier,
    SparseRepresentationClassifier,
)

OWN = {
    "breast-cancer (30 columns)": load_breast_cancer,
    "iris": load_iris,
    "wine": load_wine,
    "digits": load_digits,
}
REAL = ["diabetes", "german.numer", "heart", "australian", "ionosphere", "sonar"]
ROWS = 400  # at most: half to train on, half fresh
BINS = 10
CLASSIFIERS = {
    "ARDClassifier": lambda seed: ARDClassifier(random_state=seed),
    "RVMClassifier": lambda seed: RVMClassifier(random_state=seed),
    "SBELMClassifier": lambda seed: SBELMClassifier(random_state=seed),
    "DoublySparseClassifier": lambda seed: DoublySparseClassifier(
        chains=1, burn_in=60, sweeps=100, random_state=seed
    ),
    "SparseRepresentationClassifier": lambda seed: SparseRepresentationClassifier(
        random_state=seed
    ),
}


def sets():
    """Name, rows, classes; a name alone where the set is not here."""
    for name, load in OWN.items():
        yield name, *load(return_X_y=True)
    for name in REAL:
        path = Path(os.environ.get("ARDENT_DATA", "../shared/data")) / f"{name}.libsvm.xz"
        if not path.exists():
            yield name, None, None
            continue
        with lzma.open(path) as stream:
            x, y = load_svmlight_file(stream)
        yield name, x.toarray(), y


def calibration_error(confidence, right):
    """Mean over the rows of |share right − mean confidence| of a row's bin of confidence."""
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    apart = np.zeros(BINS)
    np.add.at(apart, bins, right - confidence)
    return np.abs(apart).sum() / len(confidence)


def splits(x, y, seeds):
    for seed in range(seeds):
        random = np.random.default_rng([4, seed])
        chosen = random.permutation(len(y))[:ROWS]
        halves = StratifiedShuffleSplit(1, test_size=0.5, random_state=seed)
        train, test = next(halves.split(x[chosen], y[chosen]))
        yield seed, chosen[train], chosen[test]


def lines(short):
    missing = []
    loaded = list(sets())
    for name, x, _ in loaded:
        if x is None:
            missing.append(name)
    for what, model_of in CLASSIFIERS.items():
        found, expected, spread, rows = [], [], [], 0
        worst = (0, "")
        for name, x, y in loaded if not short else loaded[1:3]:
            if x is None:
                continue
            for seed, train, test in splits(x, y, 1 if short else 2):
                model = model_of(seed).fit(x[train], y[train])
                p = model.predict_proba(x[test])
                confidence, right = p.max(axis=1), model.classes_[p.argmax(axis=1)] == y[test]
                # Of a forecaster who is right as often as he says.
                random = np.random.default_rng([5, seed])
                honest = [
                    calibration_error(confidence, random.random(len(test)) < confidence)
                    for _ in range(200)
                ]
                found.append(calibration_error(confidence, right))
                expected.append(np.mean(honest))
                spread.append(np.std(honest))
                rows += len(test)
                worst = max(worst, ((found[-1] - expected[-1]) / max(spread[-1], 1e-9), name))
        error = np.sqrt(np.sum(np.square(spread))) / len(found)
        yield (
            f"| {what}: mean calibration error (ECE, {BINS} bins) of {len(found)} halves; most beyond: {worst[1]}, "
            f"{worst[0]:.1f} errors | {np.mean(expected):.3f} | {np.mean(found):.3f} | {error:.3f} | {rows} |"
        )
    if missing:
        yield f"<!-- sets that are not here: {', '.join(missing)} -->"
