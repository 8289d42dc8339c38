#!/usr/bin/env python3
"""How many atoms each screening test rejects, over lambda/lambda_max 0.1 … 0.9.

    bench/screening.py ARDENT DATA [--signals N] [--output FILE.json]

ARDENT is the command; DATA the folder with MNIST's files and tdt2.libsvm.xz. One LASSO per signal,
penalties 1, everything scaled to unit length, as in the paper's figures 3 and 5. Three dictionaries:

    MNIST  10,000 training images, 1,000 a digit; signals are test images
    PSF    10,000 Gaussian spots integrated over the pixels of a 28×28 image, positions U[1, 28], widths
           U[1, 3]; signals are scenes of four spots with noise 20 dB below them
    tdt2   9,344 documents of the TDT2 corpus as word counts; signals are the other 50 (the paper took
           New York Times articles)

For sphere, dome and tht (two hyperplanes): percent rejected before the solver starts, with the
paper's ball and with the half ball. For gap: percent rejected while the solver still had rounds to go.
"""

import argparse
import gzip
import json
import lzma
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError as missing:
    print(f"skipped: {missing}; pip install numpy")
    sys.exit(0)

RATIOS = [k / 10 for k in range(1, 10)]
TESTS = [(test, ball) for test in ("sphere", "dome", "tht") for ball in ("paper", "half")]
TESTS.append(("gap", "half"))


def mnist(data, folder, count):
    def load(name, offset):
        return numpy.frombuffer(gzip.open(data / name).read(), numpy.uint8, offset=offset)

    random = numpy.random.RandomState(0)
    digits = load("train-labels-idx1-ubyte.gz", 8)
    images = load("train-images-idx3-ubyte.gz", 16).reshape(-1, 784)
    chosen = numpy.concatenate(
        [random.permutation(numpy.where(digits == d)[0])[:1000] for d in range(10)]
    )
    tests = load("t10k-images-idx3-ubyte.gz", 16).reshape(-1, 784)
    numpy.save(folder / "atoms.npy", images[chosen])
    numpy.save(folder / "signals.npy", tests[random.permutation(len(tests))[:count]])
    return folder / "atoms.npy", folder / "signals.npy", []


def spot(x, y, sigma):
    edges = numpy.arange(29) + 0.5

    def part(centre):
        erf = [math.erf((e - centre) / (math.sqrt(2) * sigma)) for e in edges]
        return numpy.diff(erf) / 2

    image = numpy.outer(part(y), part(x)).ravel()
    return image / numpy.linalg.norm(image)


def psf(_, folder, count):
    random = numpy.random.RandomState(0)
    atoms = [spot(*random.uniform(1, 28, 2), random.uniform(1, 3)) for _ in range(10000)]
    scenes = []
    for _ in range(count):
        scene = sum(
            random.uniform(0.5, 1.5) * spot(*random.uniform(4, 25, 2), random.uniform(1, 3))
            for _ in range(4)
        )
        noise = math.sqrt(numpy.mean(scene**2) / 100)
        scenes.append(scene + noise * random.randn(784))
    numpy.save(folder / "atoms.npy", numpy.array(atoms))
    numpy.save(folder / "signals.npy", numpy.array(scenes))
    return folder / "atoms.npy", folder / "signals.npy", []


def tdt2(data, folder, count):
    lines = lzma.open(data / "tdt2.libsvm.xz", "rt").read().splitlines()
    order = numpy.random.RandomState(0).permutation(len(lines))
    (folder / "signals.libsvm").write_text("\n".join(lines[i] for i in order[:count]) + "\n")
    (folder / "atoms.libsvm").write_text("\n".join(lines[i] for i in order[50:]) + "\n")
    return folder / "atoms.libsvm", folder / "signals.libsvm", ["--features", "36771"]


def shares(ardent, atoms, signals, extra, ratio, test, ball):
    """Mean percent rejected, and mean seconds of the test."""
    if test in ("sphere", "dome", "tht"):
        extra = [*extra, "--ball", ball]
    done = subprocess.run(
        [
            ardent,
            "code",
            str(atoms),
            str(signals),
            "--method",
            "lasso",
            "--lambda-ratio",
            str(ratio),
            "--unit-norm",
            "on",
            "--screening",
            test,
            "--json",
            *extra,
        ],
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        sys.exit(done.stderr)
    steps = [report["steps"][0] for report in json.loads(done.stdout)["reports"]]
    return (
        100 * statistics.mean(step["rejected"] for step in steps),
        statistics.mean(step["screening_seconds"] for step in steps),
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("ardent")
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--signals", type=int, default=20)
    parser.add_argument("--output", help="write the table as JSON, too")
    arguments = parser.parse_args()
    report = {"signals": arguments.signals}
    for name, make in (("MNIST", mnist), ("PSF", psf), ("tdt2", tdt2)):
        with tempfile.TemporaryDirectory() as scratch:
            atoms, signals, extra = make(arguments.data, pathlib.Path(scratch), arguments.signals)
            report[name] = {}
            print(
                f"{name}: percent rejected"
                + " " * (17 - len(name))
                + "".join(f"{r:8.1f}" for r in RATIOS)
            )
            for test, ball in TESTS:
                row = [
                    shares(arguments.ardent, atoms, signals, extra, r, test, ball) for r in RATIOS
                ]
                report[name][f"{test} {ball}"] = {
                    "percent": [p for p, _ in row],
                    "seconds": [s for _, s in row],
                }
                label = test if test == "gap" else f"{test}, {ball} ball"
                print(f"  {label:31}" + "".join(f"{p:8.1f}" for p, _ in row), flush=True)
    if arguments.output:
        pathlib.Path(arguments.output).write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
