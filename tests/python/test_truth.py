"""The short form of `make truth` (bench/truth): error bars keep what they promise, within what so few fits can tell."""

import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def lines():
    """{what: (nominal, attained, standard error)} of fixed seeds."""
    told = subprocess.run(
        [
            sys.executable,
            ROOT / "bench/truth/run.py",
            "--short",
            "--only",
            "intervals,noise,sources",
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    table = [line.strip("| ").split(" | ") for line in told.splitlines() if line.startswith("| ")]
    return {row[0]: [float(number) for number in row[1:4]] for row in table[1:] if row[1] != "none"}


def off_by(line):
    nominal, attained, error = line
    return abs(attained - nominal) / max(error, 0.01)


def test_intervals_of_linear_regressions_cover(lines):
    chosen = [
        line for what, line in lines.items() if what.startswith("ARDRegressor") and "95%" in what
    ]
    assert len(chosen) == 2
    assert all(off_by(line) < 4 for line in chosen)


def test_intervals_of_kernels_cover_where_the_data_are_and_are_not_short_between(lines):
    (inside,) = [x for what, x in lines.items() if what.startswith("RVMRegressor, 100 × 1, where")]
    (between,) = [
        x for what, x in lines.items() if what.startswith("RVMRegressor, 100 × 1, in a gap")
    ]
    assert off_by(inside) < 4
    assert between[1] > 0.9


def test_intervals_of_fluxes_and_places_cover(lines):
    chosen = [
        line
        for what, line in lines.items()
        if what.startswith("SourceFinder") and "intervals" in what
    ]
    assert len(chosen) == 8
    assert all(off_by(line) < 4 for line in chosen)


def test_noise_leaves_linear_models_empty(lines):
    chosen = [line for what, line in lines.items() if "of noise: columns kept" in what]
    assert len(chosen) == 4
    assert all(line[1] == 0 for line in chosen)
