#!/usr/bin/env python3
"""Our weighted LASSO beside scikit-learn's Lasso, LARS and celer, in one run on one thread.

    bench/sparse_coding.py PROGRAM DATA [--images N] [--rounds N] [--output FILE.json]

PROGRAM is the sparse_coding that -DARDENT_BENCH=ON builds; DATA the folder with MNIST's four files.
The dictionary is 10,000 training images (1,000 a digit, seed 0), the signals are test images, all
scaled to unit length; lambda is 0.5, 0.1 and 0.05 of lambda_max, as for one LASSO a test image.

Every solver gets double-precision columns in the order it likes best, and no intercept. Ours stops
at a duality gap of 1e-6 of the objective. The peers know a tolerance relative to |y|^2 instead; they
get 1e-6, which is less than what we ask of ourselves. LARS follows the path exactly and is told
where to stop. Reported is the median over images of the best round, in CPU milliseconds of one thread:
what a quiet machine takes, whatever else runs on this one.
"""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

try:
    import numpy
    from celer import Lasso as CelerLasso
    from sklearn.linear_model import Lasso, lars_path
except ImportError as missing:
    print(f"skipped: {missing}; pip install scikit-learn celer")
    sys.exit(0)

from mnist import mnist

RATIOS = (0.5, 0.1, 0.05)


def relative_gap(columns, y, penalty, theta):
    residual = y - columns @ theta
    primal = 0.5 * residual @ residual + penalty * numpy.abs(theta).sum()
    scale = min(1, penalty / numpy.abs(columns.T @ residual).max())
    dual = 0.5 * y @ y - 0.5 * numpy.square(y - scale * residual).sum()
    return (primal - dual) / primal


def by_sklearn(columns, y, penalty):
    model = Lasso(
        alpha=penalty / len(y), fit_intercept=False, tol=1e-6, max_iter=100000, copy_X=False
    )
    return model.fit(columns, y).coef_


def by_celer(columns, y, penalty):
    model = CelerLasso(alpha=penalty / len(y), fit_intercept=False, tol=1e-6, max_iter=1000)
    return model.fit(columns, y).coef_


def by_lars(columns, y, penalty):
    return lars_path(
        columns, y, method="lasso", alpha_min=penalty / len(y), copy_X=False, return_path=False
    )[2]


PEERS = {"scikit-learn Lasso": by_sklearn, "scikit-learn LARS": by_lars, "celer": by_celer}


def time_peers(columns, signals, rounds):
    """{ratio: {peer: {"seconds": median over images of the best round, "gap": worst}}}"""
    table = {}
    for ratio in RATIOS:
        table[ratio] = {}
        for name, solve in PEERS.items():
            seconds, gaps = [], []
            for y in signals:
                penalty = ratio * numpy.abs(columns.T @ y).max()
                best = None
                for _ in range(rounds):
                    start = time.process_time()
                    theta = solve(columns, y, penalty)
                    elapsed = time.process_time() - start
                    best = elapsed if best is None else min(best, elapsed)
                seconds.append(best)
                gaps.append(relative_gap(columns, y, penalty, theta))
            table[ratio][name] = {"seconds": statistics.median(seconds), "gap": max(gaps)}
    return table


def time_us(program, atoms, signals, rounds):
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(pathlib.Path(folder) / name) for name in ("atoms.npy", "signals.npy")]
        numpy.save(paths[0], atoms)
        numpy.save(paths[1], signals)
        runs = []
        for _ in range(rounds):
            done = subprocess.run(
                [program, *paths, str(len(signals)), *map(str, RATIOS)],
                capture_output=True,
                text=True,
            )
            if done.returncode != 0:
                sys.exit(done.stderr)
            runs.append(json.loads(done.stdout))
    return runs


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--images", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--output", help="write the table as JSON, too")
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore")
    atoms, signals = mnist(arguments.data, arguments.images)
    columns = numpy.asfortranarray(atoms.T)
    ours = time_us(arguments.program, atoms, signals, 1)
    peers = time_peers(columns, signals, arguments.rounds)
    ours += time_us(arguments.program, atoms, signals, max(1, arguments.rounds - 1))

    def best(key, k):
        return [
            min(run["ratios"][k][key][i] for run in ours)
            for i in range(len(ours[0]["ratios"][k][key]))
        ]

    report = {"images": len(signals), "ratios": [], "outer": []}
    print(
        f"MNIST, {len(atoms)} atoms of {len(columns)} pixels, median of {len(signals)} images, CPU ms"
    )
    print(f"{'solver':34}" + "".join(f"{'λ/λmax ' + str(r):>14}{'×':>7}" for r in RATIOS))
    rows = {
        "ardent": [statistics.median(best("lasso", k)) for k in range(3)],
        "ardent, Gram rows available": [best("with_rows", k)[1] for k in range(3)],
        "ardent's plain coordinate descent": [
            statistics.median(best("descent", k)) for k in range(3)
        ],
    }
    for name in PEERS:
        rows[name] = [peers[r][name]["seconds"] for r in RATIOS]
    for name, seconds in rows.items():
        print(
            f"{name:34}"
            + "".join(
                f"{1000 * s:14.1f}{s / rows['ardent'][k]:7.1f}" for k, s in enumerate(seconds)
            )
        )
    for k, ratio in enumerate(RATIOS):
        worst = max(run["ratios"][k]["worst_gap"] for run in ours)
        report["ratios"].append(
            {
                "ratio": ratio,
                "milliseconds": {n: 1000 * s[k] for n, s in rows.items()},
                "largest_gap": {"ardent": worst, **{n: peers[ratio][n]["gap"] for n in PEERS}},
                "nonzeros": statistics.mean(ours[0]["ratios"][k]["nonzeros"]),
            }
        )
        print(
            f"λ/λmax {ratio}: {report['ratios'][-1]['nonzeros']:.1f} non-zeros; largest relative "
            "gap "
            + ", ".join(f"{n} {g:.1e}" for n, g in report["ratios"][-1]["largest_gap"].items())
        )
    print("Eight outer iterations against one:")
    for k, run in enumerate(ours[0]["outer"]):
        shares = [
            min(r["outer"][k]["eight"][i] for r in ours)
            / min(r["outer"][k]["first"][i] for r in ours)
            for i in range(len(run["first"]))
        ]
        report["outer"].append(
            {"lambda": run["lambda"], "ratio": statistics.median(shares), "largest": max(shares)}
        )
        print(
            f"  λ {run['lambda']}: one {1000 * statistics.median(run['first']):.1f} ms, eight "
            f"{statistics.median(shares):.2f} times that (largest {max(shares):.2f})"
        )
    if arguments.output:
        pathlib.Path(arguments.output).write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
