#!/usr/bin/env python3
"""One fit with every stage against LIBLINEAR's search for C, on the same text, in one run.

    bench/text.py ARDENT TEXT... [--output FILE.json]

ARDENT is the command; each TEXT a LIBSVM file of word counts, plain or .xz. Rows are shuffled with a
fixed seed; three quarters train, one quarter tests. Ours: `train --scale tfidf --engine diagonal
--keep-stages on`, 100 stages, two threads, accuracy and size of every stage on the test rows; and the same
with --early-stop cv --refit on. LIBLINEAR: L2-regularised logistic regression, 5-fold
cross-validation for each of 11 values of C on the same file, then one fit; and L1-regularised at the
same values of C, whose sizes stand beside ours. It gets the file as it is and, since that is what its
users would do, the file with our tf-idf as well; the accuracy is the better of the two, the time
that of the file as it is. Wall-clock seconds, everything included.
"""

import argparse
import json
import lzma
import math
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

C_VALUES = [2.0**k for k in range(-5, 6)]


def run(command):
    start = time.perf_counter()
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stderr}")
    return time.perf_counter() - start, done.stdout


def parse(line):
    label, *pairs = line.split()
    return label, [(int(k), float(v)) for k, v in (pair.split(":") for pair in pairs)]


def split(text, folder):
    opener = lzma.open if text.endswith(".xz") else open
    with opener(text, "rt") as file:
        lines = file.readlines()
    random.Random(1).shuffle(lines)
    cut = len(lines) * 3 // 4
    parts = {"train": lines[:cut], "test": lines[cut:]}
    frequency = {}
    for line in parts["train"]:
        for k, _ in parse(line)[1]:
            frequency[k] = frequency.get(k, 0) + 1
    for name, rows in parts.items():
        (folder / name).write_text("".join(rows))
        with open(folder / f"{name}.tfidf", "w") as file:
            for row in rows:
                label, pairs = parse(row)
                scaled = [(k, v * (math.log((1 + cut) / (1 + frequency.get(k, 0))) + 1))
                          for k, v in pairs]
                length = math.sqrt(sum(v * v for _, v in scaled)) or 1
                file.write(label + "".join(f" {k}:{v / length:.7g}" for k, v in scaled) + "\n")


def ours(ardent, folder):
    seconds, _ = run([ardent, "train", folder / "train", "--scale", "tfidf", "--engine", "diagonal",
                      "--keep-stages", "on", "-o", folder / "model"])
    _, text = run([ardent, "evaluate", folder / "model", folder / "test", "--every-stage", "--json"])
    path = json.loads(text)["stages"]
    best, last = max(path, key=lambda stage: stage["accuracy"]), path[-1]
    chosen_seconds, _ = run([ardent, "train", folder / "train", "--scale", "tfidf", "--engine",
                             "diagonal", "--early-stop", "cv", "--refit", "on", "-o",
                             folder / "chosen"])
    _, text = run([ardent, "evaluate", folder / "chosen", folder / "test", "--json"])
    chosen = json.loads(text)
    keep = ("stage", "accuracy", "log_loss", "active")
    pick = lambda stage: {key: stage[key] for key in keep if key in stage}
    return {"seconds": seconds, "best": pick(best), "last": pick(last), "chosen": pick(chosen),
            "chosen_seconds": chosen_seconds, "path": [pick(stage) for stage in path]}


def fit_liblinear(tools, solver, c, train, test, folder):
    run([tools["train"], "-q", "-s", solver, "-c", c, train, folder / "peer"])
    _, text = run([tools["predict"], test, folder / "peer", folder / "peer.out"])
    header, weights = (folder / "peer").read_text().split("\nw\n")
    kept = sum(float(line.split()[0]) != 0 for line in weights.splitlines() if line.strip())
    return {"c": c, "accuracy": float(text.split("Accuracy = ")[1].split("%")[0]) / 100,
            "active": kept}


def liblinear(tools, folder):
    found = {}
    for name in ("train", "train.tfidf"):
        start, best = time.perf_counter(), (0.0, C_VALUES[0])
        for c in C_VALUES:
            _, text = run([tools["train"], "-q", "-s", 0, "-v", 5, "-c", c, folder / name])
            best = max(best, (float(text.split("= ")[-1].split("%")[0]), c))
        seconds = time.perf_counter() - start
        fit = fit_liblinear(tools, 0, best[1], folder / name,
                            folder / name.replace("train", "test"), folder)
        found[name] = {"search_seconds": seconds, **fit}
    small = [fit_liblinear(tools, 6, c, folder / "train.tfidf", folder / "test.tfidf", folder)
             for c in C_VALUES]
    best = max(found.values(), key=lambda fit: fit["accuracy"])
    return {"search_seconds": found["train"]["search_seconds"], "l2": best, "l2_all": found,
            "l1": small}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("ardent")
    parser.add_argument("text", nargs="+")
    parser.add_argument("--output", help="write the figures as JSON, too")
    arguments = parser.parse_args()
    tools = {name: shutil.which(f"liblinear-{name}") for name in ("train", "predict")}
    if not all(tools.values()):
        sys.exit("LIBLINEAR is not installed (Debian: liblinear-tools)")
    results = {}
    for text in arguments.text:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            split(text, folder)
            us, peer = ours(arguments.ardent, folder), liblinear(tools, folder)
        name = pathlib.Path(text).name.split(".")[0]
        results[name] = {"ardent": us, "liblinear": peer}
        print(f"{name}: 100 stages in {us['seconds']:.1f} s, LIBLINEAR's search "
              f"{peer['search_seconds']:.1f} s, ratio {peer['search_seconds'] / us['seconds']:.1f}")
        print(f"  {'':26} {'accuracy':>8} {'weights':>9}")
        rows = [(f"best stage ({us['best']['stage']})", us["best"]), ("last stage", us["last"]),
                ("stage by inner folds, refit", us["chosen"]),
                (f"L2-LR, C = {peer['l2']['c']:g}", peer["l2"])]
        rows += [(f"L1-LR, C = {fit['c']:g}", fit) for fit in peer["l1"]]
        for label, fit in rows:
            print(f"  {label:27} {fit['accuracy']:7.4f} {fit['active']:9.0f}")
    if arguments.output:
        pathlib.Path(arguments.output).write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
