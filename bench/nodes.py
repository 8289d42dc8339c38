#!/usr/bin/env python3
"""Classes by hidden nodes: the engine thinned, and others, on rows that they have not seen.

    .venv/bin/python bench/nodes.py ARDENT [--only NAME,...] [--engines thinned,exact] [--seeds 3]

ARDENT is the command; sets are those of $ARDENT_DATA (../shared/data) and twelve planted classes, "letters", of two
Gaussian clusters each in 16 dimensions. Four fifths of the shuffled rows train (of iris 100), the others test (3,000 at
most); means over seeds: accuracy, log loss, nodes kept by a binary model, CPU seconds of training with one thread.
"""

import argparse
import json
import lzma
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

import numpy as np

# Hidden nodes of each.
SETS = {
    "iris": 100,
    "wine": 200,
    "digits": 200,
    "letters": 300,
    "segment": 200,
    "satimage": 200,
    "diabetes": 200,
    "german.numer": 200,
    "sonar": 200,
    "heart": 200,
    "ionosphere": 200,
    "australian": 200,
    "breast-cancer": 200,
    "messidor": 200,
    "colon-cancer": 200,
    "a1a": 200,
    "usps": 900,
}


def letters():
    random = np.random.default_rng(5)
    centres = random.standard_normal((12, 2, 16)) * 1.3
    y = random.integers(0, 12, 3000)
    x = centres[y, random.integers(0, 2, 3000)] + random.standard_normal((3000, 16))
    cells = (" ".join(f"{j + 1}:{v:.6g}" for j, v in enumerate(row)) for row in x)
    return [f"{label} {row}\n".encode() for label, row in zip(y, cells)]


def lines_of(name):
    if name == "letters":
        return letters()
    folder = pathlib.Path(os.environ.get("ARDENT_DATA", "../shared/data"))
    with lzma.open(folder / f"{name}.libsvm.xz") as file:
        return file.readlines()


def run(*words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{words}: {done.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def scores(ardent, lines, hidden, engine, seed, train_rows):
    order = np.random.default_rng(seed).permutation(len(lines))
    parts = {"train": order[:train_rows], "test": order[train_rows : train_rows + 3000]}
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for name, rows in parts.items():
            (folder / name).write_bytes(b"".join(lines[i] for i in rows))
        options = ["--map", "elm", "--hidden", hidden, "--threads", 1, "-o", folder / "model"]
        if engine != "default":
            options += ["--engine", engine]
        seconds, _ = run(ardent, "train", folder / "train", *options)
        found = json.loads(run(ardent, "evaluate", folder / "model", folder / "test", "--json")[1])
    return found["accuracy"], found["log_loss"], found["active"], seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("ardent")
    parser.add_argument("--only", default=",".join(SETS))
    parser.add_argument("--engines", default="thinned,exact")
    parser.add_argument("--seeds", type=int, default=3)
    arguments = parser.parse_args()
    engines = arguments.engines.split(",")
    print("| set | rows to train | " + " | ".join(engines) + " |")
    print("|---" * (2 + len(engines)) + "|")
    for name in arguments.only.split(","):
        lines = lines_of(name)
        train_rows = 100 if name == "iris" else len(lines) * 4 // 5
        cells = []
        for engine in engines:
            runs = [
                scores(arguments.ardent, lines, SETS[name], engine, seed, train_rows)
                for seed in range(1, arguments.seeds + 1)
            ]
            accuracy, loss, kept, seconds = np.mean(runs, axis=0)
            cells.append(f"{accuracy:.3f} / {loss:.3f} / {kept:.0f} / {seconds:.1f} s")
        print(f"| {name} | {train_rows} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
