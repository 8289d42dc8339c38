#!/usr/bin/env python3
"""Classifiers for a Cortex-M4: ardent's exported C beside emlearn's and m2cgen's, at equal accuracy.

    .venv/bin/python bench/devices.py [SCRATCH [DATA,...]]

Each peer has the smallest model of its own kind whose accuracy on the held-out rows is at least
ardent's (or, where none reaches it, the most accurate one). Bytes of flash are those of the function, its
numbers and what it needs of the C library, by arm-none-eabi-gcc -Os; instructions per row those that
qemu-system-arm counts. Microseconds per row are CPU time of the same code on this machine, gcc -O2.
"""

import csv
import pathlib
import subprocess
import sys

import emlearn
import m2cgen
import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import ardent

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/devices"))
from devices import flash_bytes, run_on_device, write_rows  # noqa: E402

ROWS = 100
DATA = {"breast_cancer": load_breast_cancer, "wine": load_wine, "digits": load_digits}
SIZES = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50)


def held_out(load):
    X, y = load(return_X_y=True)
    parts = train_test_split(X, y, test_size=0.3, random_state=1, stratify=y)
    scaler = StandardScaler().fit(parts[0])  # for all alike, outside of the code
    return scaler.transform(parts[0]), scaler.transform(parts[1]), parts[2], parts[3]


def smallest(candidates, rows, labels, wanted):
    """The first that is accurate enough, else the most accurate."""
    best = None
    for model in candidates:
        accuracy = model.score(rows, labels)
        if best is None or accuracy > best[0]:
            best = accuracy, model
        if accuracy >= wanted:
            break
    return best


def forests(X, y):
    for trees in SIZES:
        yield RandomForestClassifier(trees, min_samples_leaf=2, random_state=1).fit(X, y)


class Voting:
    """A forest as emlearn has it: each tree votes for one class."""

    def __init__(self, forest):
        self.forest = forest

    def score(self, rows, labels):
        votes = np.array([tree.predict(rows) for tree in self.forest.estimators_]).astype(int)
        counts = np.array([np.bincount(v, minlength=self.forest.n_classes_) for v in votes.T])
        return np.mean(self.forest.classes_[counts.argmax(axis=1)] == labels)


def ours(folder, name, model, arithmetic):
    options = {"real": "float", "exp": "own", "arithmetic": arithmetic}
    (folder / f"{name}.h").write_text(model.export_c(name=name, **options))
    order = [int(label) for label in model.model_.class_names]
    table = ", ".join(map(str, order))
    return (
        f'#include "{name}.h"\nstatic inline int {name}_call(const float *x, float *out)\n{{\n'
        f"    static const unsigned char label[] = {{{table}}};\n"
        f"    out[0] = 0;\n    return label[{name}_predict(x)];\n}}\n"
    )


def of_emlearn(folder, name, model):
    converted = emlearn.convert(model, method="inline", dtype="float")
    converted.save(file=str(folder / f"{name}.h"), name=name, format="c")
    include = pathlib.Path(emlearn.includedir)
    for header in include.glob("*.h"):
        (folder / header.name).write_text(header.read_text())
    return (
        f'#include "{name}.h"\nstatic inline int {name}_call(const float *x, float *out)\n{{\n'
        f"    out[0] = 0;\n    return {name}_predict(x, {model.n_features_in_});\n}}\n"
    )


def voting_code(name, classes):
    """m2cgen gives the decisions of all pairs of classes; each is a vote."""
    return (
        f"    {{\n        double pair[{classes * (classes - 1) // 2}];\n"
        f"        int votes[{classes}] = {{0}}, i, j, at = 0, best = 0;\n"
        f"        {name}_score(row, pair);\n"
        f"        for (i = 0; i < {classes}; ++i)\n            for (j = i + 1; j < {classes}; ++j)\n"
        f"                ++votes[pair[at++] > 0 ? i : j];\n"
        f"        for (k = 1; k < {classes}; ++k)\n"
        "            if (votes[k] > votes[best])\n                best = k;\n        return best;\n    }\n"
    )


def of_m2cgen(folder, name, model):
    code = m2cgen.export_to_c(model, function_name=f"{name}_score")
    (folder / f"{name}.h").write_text(code.replace(f"void {name}_score", f"static void {name}_score")
                                      .replace(f"\ndouble {name}_score", f"\nstatic double {name}_score"))  # fmt: skip
    classes = len(model.classes_)
    two = classes == 2 and f"double {name}_score" in code
    features = model.n_features_in_
    body = (
        f"    return {name}_score(row) >= 0;\n"
        if two
        else f"    {{\n        double p[{classes}];\n        int best = 0;\n"
        f"        {name}_score(row, p);\n        for (k = 1; k < {classes}; ++k)\n"
        "            if (p[k] > p[best])\n                best = k;\n        return best;\n    }\n"
    )
    if isinstance(model, SVC) and not two:
        body = voting_code(name, classes)
    return (
        f'#include "{name}.h"\nstatic inline int {name}_call(const float *x, float *out)\n{{\n'
        f"    double row[{features}];\n    int k;\n    for (k = 0; k < {features}; ++k)\n"
        f"        row[k] = x[k];\n    out[0] = 0;\n{body}}}\n"
    )


def host_microseconds(folder, header, call):
    (folder / "host.c").write_text(
        f'#include <stdio.h>\n#include <time.h>\n#include "{header}"\n#include "rows.h"\n'
        "int main(void)\n{\n    float x[ROWS][COLUMNS], out[64];\n    volatile int sink = 0;\n"
        "    double least = 1e9;\n    int i, k, round;\n    for (i = 0; i < ROWS; ++i)\n"
        "        for (k = 0; k < COLUMNS; ++k)\n            x[i][k] = (float)rows[i][k];\n"
        "    for (round = 0; round < 15; ++round) {\n        const clock_t begin = clock();\n"
        "        double seconds;\n        for (k = 0; k < 200; ++k)\n"
        f"            for (i = 0; i < ROWS; ++i)\n                sink += {call}(x[i], out);\n"
        "        seconds = (double)(clock() - begin) / CLOCKS_PER_SEC / 200 / ROWS;\n"
        "        if (seconds < least)\n            least = seconds;\n    }\n"
        '    printf("%.4f\\n", least * 1e6);\n    return 0;\n}\n'
    )
    subprocess.run(["cc", "-O2", "-w", "host.c", "-o", "host", "-lm"], check=True, cwd=folder)
    return float(subprocess.run(["./host"], cwd=folder, capture_output=True, text=True).stdout)


def measured(folder, name, code, rows, labels, wanted):
    header = f"{name}_call.h"
    (folder / header).write_text(code)
    write_rows(rows.tolist(), folder)
    printed, instructions = run_on_device(folder, header, 1, f"{name}_call", "float")
    accuracy = np.mean([line[0] for line in printed] == labels)
    if abs(accuracy - wanted) > 0.011:  # a row may be on the border
        sys.exit(f"{name}: {accuracy} on the device instead of {wanted}")
    flash = flash_bytes(folder, header, f"{name}_call", "float", strict=False)
    return flash, instructions, host_microseconds(folder, header, f"{name}_call")


def contenders(folder, X, T, y, labels):
    """Name, model, its accuracy on all held-out rows, and code."""
    for map_name, model in {
        "linear": ardent.ARDClassifier(),
        "rbf": ardent.RVMClassifier(),
    }.items():
        model.fit(X, y)
        accuracy = model.score(T, labels)
        for words, arithmetic in {"": "paired", ", plain": "plain"}.items():
            code = ours(folder, f"ardent_{map_name}_{arithmetic}", model, arithmetic)
            yield f"ardent, {map_name}{words}", model, accuracy, code
    wanted = accuracy
    accuracy, voting = smallest(map(Voting, forests(X, y)), T, labels, wanted)
    trees, code = len(voting.forest.estimators_), of_emlearn(
        folder, "emlearn_forest", voting.forest
    )
    yield f"emlearn, forest of {trees}", voting, accuracy, code
    accuracy, forest = smallest(forests(X, y), T, labels, wanted)
    trees = len(forest.estimators_)
    yield f"m2cgen, forest of {trees}", forest, accuracy, of_m2cgen(folder, "m2cgen_forest", forest)
    costs = (SVC(C=c, gamma="scale").fit(X, y) for c in (100.0, 10.0, 1.0))
    accuracy, machine = smallest(costs, T, labels, wanted)
    kept = len(machine.support_vectors_)
    yield f"m2cgen, SVC of {kept} vectors", machine, accuracy, of_m2cgen(
        folder, "m2cgen_svc", machine
    )
    accuracy, logistic = smallest(
        (LogisticRegression(C=c, max_iter=1000).fit(X, y) for c in (1.0, 0.1, 10.0)),
        T, labels, wanted,
    )  # fmt: skip
    yield "m2cgen, logistic regression", logistic, accuracy, of_m2cgen(
        folder, "m2cgen_logistic", logistic
    )


def main():
    scratch = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/bench_devices")
    chosen = sys.argv[2].split(",") if len(sys.argv) > 2 else DATA
    print("| data | code | accuracy | flash, bytes | instructions per row | µs per row here |")
    print("|---|---|---|---|---|---|")
    table = []
    for data in chosen:
        folder = scratch / data
        folder.mkdir(parents=True, exist_ok=True)
        X, T, y, labels = held_out(DATA[data])
        for name, model, accuracy, code in contenders(folder, X, T, y, labels):
            stem = code.split('"')[1].removesuffix(".h")
            some, own = T[:ROWS], labels[:ROWS]
            found = measured(folder, stem, code, some, own, model.score(some, own))
            flash, instructions, microseconds = found
            table.append((data, name, accuracy, flash, instructions, microseconds))
            print(
                f"| {data} | {name} | {accuracy:.3f} | {flash:,} | {instructions:,.0f} "
                f"| {microseconds:.2f} |",
                flush=True,
            )
    with open(scratch / "table.csv", "w", newline="") as file:
        csv.writer(file).writerows(table)


if __name__ == "__main__":
    main()
