#!/usr/bin/env python3
"""What a sweep of the mask samplers costs, on one core.

    bench/masks.py PROGRAM [--output FILE.json]

PROGRAM is the masks that -DARDENT_BENCH=ON builds. The published feature sweep is held against a
NumPy version that rebuilds the kernel for every toggle (distances by a matrix product, one BLAS
thread). CPU seconds, so that other work on the machine does not count.
"""

import argparse
import json
import os
import subprocess
import sys
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

try:
    import numpy as np  # after the number of threads is set
except ImportError as missing:
    print(f"skipped: {missing}; pip install numpy")
    sys.exit(0)

ROWS, FEATURES = 1000, 60


def numpy_feature_sweep():
    """Seconds of one sweep: f with each feature toggled, and its log likelihood."""
    random = np.random.default_rng(0)
    x = random.standard_normal((ROWS, FEATURES))
    sign = np.where(x[:, 0] * x[:, 1] + x[:, 2] > 0, 1.0, -1.0)
    alpha = random.standard_normal(ROWS)
    delta = 1 / (2 * FEATURES)
    mask = np.ones(FEATURES, bool)
    start = time.process_time()
    for k in range(FEATURES):
        mask[k] = not mask[k]
        y = x[:, mask]
        square = (y * y).sum(1)
        distances = np.maximum(square[:, None] + square[None] - 2 * y @ y.T, 0)
        f = np.exp(-delta * distances) @ alpha
        -np.logaddexp(0, -sign * f).sum()
        mask[k] = not mask[k]
    return time.process_time() - start


def run(*arguments):
    return json.loads(subprocess.run([str(a) for a in arguments], check=True, capture_output=True,
                                     text=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--output")
    options = parser.parse_args()
    sweep = run(options.program, "sweep", ROWS, FEATURES, ROWS, 100)
    ours = run(options.program, "paper", ROWS, FEATURES, 5)["seconds"]
    theirs = min(numpy_feature_sweep() for _ in range(3))
    print(f"{ROWS} rows, {FEATURES} features, one core, CPU milliseconds")
    print(f"  collapsed sweep, {sweep['active_columns']:.0f} active columns  "
          f"{1e3 * sweep['seconds']:8.1f}")
    print(f"  published feature sweep, ardent   {1e3 * ours:8.1f}")
    print(f"  the same, NumPy                   {1e3 * theirs:8.1f}   ({theirs / ours:.1f} times)")
    if options.output:
        with open(options.output, "w") as file:
            json.dump({"sweep": sweep, "paper": ours, "numpy": theirs}, file)


if __name__ == "__main__":
    main()
