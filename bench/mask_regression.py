"""mask_regression.py [--results FOLDER]: doubly sparse regression on planted and real sets, beside the
relevance vector machine and scikit-learn's regressors, and as a classifier (FS-SKR-Sa of paper 002).

Writes docs/results/doubly-sparse-regression.json after each model and set, and the page beside it; what is in the JSON is not
computed again. Real sets are looked for in $ARDENT_DATA, else in ../shared/data. One thread.
"""

import argparse
import json
import os
import pathlib
import sys
import warnings

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")
ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402
from sklearn.gaussian_process import GaussianProcessRegressor  # noqa: E402
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel  # noqa: E402
from sklearn.kernel_ridge import KernelRidge  # noqa: E402
from sklearn.linear_model import RidgeCV  # noqa: E402
from sklearn.model_selection import GridSearchCV, KFold, ShuffleSplit  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

import ardent  # noqa: E402
from experiments import data, pages  # noqa: E402
from experiments.measure import cpu_seconds  # noqa: E402
from experiments.paper_002 import models as paper_002  # noqa: E402

OURS = "doubly sparse"
MODELS = (OURS, "RVM", "RVM, a width a feature", "GP, a width a feature", "kernel ridge", "ridge")
SETS = ("arm, 12 noise", "arm, 32 noise", "mpg", "tecator", "abalone, 500 rows")
DRAWS = 2  # of the noise of the digits
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
        cuts = KFold(5 if name == "mpg" else 3, shuffle=True, random_state=seed)
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
    records = {k: r for k, r in records.items() if "model" in r["config"]}
    of = {(r["config"]["set"], r["config"]["model"]): r for r in records.values()}
    errors, more, own = [], [], []
    for name in SETS:
        found = [of.get((name, m), {}) for m in MODELS]
        results = [r.get("result") for r in found]
        if not any(results):
            continue
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
                " that say nothing, three draws; mpg: five folds; tecator: three; abalone: 500 random"
                " rows to train, the others to test, three times."
            ),
            pages.table(["set", *MODELS], errors),
            "Share of test rows in their 95% interval, %, and CPU seconds of all splits:",
            pages.table(
                ["set", *(f"{m}: covered" for m in MODELS), *(f"{m}: s" for m in MODELS)], more
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


def classified(draw):
    """FS-SKR-Sa on the noisy digits: five folds."""
    X, y = paper_002.digits_with_noise(draw)
    return paper_002.cross_validated(paper_002.REGRESSION, X, y, 5, 1)


def classifier_section(records):
    found = [r["result"] for r in records.values() if r["config"]["set"] == "digits with noise"]
    if not found:
        return "FS-SKR-Sa: not run."

    def cell(key):
        values = np.array([v for result in found for v in result[key]])
        return f"{values.mean():.3f} ± {values.std(ddof=1) / len(values) ** 0.5:.3f}"

    row = ["FS-SKR-Sa", cell("accuracy"), cell("f1"), "0.925 ± 0.0713", "0.928 ± 0.00669"]
    head = ["model", "accuracy", "F1", "published accuracy", "published F1"]
    return "\n\n".join(
        [
            "## As a classifier: FS-SKR-Sa of the paper's Table II",
            f"3s and 8s with noise, five folds, draws 1 to {len(found)} of the noise of docs/results/paper-002.md: a"
            " regression of −1 and 1 whose sign decides; mean ± standard error over folds and draws.",
            pages.table(head, [row]),
        ]
    )


def write(records, folder):
    lines = [f"{json.dumps(k, ensure_ascii=False)}: {json.dumps(v)}" for k, v in sorted(records.items())]
    text = ",\n".join(lines)  # a line per record
    (folder / "doubly-sparse-regression.json").write_text("{\n" + text + "\n}\n")
    head = "# Doubly sparse regression\n\nWritten by `bench/mask_regression.py` from the JSON beside this page."
    page = "\n\n".join([head, section(records), classifier_section(records)])
    (folder / "doubly-sparse-regression.md").write_text(page + "\n")


def main():
    parser = argparse.ArgumentParser(prog="bench/mask_regression.py")
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "docs" / "results")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    path = given.results / "doubly-sparse-regression.json"
    records = json.loads(path.read_text()) if path.exists() else {}
    work = [{"set": name, "model": m, "seed": 1} for name in SETS for m in MODELS]
    work += [{"set": "digits with noise", "model": OURS, "draw": d + 1} for d in range(DRAWS)]
    for config in work:
        key = " / ".join(map(str, config.values()))
        if records.get(key, {}).get("config") == config:
            continue
        try:
            done = classified(config["draw"]) if "draw" in config else compute(config)
        except data.Missing as missing:
            print(f"{key}: skipped, {missing}", file=sys.stderr)
            continue
        records[key] = {"config": config, "result": done[0], "timing": done[1]}
        print(f"{key}: {done[1]['cpu']:.1f} s", file=sys.stderr, flush=True)
        write(records, given.results)


if __name__ == "__main__":
    main()
