"""LASSO codes from Python beside the C++ library, in one run on one thread.

    .venv/bin/python bench/python_codes.py PROGRAM DATA [--images N] [--output FILE.json]

PROGRAM is the sparse_coding that -DARDENT_BENCH=ON builds, DATA the folder with MNIST's four files.
CPU milliseconds per image, medians of the best of three rounds; a batch codes all images in one call.
"""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"

import argparse
import json
import pathlib
import subprocess
import tempfile
import time

import ardent
import numpy
from mnist import mnist

RATIOS = (0.5, 0.1, 0.05)
ROUNDS = 3


def best(work):
    seconds = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return 1000 * min(seconds)


def by_cpp(program, atoms, signals):
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(pathlib.Path(folder, name)) for name in ("atoms.npy", "signals.npy")]
        numpy.save(paths[0], atoms)
        numpy.save(paths[1], signals)
        command = [program, *paths, str(len(signals)), *map(str, RATIOS)]
        runs = [
            json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
            for _ in range(ROUNDS)
        ]
    return [
        1000 * numpy.median(numpy.min([run["ratios"][k]["lasso"] for run in runs], axis=0))
        for k in range(len(RATIOS))
    ]


def by_function(Phi, signals, penalties):
    times = [
        best(lambda: ardent.weighted_lasso(Phi, y, None, lam, n_jobs=1))
        for y, lam in zip(signals, penalties)
    ]
    return numpy.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--images", type=int, default=20)
    parser.add_argument("--output", help="write the table as JSON, too")
    arguments = parser.parse_args()
    atoms, signals = mnist(arguments.data, 100)
    single = signals[: arguments.images]
    Phi = numpy.asfortranarray(atoms.T)
    prepared = ardent.Dictionary(Phi, n_jobs=1)
    rows = {"C++, one signal": by_cpp(arguments.program, atoms, single)}
    rows["weighted_lasso(array)"], rows["weighted_lasso(Dictionary)"] = [], []
    rows["SparseCoder, batch of 100"] = []
    for ratio in RATIOS:
        penalties = ratio * numpy.abs(single @ atoms.T).max(axis=1)
        rows["weighted_lasso(array)"].append(by_function(Phi, single, penalties))
        rows["weighted_lasso(Dictionary)"].append(by_function(prepared, single, penalties))
        coder = ardent.SparseCoder(method="lasso", lambda_ratio=ratio, n_jobs=1).fit(atoms)
        rows["SparseCoder, batch of 100"].append(
            best(lambda: coder.transform(signals)) / len(signals)
        )
    print(f"{'':30}" + "".join(f"{'λ/λmax ' + str(r):>14}{'×':>7}" for r in RATIOS))
    for name, times in rows.items():
        cells = zip(times, rows["C++, one signal"])
        print(f"{name:30}" + "".join(f"{t:14.2f}{t / cpp:7.2f}" for t, cpp in cells))
    if arguments.output:
        pathlib.Path(arguments.output).write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
