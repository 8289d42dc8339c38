"""What fitting through Python costs beside the command line: news20-bow, engine diagonal.

    .venv/bin/python bench/python_overhead.py [ROUNDS]

Both fit the same rows with the same options, in turns. Only training is timed, not reading: the
command line tells its own seconds; Python's run from the CSR matrix to the fitted estimator. Times of
a machine that others use scatter by more than what is measured, so the share that is Python's own
(everything but the engine, whose seconds the report tells) is given, too.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

import ardent

ROOT = pathlib.Path(__file__).resolve().parents[1]
DATA = pathlib.Path(os.environ.get("ARDENT_DATA", ROOT.parent / "shared/data"))
OPTIONS = {"engine": "diagonal", "scale": "tfidf"}


def command_line(path):
    flags = [text for name, value in OPTIONS.items() for text in (f"--{name}", value)]
    done = subprocess.run(
        [ROOT / "build/bin/ardent", "train", path, "--task", "classification", "--json", *flags],
        capture_output=True,
        check=True,
    )
    return json.loads(done.stdout)["seconds"]


def python(X, y):
    begin = time.perf_counter()
    model = ardent.ARDClassifier(**OPTIONS).fit(X, y)
    seconds = time.perf_counter() - begin
    return seconds, seconds - model.report_["seconds"]


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    path = DATA / "news20-bow.libsvm.xz"
    X, y = ardent.read_libsvm(path)
    python(X, y)  # imports
    there, here, own = [], [], []
    for _ in range(rounds):
        there.append(command_line(path))
        seconds, beside = python(X, y)
        here.append(seconds)
        own.append(beside)
    print("| | median s | min s |\n|---|---|---|")
    for name, values in (
        ("command line, training", there),
        ("Python, fit", here),
        ("of that, beside the engine (scaling, columns, checks, model)", own),
    ):
        print(f"| {name} | {statistics.median(values):.3f} | {min(values):.3f} |")


if __name__ == "__main__":
    main()
