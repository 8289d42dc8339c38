"""Planted problems: does the answer predict, is its width honest, how much does it keep?

Fresh test rows; LassoCV and L1 logistic regression with C by folds on the same rows, in one run.
True weights are standard normal, columns standard normal (rho: correlation by a common factor).
--only few: at most ten columns, some of weight ±size. --only dense: every column has a weight, and
RidgeCV and L2 logistic regression are run, too; "spectra": smooth columns, each nearly its neighbours'.

    .venv/bin/python bench/planted.py [--seeds 30] [--first 0] [--only regression|classification|wide|few|dense]
"""

import argparse
import time
import warnings

import numpy as np
from sklearn.linear_model import LassoCV, LogisticRegressionCV, RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ardent import ARDClassifier, ARDRegressor

REGRESSION = [
    # rows, columns, true, correlation, noise
    (100, 20, 5, 0.0, 1.0),
    (60, 60, 5, 0.0, 1.0),
    (40, 60, 5, 0.0, 1.0),
    (100, 200, 10, 0.0, 1.0),
    (100, 200, 10, 0.5, 1.0),
    (200, 1000, 10, 0.0, 1.0),
    (50, 100, 0, 0.0, 1.0),
]
WIDE = [(1000, 5000, 20, 0.0, 0.5), (5000, 1000, 20, 0.0, 1.0)]
CLASSIFICATION = [
    (200, 20, 5, 0.0),
    (100, 50, 5, 0.0),
    (60, 200, 5, 0.0),
    (200, 500, 8, 0.0),
    (60, 100, 0, 0.0),
]
FEW = [
    # rows, columns, true, their size
    (60, 8, 2, 0.3),
    (60, 8, 2, 0.5),
    (60, 8, 2, 1.0),
    (60, 8, 8, 0.3),
    (100, 5, 2, 0.3),
    (100, 5, 2, 0.5),
    (100, 5, 2, 1.0),
    (200, 10, 3, 0.3),
    (200, 10, 3, 0.5),
    (200, 10, 3, 1.0),
    (300, 3, 0, 0.0),
    (100, 8, 0, 0.0),
]
DENSE = [("dense", 100, 50), ("dense", 60, 200), ("dense", 200, 100), ("spectra", 150, 100)]


def planted(rows, cols, true, rho, seed, test):
    """Columns, and the weights behind the target."""
    random = np.random.default_rng(seed)

    def draw(n):
        x = random.standard_normal((n, cols))
        common = random.standard_normal((n, 1))
        return np.sqrt(1 - rho) * x + np.sqrt(rho) * common if rho else x

    w = np.zeros(cols)
    w[random.permutation(cols)[:true]] = random.standard_normal(true)
    return draw(rows), draw(test), w, random


def few_columns(rows, cols, true, size, seed, test):
    """Rows, fresh rows, and the weights; the generator goes on with the target."""
    random = np.random.default_rng(seed)
    x, xt, w = (
        random.standard_normal((rows, cols)),
        random.standard_normal((test, cols)),
        np.zeros(cols),
    )
    w[random.permutation(cols)[:true]] = size * np.where(random.random(true) < 0.5, -1, 1)
    return x, xt, w, random


def spectra(random, rows, cols):
    grid, centres = np.linspace(0, 1, cols), np.linspace(0, 1, 12)
    bumps = np.exp(-((grid[:, None] - centres) ** 2) / (2 * 0.1**2))
    heights = random.standard_normal((rows, 12)) * np.linspace(1, 0.2, 12)
    base = 0.5 * random.standard_normal((rows, 1))
    return heights @ bumps.T + base + 0.01 * random.standard_normal((rows, cols))


def dense_truth(kind, rows, cols, classes, seed, test):
    """The weights have a prior variance of f of 4; spectra: f of standard deviation 4, classes 3."""
    random = np.random.default_rng(seed)
    if kind == "dense":
        w = random.standard_normal(cols) * np.sqrt(4 / cols)
        x, xt = random.standard_normal((rows, cols)), random.standard_normal((test, cols))
        return x, xt, w, random
    grid = np.linspace(0, 1, cols)
    w = sum(random.standard_normal() * np.cos(np.pi * k * grid) for k in range(5)) / cols * 4
    x, xt = spectra(random, rows, cols), spectra(random, test, cols)
    return x, xt, w * (3 if classes else 4) / (x @ w).std(), random


def dense_classes(kind, rows, cols, seed, test):
    return dense_truth(kind, rows, cols, True, seed, test)


def dense_regression(kind, rows, cols, seed, test):
    return dense_truth(kind, rows, cols, False, seed, test)


def log_loss(y, p):
    p = np.clip(p, 1e-15, 1 - 1e-15)
    return -np.mean(np.where(y == 1, np.log(p), np.log(1 - p)))


def expected_calibration_error(y, p, bins=10):
    which = np.minimum((p * bins).astype(int), bins - 1)
    return sum(
        np.mean(which == b) * abs(np.mean(y[which == b]) - np.mean(p[which == b]))
        for b in np.unique(which)
    )


def regress(model, x, y, xt, yt, w):
    begin = time.perf_counter()
    model.fit(x, y)
    seconds = time.perf_counter() - begin
    if hasattr(model, "active_"):
        mean, sd = model.predict(xt, return_std=True)
        covered = np.mean(np.abs(yt - mean) < 1.96 * sd)
        kept = model.active_
    else:
        mean, covered, kept = model.predict(xt), np.nan, np.flatnonzero(model.coef_)
    right = np.sum(w[kept] != 0)
    return np.sqrt(np.mean((yt - mean) ** 2)), covered, len(kept), right, seconds


def classify(model, x, y, xt, yt, w):
    begin = time.perf_counter()
    model.fit(x, y)
    seconds = time.perf_counter() - begin
    p = model.predict_proba(xt)[:, 1]
    kept = model.active_ if hasattr(model, "active_") else np.flatnonzero(model.coef_)
    return (
        np.mean((p > 0.5) == (yt == 1)),
        log_loss(yt, p),
        expected_calibration_error(yt, p),
        len(kept),
        seconds,
    )


def show(problem, models, runs, head):
    """Means, and by how much the first model's loss differs from the last one's, seed by seed."""
    print(problem, flush=True)
    for name in models:
        mean = np.nanmean(np.array(runs[name]), axis=0)
        cells = "  ".join(f"{h} {v:.3f}" for h, v in zip(head, mean))
        print("   ", f"{name:28}", cells, flush=True)
    names = list(models)
    first, last = names[0], names[-1]
    loss = next(h for h in ("rmse", "log loss") if h in head)
    losses = [np.array(runs[name])[:, head.index(loss)] for name in (first, last)]
    difference = losses[0] - losses[1]
    if len(difference) > 1 and first != last:
        error = difference.std(ddof=1) / np.sqrt(len(difference))
        print("   ", f"{f'{first} less {last}':28}", f"{loss} {difference.mean():+.4f} +- {error:.4f}")


def run_drawn(problems, seeds, models, classes, draw, test=1000):
    """`draw` makes x, fresh x, weights and the generator of a problem and a seed."""
    for problem in problems:
        runs = {name: [] for name in models}
        for seed in seeds:
            x, xt, w, random = draw(*problem, seed, test)
            f, ft = x @ w, xt @ w
            if classes:
                y = (random.random(len(f)) < 1 / (1 + np.exp(-f))).astype(int)
                yt = (random.random(test) < 1 / (1 + np.exp(-ft))).astype(int)
            else:
                y = f + random.standard_normal(len(f))
                yt = ft + random.standard_normal(test)
            for name, make in models.items():
                run = classify if classes else regress
                runs[name].append(run(make(), x, y, xt, yt, w))
        head = ("accuracy", "log loss", "ece", "kept", "s")
        head = head if classes else ("rmse", "coverage", "kept", "right", "s")
        show(f"{'classes' if classes else 'regression'} {problem}", models, runs, head)


def standardised(model):
    """Peers on columns of mean 0 and standard deviation 1, with their weights as scikit-learn's."""

    class Standardised:
        def fit(self, x, y):
            self.model = make_pipeline(StandardScaler(), model).fit(x, y)
            self.coef_ = self.model[-1].coef_
            self.predict = self.model.predict
            if hasattr(model, "predict_proba"):
                self.predict_proba = self.model.predict_proba
            return self

    return Standardised()


def l2_by_folds():
    return standardised(
        LogisticRegressionCV(
            Cs=15,
            penalty="l2",
            solver="liblinear",
            cv=5,
            scoring="neg_log_loss",
            intercept_scaling=100,
        )
    )


def ridge_by_folds():
    return standardised(RidgeCV(alphas=np.logspace(-4, 4, 33)))


def run_regression(problems, seeds, models):
    for rows, cols, true, rho, noise in problems:
        runs = {name: [] for name in models}
        for seed in seeds:
            x, xt, w, random = planted(rows, cols, true, rho, seed, 1000)
            y = x @ w + noise * random.standard_normal(rows)
            yt = xt @ w + noise * random.standard_normal(len(xt))
            for name, make in models.items():
                runs[name].append(regress(make(), x, y, xt, yt, w))
        head = ("rmse", "coverage", "kept", "right", "s")
        show(f"{rows} x {cols}, {true} true, rho {rho}", models, runs, head)


def run_classification(problems, seeds, models):
    for rows, cols, true, rho in problems:
        runs = {name: [] for name in models}
        for seed in seeds:
            x, xt, w, random = planted(rows, cols, true, rho, seed, 1000)
            y = (random.random(rows) < 1 / (1 + np.exp(-x @ w))).astype(int)
            yt = (random.random(len(xt)) < 1 / (1 + np.exp(-xt @ w))).astype(int)
            for name, make in models.items():
                runs[name].append(classify(make(), x, y, xt, yt, w))
        head = ("accuracy", "log loss", "ece", "kept", "s")
        show(f"{rows} x {cols}, {true} true, rho {rho}", models, runs, head)


def l1_by_folds():
    return LogisticRegressionCV(
        Cs=20, penalty="l1", solver="liblinear", cv=5, scoring="neg_log_loss", intercept_scaling=100
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--only", choices=["regression", "classification", "wide", "few", "dense"])
    parser.add_argument("--models", default="", help="part of the names of the models to run")
    arguments = parser.parse_args()
    seeds = range(arguments.first, arguments.first + arguments.seeds)
    warnings.simplefilter("ignore")
    regressors = {
        "default": ARDRegressor,
        "evidence alone": lambda: ARDRegressor(support_prior="none"),
        "exact, prior": lambda: ARDRegressor(support_prior="beta-binomial"),
        "sequential, prior": lambda: ARDRegressor(
            engine="sequential", support_prior="beta-binomial"
        ),
        "diagonal, prior": lambda: ARDRegressor(engine="diagonal", support_prior="beta-binomial"),
        "path": lambda: ARDRegressor(engine="path"),
        "LassoCV": lambda: LassoCV(cv=5),
    }
    classifiers = {
        "default": ARDClassifier,
        "evidence alone": lambda: ARDClassifier(support_prior="none"),
        "exact, prior": lambda: ARDClassifier(support_prior="beta-binomial"),
        "sequential, prior": lambda: ARDClassifier(
            engine="sequential", support_prior="beta-binomial"
        ),
        "diagonal, prior": lambda: ARDClassifier(engine="diagonal", support_prior="beta-binomial"),
        "path": lambda: ARDClassifier(engine="path"),
        "L1-CV": l1_by_folds,
    }
    chosen = [part for part in arguments.models.split(",") if part]
    if chosen:
        regressors = {k: v for k, v in regressors.items() if any(c in k for c in chosen)}
        classifiers = {k: v for k, v in classifiers.items() if any(c in k for c in chosen)}
    if arguments.only == "few":
        run_drawn(FEW, seeds, classifiers, True, few_columns)
        run_drawn(FEW, seeds, regressors, False, few_columns)
    if arguments.only == "dense":
        run_drawn(DENSE, seeds, {**classifiers, "L2-CV": l2_by_folds}, True, dense_classes)
        run_drawn(DENSE, seeds, {**regressors, "RidgeCV": ridge_by_folds}, False, dense_regression)
    if arguments.only in (None, "regression"):
        run_regression(REGRESSION, seeds, regressors)
    if arguments.only in (None, "classification"):
        run_classification(CLASSIFICATION, seeds, classifiers)
    if arguments.only in (None, "wide"):
        slow = {k: v for k, v in regressors.items() if k != "evidence alone"}
        run_regression(WIDE, seeds[: max(1, len(seeds) // 10)], slow)


if __name__ == "__main__":
    main()
