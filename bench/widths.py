"""One width for all features or one for each (`--widths common`, `per-feature`, `auto`): four folds of problems that
scikit-learn makes or ships, and of the sets of ../shared/data where they are there.

    .venv/bin/python bench/widths.py

A row of docs/algorithms.md's table for each problem: RMSE / NLPD or accuracy / log loss, and CPU seconds of common and auto.
"""

import lzma
import os
import pathlib
import time
import warnings

import numpy as np
from sklearn import datasets
from sklearn.metrics import log_loss
from sklearn.model_selection import KFold, StratifiedKFold

import ardent

DATA = pathlib.Path(os.environ.get("ARDENT_DATA", "../shared/data"))
SHIPPED = {"mpg": 7, "tecator-fat": 100, "messidor": 19, "sonar": 60, "diabetes": 8, "german.numer": 24}
REGRESSIONS = ("mpg", "tecator-fat")


def problems():
    """Name, columns, target, whether the target is numbers."""
    random = np.random.RandomState(1)
    for k, noise in ((1, 1), (2, 100), (3, 0.1)):
        make = getattr(datasets, f"make_friedman{k}")
        yield f"Friedman {k}", *make(600, noise=noise, random_state=0), True
    yield "diabetes progression", *datasets.load_diabetes(return_X_y=True), True
    yield "noise, 30 features", random.randn(300, 30), random.randn(300), True
    for name, features in SHIPPED.items():
        path = DATA / f"{name}.libsvm.xz"
        if not path.exists():
            print(f"{name}: skipped, {path} is not there")
            continue
        with lzma.open(path) as file:
            x, y = datasets.load_svmlight_file(file, n_features=features, zero_based=False)
        yield name, x.toarray(), y, name in REGRESSIONS
    yield "8 of 20 features, classes", *datasets.make_classification(
        800, 20, n_informative=8, random_state=3
    ), False
    x = random.randn(500, 20)
    yield "xor of 2 of 20", x, np.sign(x[:, 0] * x[:, 1] + 0.2 * random.randn(500)), False
    yield "classes by chance, 20", random.randn(300, 20), np.sign(random.randn(300)), False


def scores(x, y, regression, widths):
    """Mean error and loss over four folds, and seconds of CPU to fit."""
    folds = (KFold if regression else StratifiedKFold)(4, shuffle=True, random_state=3)
    found, seconds = [], 0
    for train, test in folds.split(x, y):
        model = (ardent.RVMRegressor if regression else ardent.RVMClassifier)(widths=widths, n_jobs=1)
        begin = time.process_time()
        model.fit(x[train], y[train])
        seconds += time.process_time() - begin
        if regression:
            mean, std = model.predict(x[test], return_std=True)
            error = (mean - y[test]) ** 2
            density = 0.5 * np.log(2 * np.pi * std**2) + 0.5 * error / std**2
            found.append((error.mean(), density.mean()))
        else:
            p = model.predict_proba(x[test])
            found.append((model.score(x[test], y[test]), log_loss(y[test], p, labels=model.classes_)))
    first, second = np.mean(found, axis=0)
    return np.sqrt(first) if regression else first, second, seconds


def main():
    warnings.simplefilter("ignore")
    for name, x, y, regression in problems():
        results = {w: scores(x, y, regression, w) for w in ("common", "per-feature", "auto")}
        cells = [f"{a:.4g} / {b:.3f}" for a, b, _ in results.values()]
        seconds = f"{results['common'][2]:.1f}, {results['auto'][2]:.1f}"
        print(f"| {name} {x.shape[0]} × {x.shape[1]} | {' | '.join(cells)} | {seconds} |", flush=True)


if __name__ == "__main__":
    main()
