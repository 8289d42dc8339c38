#!/usr/bin/env python3
"""The default answer for text against LIBLINEAR's search for C, on the same rows, in one run.

    bench/text.py ARDENT TEXT... [--output FILE.json] [--seed S] [--quick | --by-accuracy | --sizes]

ARDENT is the command; each TEXT a LIBSVM file of two classes, plain or .xz. Rows are shuffled with the
seed; three quarters train, one quarter tests. Ours, each on the file as it is and with one thread:
`ardent train` without an option; --engine path; --early-stop cv --refit on with tf-idf; --engine
diagonal with tf-idf, the converged evidence. LIBLINEAR: logistic regression with a bias, l2 and l1,
each of 11 values of C by five folds, and of further ones, each twice the last, where the best is at the
end (their time does not count). It gets the file as it is and, since that is what its users would
do, the file with tf-idf as well, and of the two the row with the lower log loss on the folds counts.
Time is user and system seconds of one thread, reading the file included: of LIBLINEAR its own search
(-v 5 for every C). Since that search knows accuracy alone, C is chosen by the log loss of folds written
to files, whose time does not count. --quick: the default and the l2 search only. --by-accuracy: the same on
the file as it is, with C by LIBLINEAR's own accuracy of folds, and by its option -C: minutes instead of an hour for a million columns. --sizes: models of at most
50, 100, ... 3,200 weights, --engine path --size K, beside LIBLINEAR's l1 of as many weights on the same file
(log loss on the test rows, along the logarithm of the weights between the two next values of C).
"""

import argparse
import json
import lzma
import math
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile

C_VALUES = [2.0**k for k in range(-3, 8)]
MOST_C = 2.0**12
SIZES = [50, 100, 200, 400, 800, 1600, 3200]
FOLDS = 5
OURS = {
    "default": [],
    "path": ["--engine", "path"],
    "early stop, refit": ["--scale", "tfidf", "--early-stop", "cv", "--refit", "on"],
    "diagonal": ["--scale", "tfidf", "--engine", "diagonal"],
}
SOLVERS = {"l2": 0, "l1": 6}


def run(command):
    """User and system seconds, and what was printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stderr}")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, done.stdout


def parse(line):
    label, *pairs = line.split()
    return label, [(int(k), float(v)) for k, v in (pair.split(":") for pair in pairs)]


def split(text, folder, seed):
    """train, test and train.fold, test.fold of each fold, plain and with tf-idf."""
    opener = lzma.open if text.endswith(".xz") else open
    with opener(text, "rt") as file:
        lines = file.readlines()
    random.Random(seed).shuffle(lines)
    cut = len(lines) * 3 // 4
    parts = {"train": lines[:cut], "test": lines[cut:]}
    frequency = {}
    for line in parts["train"]:
        for k, _ in parse(line)[1]:
            frequency[k] = frequency.get(k, 0) + 1
    idf = {k: math.log((1 + cut) / (1 + count)) + 1 for k, count in frequency.items()}
    missing = math.log(1 + cut) + 1
    for name, rows in parts.items():
        scaled = []
        for row in rows:
            label, pairs = parse(row)
            values = [(k, v * idf.get(k, missing)) for k, v in pairs]
            length = math.sqrt(sum(v * v for _, v in values)) or 1
            scaled.append(label + "".join(f" {k}:{v / length:.7g}" for k, v in values) + "\n")
        write_parts(folder, name, "", rows)
        write_parts(folder, name, ".tfidf", scaled)


def write_parts(folder, name, kind, rows):
    (folder / f"{name}{kind}").write_text("".join(rows))
    if name == "test":
        return
    for fold in range(FOLDS):
        held_out = [row for i, row in enumerate(rows) if i % FOLDS == fold]
        known = [row for i, row in enumerate(rows) if i % FOLDS != fold]
        (folder / f"train{kind}.{fold}").write_text("".join(known))
        (folder / f"test{kind}.{fold}").write_text("".join(held_out))


def ours(ardent, options, folder):
    seconds, _ = run(
        [ardent, "train", folder / "train", "--threads", 1, "-o", folder / "model"] + options
    )
    _, text = run([ardent, "evaluate", folder / "model", folder / "test", "--json"])
    found = json.loads(text)
    return {"seconds": seconds, **{key: found[key] for key in ("log_loss", "accuracy", "active")}}


def fit_liblinear(tools, solver, c, train, test, folder):
    run([tools["train"], "-q", "-s", solver, "-c", c, "-B", 1, train, folder / "peer"])
    run([tools["predict"], "-b", 1, test, folder / "peer", folder / "peer.out"])
    header, *lines = (folder / "peer.out").read_text().splitlines()
    place = {float(label): i for i, label in enumerate(header.split()[1:])}
    truth = [float(line.split(None, 1)[0]) for line in pathlib.Path(test).read_text().splitlines()]
    loss = right = 0
    for label, line in zip(truth, lines, strict=True):
        chosen, *probabilities = map(float, line.split())
        loss -= math.log(max(probabilities[place[label]], 1e-300))
        right += chosen == label
    weights = (folder / "peer").read_text().split("\nw\n")[1].splitlines()
    kept = sum(float(line.split()[0]) != 0 for line in weights[:-1] if line.strip())
    return {"log_loss": loss / len(truth), "accuracy": right / len(truth), "active": kept}


def liblinear(tools, solver, folder):
    """The better of the file as it is and with tf-idf, by the folds."""
    found = []
    for kind in ("", ".tfidf"):
        best = (math.inf, 0)
        seconds = 0
        train = folder / f"train{kind}"
        values = list(C_VALUES)
        for c in values:  # which grows
            if c <= C_VALUES[-1]:
                seconds += run(
                    [tools["train"], "-q", "-s", solver, "-v", FOLDS, "-c", c, "-B", 1, train]
                )[0]
            losses = [
                fit_liblinear(
                    tools, solver, c, f"{train}.{fold}", folder / f"test{kind}.{fold}", folder
                )["log_loss"]
                for fold in range(FOLDS)
            ]
            best = min(best, (sum(losses) / FOLDS, c))
            if c == values[-1] == best[1] and C_VALUES[-1] <= c < MOST_C:
                values.append(2 * c)
        fit = fit_liblinear(tools, solver, best[1], train, folder / f"test{kind}", folder)
        found.append(
            {"folds": best[0], "c": best[1], "seconds": seconds, "tfidf": bool(kind), **fit}
        )
    return min(found, key=lambda fit: fit["folds"])


def liblinear_by_accuracy(tools, solver, folder):
    """What its users do: the file as it is, the C of the highest accuracy that -v prints."""
    seconds, best = 0, (-math.inf, 0)
    for c in C_VALUES:
        own, printed = run(
            [tools["train"], "-q", "-s", solver, "-v", FOLDS, "-c", c, "-B", 1, folder / "train"]
        )
        seconds += own
        accuracy = float(printed.split("Accuracy = ")[1].split("%")[0])
        best = max(best, (accuracy, c))
    fit = fit_liblinear(tools, solver, best[1], folder / "train", folder / "test", folder)
    return {"c": best[1], "seconds": seconds, **fit}


def liblinear_own_search(tools, solver, folder):
    """Its option -C: from the smallest C on, each fit begins where the last ended."""
    train = folder / "train"
    seconds, printed = run([tools["train"], "-C", "-s", solver, "-v", FOLDS, "-B", 1, train])
    c = float(printed.split("Best C = ")[1].split()[0])
    return {"c": c, "seconds": seconds, **fit_liblinear(
        tools, solver, c, train, folder / "test", folder
    )}


def at_sizes(ardent, tools, folder):
    """Rows of weights and log loss, ours and l1's."""
    curve = []
    for k in range(-8, 25):
        fit = fit_liblinear(
            tools, SOLVERS["l1"], 2.0 ** (k / 2), folder / "train", folder / "test", folder
        )
        if curve and fit["active"] <= curve[-1][0]:
            break  # it has no more to give
        if fit["active"] > 0:
            curve.append((fit["active"], fit["log_loss"]))
        if fit["active"] > SIZES[-1]:
            break
    rows = []
    for size in SIZES:
        fit = ours(ardent, ["--engine", "path", "--size", str(size)], folder)
        rows.append((fit["active"], fit["log_loss"], interpolated(curve, fit["active"])))
    return rows


def interpolated(curve, weights):
    """Of the curve's losses; NaN beyond its ends."""
    for (low, below), (high, above) in zip(curve, curve[1:]):
        if low <= weights <= high:
            share = math.log(weights / low) / math.log(high / low)
            return below + share * (above - below)
    return math.nan


def print_sizes(name, rows):
    print(f"{name}: weights, log loss of the path, of l1 with as many weights")
    for weights, own, other in rows:
        print(f"  {weights:6.0f} {own:.4f} {other:.4f} {own - other:+.4f}", flush=True)


def print_rows(name, rows):
    search = rows["LIBLINEAR l2"]["seconds"]
    print(
        f"{name}{'':{max(1, 21 - len(name))}} log loss  accuracy    weights  CPU s  of l2's search"
    )
    for label, row in rows.items():
        print(
            f"  {label:18} {row['log_loss']:10.4f} {row['accuracy']:9.4f} {row['active']:10.0f} "
            f"{row['seconds']:6.1f}  {row['seconds'] / search:6.2f}",
            flush=True,
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("ardent")
    parser.add_argument("text", nargs="+")
    parser.add_argument("--output", help="write the figures as JSON, too")
    parser.add_argument("--seed", type=int, default=1, help="of the shuffle of rows")
    parser.add_argument("--quick", action="store_true", help="the default and the l2 search only")
    parser.add_argument("--by-accuracy", action="store_true", help="C by LIBLINEAR's own accuracy")
    parser.add_argument("--sizes", action="store_true", help="models of given sizes only")
    arguments = parser.parse_args()
    tools = {name: shutil.which(f"liblinear-{name}") for name in ("train", "predict")}
    if not all(tools.values()):
        sys.exit("LIBLINEAR is not installed (Debian: liblinear-tools)")
    results = {}
    for text in arguments.text:
        name = pathlib.Path(text).name.split(".")[0]
        rows = results[name] = {}
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            split(text, folder, arguments.seed)
            if arguments.sizes:
                rows["sizes"] = at_sizes(arguments.ardent, tools, folder)
                print_sizes(name, rows["sizes"])
                continue
            few = arguments.quick or arguments.by_accuracy
            search = liblinear_by_accuracy if arguments.by_accuracy else liblinear
            for label in ["default"] if few else OURS:
                rows[label] = ours(arguments.ardent, OURS[label], folder)
            for label in ["l2"] if few else SOLVERS:
                rows[f"LIBLINEAR {label}"] = search(tools, SOLVERS[label], folder)
            if arguments.by_accuracy:
                rows["LIBLINEAR l2, -C"] = liblinear_own_search(tools, SOLVERS["l2"], folder)
        print_rows(name, rows)
    if arguments.output:
        pathlib.Path(arguments.output).write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
