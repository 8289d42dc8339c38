"""Probabilities that a column matters, against whether it does."""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy.special import expit
from shares import Share

from ardent import DoublySparseRegressor

BINS = ((0.0, 0.1), (0.1, 0.5), (0.5, 0.9), (0.9, 1.01))


class Reliability:
    """Share of truth by bins of probability."""

    def __init__(self):
        self.shares, self.told = {b: Share() for b in BINS}, {b: [] for b in BINS}

    def add(self, probability, truth):
        for low, high in BINS:
            chosen = (probability >= low) & (probability < high)
            self.shares[low, high].add(truth[chosen])
            self.told[low, high] += list(probability[chosen])

    def lines(self, what):
        for (low, high), share in self.shares.items():
            if self.told[low, high]:
                name = f"{what} of probability {low:g} to {min(high, 1):g}: relevant"
                yield share.line(name, f"{np.mean(self.told[low, high]):.3f}")


def select(fits):
    """`ardent select`: the columns it keeps, by their log odds."""
    reliability = Reliability()
    command = Path(sys.executable).parent / "ardent"
    rows, cols, true = 200, 50, 8
    for seed in range(fits):
        random = np.random.default_rng([11, seed])
        weights = np.zeros(cols)
        weights[random.permutation(cols)[:true]] = 0.5 * random.standard_normal(true)
        x = random.standard_normal((rows, cols))
        table = np.column_stack([x, x @ weights + random.standard_normal(rows)])
        with tempfile.TemporaryDirectory() as folder:
            data = Path(folder) / "data.csv"
            names = ",".join([*(f"c{k}" for k in range(cols)), "y"])
            np.savetxt(data, table, delimiter=",", header=names, comments="")
            told = subprocess.run(
                [command, "select", data, "--task", "regression"],
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        kept = [row for row in csv.DictReader(told.splitlines()) if row.get("log_odds")]
        if kept:
            index = np.array([int(row["index"]) - 1 for row in kept])
            odds = np.array([float(row["log_odds"]) for row in kept])
            reliability.add(expit(odds), weights[index] != 0)
    return reliability.lines("ardent select, 200 × 50, 8 weights: columns kept")


def chains(fits):
    """Doubly sparse: a function of one of eight columns, in half of the fits of two."""
    reliability = Reliability()
    for seed in range(fits):
        random = np.random.default_rng([12, seed])
        x = random.standard_normal((60, 8))
        weak = random.uniform(0.1, 0.6) * (seed % 2)
        y = np.sin(1.5 * x[:, 0]) + weak * x[:, 1] + 0.4 * random.standard_normal(60)
        model = DoublySparseRegressor(chains=2, burn_in=100, sweeps=200, random_state=seed).fit(
            x, y
        )
        reliability.add(np.ravel(model.feature_inclusion_), np.arange(8) < 1 + seed % 2)
    return reliability.lines("DoublySparseRegressor, 60 × 8, 1 or 2 relevant: columns")


def lines(short):
    yield from select(4 if short else 60)
    yield from chains(2 if short else 40)
