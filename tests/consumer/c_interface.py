#!/usr/bin/env python3
"""The C interface as its users have it: c_interface.py PREFIX ROOT SCRATCH.

Programs in C and, where Rscript is installed, in R predict with models of the command installed at
PREFIX, and print what the command prints. The shared library exports the functions of ardent_c.h and
nothing else, its errors have words, and predicting a row allocates nothing.
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

prefix, root, scratch = (pathlib.Path(path).resolve() for path in sys.argv[1:4])
STRICT = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1"]
libraries = next(prefix.rglob("libardent.so")).parent
environment = {
    **os.environ,
    "PKG_CONFIG_PATH": str(libraries / "pkgconfig"),
    "LD_LIBRARY_PATH": str(libraries),
}


def run(*command, **options):
    done = subprocess.run(
        [str(word) for word in command], text=True, capture_output=True, env=environment, **options
    )
    return done.returncode, done.stdout, done.stderr


def output(*command, **options):
    status, out, err = run(*command, **options)
    if status != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{out}{err}")
    return out


def compiled(source):
    flags = shlex.split(output("pkg-config", "--cflags", "--libs", "ardent-c"))
    program = scratch / source.stem
    output("cc", *STRICT, source, "-o", program, *flags)
    return program


def trained():
    """Models by name, with the table that each predicts, and what the command says."""
    iris = (root / "data/iris.csv").read_text().splitlines()
    numbers = [",".join(line.split(",")[:4]) for line in iris]
    (scratch / "inputs.csv").write_text("\n".join(numbers) + "\n")
    three = [",".join(line.split(",")[:3]) for line in numbers]
    (scratch / "three.csv").write_text("\n".join(three) + "\n")
    (scratch / "lengths.csv").write_text("\n".join(numbers) + "\n")
    for name, arguments in {
        "pairs": ["data/iris.csv", "--map", "rbf"],
        "rest": ["data/iris.csv", "--map", "elm", "--multiclass", "ovr"],
        "mean": ["lengths.csv", "--label", "petal width", "--map", "rbf", "--task", "regression"],
    }.items():
        data = scratch / arguments[0] if name == "mean" else root / arguments[0]
        model = scratch / f"{name}.model"
        output(prefix / "bin/ardent", "train", data, *arguments[1:], "-o", model)
        table = scratch / ("three.csv" if name == "mean" else "inputs.csv")
        said = output(prefix / "bin/ardent", "predict", model, table, "--json")
        yield name, model, table, json.loads(said)


def differences(printed, said):
    lines = printed.splitlines()
    rows = len(said["predictions"])
    if len(lines) != rows:
        yield f"{len(lines)} lines instead of {rows}"
        return
    for i, line in enumerate(lines):
        words = line.split(" ")
        if "probabilities" in said:
            if words[0] != said["predictions"][i]:
                yield f"row {i}: {words[0]} instead of {said['predictions'][i]}"
            wanted, found = said["probabilities"][i], words[1:]
        else:
            wanted, found = [said["predictions"][i], said["sd"][i] ** 2], words
        if any(
            abs(float(f) - w) > 1e-12 * (1 + abs(w)) for f, w in zip(found, wanted, strict=True)
        ):
            yield f"row {i}: {found} instead of {wanted}"


def errors_of_c(models):
    program = compiled(root / "examples/predict_rows.c")
    counting = compiled(root / "tests/consumer/count_allocations.c")
    for name, model, table, said in models:
        rows = "\n".join(table.read_text().splitlines()[1:]) + "\n"
        for difference in differences(output(program, model, input=rows), said):
            yield f"C, {name}: {difference}"
        counted = output(counting, model)
        if counted != "0 allocations, 0 failures\n":
            yield f"{name}: {counted}"
    status, _, message = run(program, scratch / "none.model")
    if status != 1 or "none.model" not in message:
        yield f"a file that is not there: status {status}, {message!r}"
    status, _, message = run(program, root / "data/iris.csv")
    if status != 1 or "predict_rows: " not in message:
        yield f"a file that is no model: status {status}, {message!r}"


def errors_of_r(models):
    if not shutil.which("Rscript"):
        print("Rscript is not installed: the example in R was not run")
        return
    flags = {
        "PKG_CPPFLAGS": output("pkg-config", "--cflags", "ardent-c").strip(),
        "PKG_LIBS": output("pkg-config", "--libs", "ardent-c").strip(),
    }
    environment.update(flags)
    shutil.copy(root / "examples/r/ardent.c", scratch / "ardent.c")
    output("R", "CMD", "SHLIB", "ardent.c", cwd=scratch)
    for name, model, table, said in models:
        script = root / "examples/r/predict.R"
        printed = output("Rscript", "--vanilla", script, scratch / "ardent.so", model, table)
        for difference in differences(printed, said):
            yield f"R, {name}: {difference}"


def errors_of_symbols():
    header = (root / "include/ardent/ardent_c.h").read_text()
    promised = set(re.findall(r"^\S.*?\*?(ardent_\w+)\(", header, re.MULTILINE))
    listed = output("nm", "-D", "--defined-only", libraries / "libardent.so")
    exported = {line.split()[-1].split("@")[0] for line in listed.splitlines()}
    if exported != promised:
        yield f"exported, not promised: {sorted(exported - promised)[:9]}; missing: {sorted(promised - exported)}"


shutil.rmtree(scratch, ignore_errors=True)
scratch.mkdir(parents=True)
made = list(trained())
wrong = [*errors_of_symbols(), *errors_of_c(made), *errors_of_r(made)]
print("\n".join(wrong))
sys.exit(1 if wrong else 0)
