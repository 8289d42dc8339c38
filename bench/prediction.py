"""Prediction in batches beside scikit-learn, in one run on one thread.

    .venv/bin/python bench/prediction.py [--output FILE.json]

CPU microseconds per row, best of five: linear models of 20 and of 200 columns over 100,000 rows, kernel
models of 600 training rows of 8 columns over 50,000.
"""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"

import argparse
import json
import pathlib
import time

import ardent
import numpy
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.svm import SVC, SVR


def best(work, rows, rounds=5):
    seconds = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return 1e6 * min(seconds) / rows


def linear(columns, random):
    X = random.normal(size=(100000, columns))
    target = X[:, :5].sum(axis=1) + random.normal(size=len(X))
    few = slice(0, 2000)
    classifiers = {
        "LogisticRegression": LogisticRegression(),
        "ARDClassifier": ardent.ARDClassifier(n_jobs=1),
    }
    regressors = {"Ridge": Ridge(), "ARDRegressor": ardent.ARDRegressor(n_jobs=1)}
    return times(classifiers, X[few], target[few] > 0, X) | times(
        regressors, X[few], target[few], X
    )


def kernels(random):
    X = random.normal(size=(50000, 8))
    target = numpy.sin(2 * X[:, 0]) + X[:, 1] ** 2 + 0.1 * random.normal(size=len(X))
    few = slice(0, 600)
    classifiers = {"SVC": SVC(), "RVMClassifier": ardent.RVMClassifier(n_jobs=1)}
    regressors = {"SVR": SVR(), "RVMRegressor": ardent.RVMRegressor(n_jobs=1)}
    return times(classifiers, X[few], target[few] > 1, X) | times(
        regressors, X[few], target[few], X
    )


def times(models, X, y, rows):
    return {
        name: best(lambda: fitted.predict(rows), len(rows))
        for name, fitted in ((name, model.fit(X, y)) for name, model in models.items())
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", help="write the table as JSON, too")
    arguments = parser.parse_args()
    random = numpy.random.default_rng(0)
    report = {
        "linear, 20 columns": linear(20, random),
        "linear, 200 columns": linear(200, random),
        "kernels": kernels(random),
    }
    for case, found in report.items():
        print(f"{case:20}" + "".join(f"{name:>20} {us:6.3f}" for name, us in found.items()))
    if arguments.output:
        pathlib.Path(arguments.output).write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
