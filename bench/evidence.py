#!/usr/bin/env python3
"""What the default answer is worth on rows that it has not seen: a table in Markdown.

    .venv/bin/python bench/evidence.py ARDENT [FOLDER] [--only NAME,...] [--seeds 5] [--folds K]

ARDENT is the command, FOLDER that of the data sets ($ARDENT_DATA, else ../shared/data): LIBSVM files, plain
or .xz. Rows are shuffled; three quarters train, one quarter tests, once for each seed; means over seeds.
--folds K: each of K stratified folds tests once for each seed instead, the others train.
`ardent train` without an option but the task. Beside it, on columns scaled to mean 0 and standard deviation 1
(sparse ones to a largest value of 1): logistic regression with an l1 and with an l2 penalty, C by the log loss
of five folds; for a regression LassoCV and RidgeCV.
"""

import argparse
import csv
import json
import lzma
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import LassoCV, LogisticRegressionCV, RidgeCV
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, StandardScaler

CLASSES = [
    "a1a",
    "australian",
    "breast-cancer",
    "colon-cancer",
    "diabetes",
    "german.numer",
    "heart",
    "ionosphere",
    "messidor",
    "rcv1-sample",
    "sonar",
]
REGRESSION = ["abalone", "mpg", "tecator-fat"]


def lines_of(path):
    opener = lzma.open if path.suffix == ".xz" else open
    with opener(path, "rb") as file:
        return file.readlines()


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stderr}")
    return done.stdout


def parts(lines, task, seed, folds):
    """Rows to train and rows to test, once or for each fold."""
    if not folds:
        order = np.random.default_rng(seed).permutation(len(lines))
        cut = len(lines) * 3 // 4
        return [(order[:cut], order[cut:])]
    kind = StratifiedKFold if task == "classification" else KFold
    labels = [line.split(None, 1)[0].decode() for line in lines]
    return kind(folds, shuffle=True, random_state=seed).split(lines, labels)


def split(lines, train, test, folder):
    for name, rows in (("train", train), ("test", test)):
        (folder / name).write_bytes(b"".join(lines[i] for i in rows))
    x, y = load_svmlight_file(str(folder / "train"))
    xt, yt = load_svmlight_file(str(folder / "test"), n_features=x.shape[1])
    if x.nnz > 0.25 * x.shape[0] * x.shape[1]:
        x, xt = x.toarray(), xt.toarray()
    return x, y, xt, yt


def ours(ardent, task, folder, yt):
    """Log loss, accuracy and calibration, or RMSE and coverage; and what is kept."""
    model, out = folder / "model", folder / "out.csv"
    run(ardent, "train", folder / "train", "--task", task, "--threads", 1, "-o", model)
    run(ardent, "predict", model, folder / "test", "--proba", "-o", out)
    kept = json.loads(run(ardent, "evaluate", model, folder / "test", "--json"))["active"]
    with open(out) as file:
        head, *rows = list(csv.reader(file))
    if task == "regression":
        mean, sd = np.array(rows, float).T
        covered = np.mean(np.abs(yt - mean) < 1.96 * sd)
        return [np.sqrt(np.mean((yt - mean) ** 2)), covered, kept]
    labels = [float(cell[2:-1]) for cell in head[1:]]
    p = np.array([row[1:] for row in rows], float)[:, int(labels[1] == max(labels))]
    return [*class_scores(p, yt == max(labels)), calibration_error(p, yt == max(labels)), kept]


def class_scores(p, truth):
    p = np.clip(p, 1e-15, 1 - 1e-15)
    return [-np.mean(np.log(np.where(truth, p, 1 - p))), np.mean((p > 0.5) == truth)]


def calibration_error(p, truth, bins=10):
    which = np.minimum((p * bins).astype(int), bins - 1)
    return sum(
        np.mean(which == b) * abs(np.mean(truth[which == b]) - np.mean(p[which == b]))
        for b in np.unique(which)
    )


def peers(task, x, y, xt, yt):
    scaler = StandardScaler if isinstance(x, np.ndarray) else MaxAbsScaler
    if task == "regression":
        alphas = np.logspace(-4, 4, 33)
        models = [LassoCV(cv=5), RidgeCV(alphas=alphas)]
        fits = [make_pipeline(scaler(), model).fit(x, y) for model in models]
        return [np.sqrt(np.mean((yt - fit.predict(xt)) ** 2)) for fit in fits]
    found = []
    for penalty in ("l1", "l2"):
        model = LogisticRegressionCV(
            Cs=15,
            cv=5,
            penalty=penalty,
            solver="liblinear",
            scoring="neg_log_loss",
            intercept_scaling=100,
        )
        fit = make_pipeline(scaler(), model).fit(x, y)
        found += class_scores(fit.predict_proba(xt)[:, 1], yt == max(y))
    return found


def row_of(ardent, task, path, seeds, folds):
    runs = []
    lines = lines_of(path)
    for seed in range(1, seeds + 1):
        for train, test in parts(lines, task, seed, folds):
            with tempfile.TemporaryDirectory() as temporary:
                folder = pathlib.Path(temporary)
                x, y, xt, yt = split(lines, train, test, folder)
                runs.append(ours(ardent, task, folder, yt) + peers(task, x, y, xt, yt))
    size = f"{len(lines)} × {x.shape[1]}"
    mean = np.mean(runs, axis=0)
    name = path.name.split(".libsvm")[0]
    if task == "regression":
        rmse, covered, kept, lasso, ridge = mean
        return f"| {name} | {size} | {rmse:.4g} / {covered:.3f} / {kept:.0f} | {lasso:.4g} | {ridge:.4g} |"
    loss, accuracy, calibration, kept, *other = mean
    cells = f"{loss:.3f} / {accuracy:.3f} / {calibration:.3f} / {kept:.0f}"
    return (
        f"| {name} | {size} | {cells} | {other[0]:.3f} / {other[1]:.3f} | "
        f"{other[2]:.3f} / {other[3]:.3f} |"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("ardent")
    default = os.environ.get("ARDENT_DATA", "../shared/data")
    parser.add_argument("folder", nargs="?", default=default)
    parser.add_argument("--only", default="", help="names of data sets, by commas")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--folds", type=int, default=0)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    wanted = arguments.only.split(",") if arguments.only else CLASSES + REGRESSION
    heads = {
        "classification": "| set | rows × columns | log loss / accuracy / calibration error / kept "
        "| ℓ1 by folds | ℓ2 by folds |",
        "regression": "| set | rows × columns | RMSE / coverage of 95% / kept | LassoCV | RidgeCV |",
    }
    for task, names in (("classification", CLASSES), ("regression", REGRESSION)):
        paths = []
        for name in (name for name in names if name in wanted):
            found = sorted(pathlib.Path(arguments.folder).glob(f"{name}.libsvm*"))
            if not found:
                print(f"{name}: not in {arguments.folder}, left out", file=sys.stderr)
            paths += found[:1]
        if paths:
            print(f"{heads[task]}\n|---|---|---|---|---|", flush=True)
        for path in paths:
            print(row_of(arguments.ardent, task, path, arguments.seeds, arguments.folds), flush=True)


if __name__ == "__main__":
    main()
