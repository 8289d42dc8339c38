"""Doubly sparse regression on planted and real sets, beside the RVM and scikit-learn's regressors."""

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import GridSearchCV, KFold, ShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import ardent
from experiments import data, pages
from experiments.measure import cpu_seconds
from experiments.store import Point

TITLE = "Regression: features found, errors, coverage"

OURS = "doubly sparse"
MODELS = (OURS, "RVM", "RVM, a width a feature", "GP, a width a feature", "kernel ridge", "ridge")
SLUGS = ("doubly-sparse", "rvm", "rvm-widths", "gp", "kernel-ridge", "ridge")
SETS = ("arm, 12 noise", "arm, 32 noise", "mpg", "tecator", "abalone, 500 rows")
RELEVANT = 4  # joints of the planted arm


def arm(noise_features, seed, rows):
    """Distance of the end of an arm of four joints from a point, as in kin8nm, and features that
    say nothing; noise of a tenth of the spread."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (rows, RELEVANT + noise_features))
    angles = np.cumsum(X[:, :RELEVANT] * np.pi / 2, axis=1)
    x, y = np.cos(angles).sum(axis=1) / RELEVANT, np.sin(angles).sum(axis=1) / RELEVANT
    distance = np.hypot(x - 0.1, y - 0.1)
    return X, distance + 0.1 * distance.std() * rng.normal(size=rows)


def splits(name, seed):
    """(training X, y, test X, y) of each split."""
    if name.startswith("arm"):
        noise = int(name.split()[1])
        for draw in range(3):
            X, y = arm(noise, 10 * seed + draw, 1300)
            yield X[:300], y[:300], X[300:], y[300:]
        return
    file = {"mpg": "mpg", "tecator": "tecator-fat"}.get(name, "abalone")
    X, y = data.dense(file)
    if file == "abalone":
        cuts = ShuffleSplit(3, train_size=500, random_state=seed)
    else:
        cuts = KFold(5, shuffle=True, random_state=seed)
    for train, test in cuts.split(X):
        yield X[train], y[train], X[test], y[test]


def fitted(model, X, y, seed):
    if model == OURS:
        return ardent.DoublySparseRegressor(n_jobs=1, random_state=seed).fit(X, y)
    if model == "RVM":
        return ardent.RVMRegressor(n_jobs=1, random_state=seed).fit(X, y)
    if model == "RVM, a width a feature":
        found = ardent.RVMRegressor(n_jobs=1, random_state=seed, widths="per-feature")
        return found.fit(X, y)
    if model == "GP, a width a feature":
        kernel = ConstantKernel() * RBF(np.full(X.shape[1], X.shape[1] ** 0.5)) + WhiteKernel(0.1)
        peer = GaussianProcessRegressor(kernel, normalize_y=True, random_state=seed)
    elif model == "kernel ridge":
        grid = {"alpha": [1e-3, 1e-2, 0.1, 1.0], "gamma": 2.0 ** np.arange(-9, 1, 2)}
        peer = GridSearchCV(KernelRidge(kernel="rbf"), grid, cv=5)
        y = y - y.mean()
    else:
        peer = RidgeCV(np.logspace(-4, 3, 15))
    return make_pipeline(StandardScaler(), peer).fit(X, y)


def predicted(model, found, X, mean):
    """Means, and standard deviations of new observations where the model has them."""
    if model in ("kernel ridge", "ridge"):
        return found.predict(X) + (mean if model == "kernel ridge" else 0), None
    return found.predict(X, return_std=True)


def points(quick):
    for name in SETS:
        for model, slug in zip(MODELS, SLUGS, strict=True):
            if quick and model.startswith("GP"):
                continue  # minutes
            config = {"set": name, "model": model, "seed": 1}
            yield Point(f"{name.replace(', ', '-').replace(' ', '-')}-{slug}", config)


def compute(config):
    model, seed = config["model"], config["seed"]
    keys = ("rmse", "r2", "coverage", "width", "relevant", "noise", "features", "r_hat")
    result = {key: [] for key in keys}
    with cpu_seconds() as clock:
        for X, y, X_test, y_test in splits(config["set"], seed):
            found = fitted(model, X, y, seed)
            mean, std = predicted(model, found, X_test, y.mean())
            error = y_test - mean
            result["rmse"].append(float(np.sqrt(np.mean(error**2))))
            result["r2"].append(float(1 - np.mean(error**2) / y_test.var()))
            if std is not None:
                result["coverage"].append(float(np.mean(np.abs(error) <= 1.96 * std)))
                result["width"].append(float(np.mean(3.92 * std)))
            if model == OURS:
                on = found.feature_inclusion_ > 0.5
                result["features"].append(int(on.sum()))
                result["r_hat"].append(found.diagnostics_[0]["log_likelihood"]["r_hat"])
                if config["set"].startswith("arm"):
                    result["relevant"].append(int(on[:RELEVANT].sum()))
                    result["noise"].append(int(on[RELEVANT:].sum()))
    return result, {"cpu": clock.seconds}


def section(records):
    of = {(r["config"]["set"], r["config"]["model"]): r for r in records.values()}
    models = [m for m in MODELS if any((s, m) in of for s in SETS)]
    errors, more, own = [], [], []
    for name in SETS:
        found = [of.get((name, m), {}) for m in models]
        results = [r.get("result") for r in found]
        values = [round(pages.mean(r["rmse"]), 3) if r else None for r in results]
        cells = [pages.number(v, 3) for v in values]
        errors.append([name, *pages.bold_best(cells, values, min)])
        more.append([name, *(coverage(r) for r in results), *(seconds(r) for r in found)])
        if results[0]:
            own.append([name, *chain_cells(results[0])])
    return "\n\n".join(
        [
            (
                "RMSE of test rows, mean over splits. arm: the distance of a four-jointed arm's end"
                " from a point (kin8nm has such a target), 300 training rows, with 12 or 32 features"
                " that say nothing, three draws; mpg and tecator: five folds; abalone: 500 random"
                " rows to train, the others to test, three times."
            ),
            pages.table(["set", *models], errors),
            "Share of test rows in their 95% interval, %, and CPU seconds of all splits:",
            pages.table(
                ["set", *(f"{m}: covered" for m in models), *(f"{m}: s" for m in models)], more
            ),
            "What the doubly sparse regression finds, means over splits (features above ½):",
            pages.table(["set", "features", "relevant, of 4", "noise", "R̂", "R²"], own),
        ]
    )


def coverage(result):
    known = result and result["coverage"]
    return f"{100 * pages.mean(known):.0f}" if known else pages.DASH


def seconds(record):
    return f"{record['timing']['cpu']:.0f}" if record else pages.DASH


def chain_cells(result):
    def average(key, digits):
        return pages.number(pages.mean(result[key]) if result[key] else None, digits)

    return [
        average("features", 1),
        average("relevant", 1),
        average("noise", 1),
        average("r_hat", 3),
        average("r2", 3),
    ]
