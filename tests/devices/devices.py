#!/usr/bin/env python3
"""Exported models on a Cortex-M4: devices.py COMMAND ROOT SCRATCH.

Models are trained and exported by the command, compiled by arm-none-eabi-gcc, run by qemu-system-arm on
100 rows, and say what `ardent predict` says: to 1e-12 in double, to 1e-6 in float, by plain float to what
the command says that rounding may move f by. Prints the bytes of flash that each takes (code, numbers
and what it needs of the C library), the instructions per row, and the largest error.
"""

import csv
import json
import pathlib
import shutil
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
CPU = ["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"]
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Os"]
SECTIONS = ["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]
ROWS = 100
NANOSECONDS_PER_TICK = 40  # of SysTick; an instruction takes one with -icount shift=0

FLOAT, PLAIN = ["--real", "float"], ["--real", "float", "--arithmetic", "plain"]
WIDTH = ["--task", "regression", "--label", "petal width"]
WEIGHTS = ["--variance", "weights"]

# name: data, options of train, options of export whatever the arithmetic
MODELS = {
    "iris, linear": ("iris.csv", [], []),
    "iris, rbf": ("iris.csv", ["--map", "rbf"], []),
    "iris, elm": ("iris.csv", ["--map", "elm", "--multiclass", "ovr"], []),
    "breast_cancer, linear": ("breast_cancer.csv", [], []),
    "breast_cancer, linear, plug-in": ("breast_cancer.csv", [], ["--probability", "plug-in"]),
    "breast_cancer, rbf": ("breast_cancer.csv", ["--map", "rbf"], []),
    "breast_cancer, elm": ("breast_cancer.csv", ["--map", "elm"], []),
    "wine, linear": ("wine.csv", [], []),
    "wine, rbf": ("wine.csv", ["--map", "rbf"], []),
    "wine, elm": ("wine.csv", ["--map", "elm"], []),
    "petal width, linear": ("lengths.csv", WIDTH, []),
    "petal width, rbf": ("lengths.csv", ["--map", "rbf", *WIDTH], WEIGHTS),
    "petal width, elm": ("lengths.csv", ["--map", "elm", *WIDTH], WEIGHTS),
}
# What each is exported in: words of the table, options, bound of the error.
ARITHMETICS = {
    "float": (FLOAT, 1e-6),
    "float, plain, exp of newlib": ([*PLAIN, "--exp", "libm"], None),
    "float, plain, own exp": ([*PLAIN, "--exp", "own"], None),
    "double": ([], 1e-12),
}


def output(*command, **options):
    done = subprocess.run(
        [str(word) for word in command], text=True, capture_output=True, **options
    )
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def rows_of(path, label):
    """The first 100 rows, evenly spaced, without the label."""
    with open(path) as file:
        table = list(csv.DictReader(file))
    label = label or list(table[0])[-1]
    chosen = [table[i * len(table) // ROWS] for i in range(ROWS)]
    return [[float(v) for name, v in row.items() if name != label] for row in chosen], chosen


def write_rows(rows, folder):
    lines = ",\n".join("{" + ",".join(map(repr, row)) + "}" for row in rows)
    (folder / "rows.h").write_text(
        f"#define ROWS {len(rows)}\n#define COLUMNS {len(rows[0])}\n"
        f"static const double rows[ROWS][COLUMNS] = {{\n{lines}\n}};\n"
    )


def defines(header, outputs, call, real):
    return [
        f'-DHEADER="{header}"',
        f"-DOUTPUTS={outputs}",
        f"-DCALL={call}",
        f"-DREAL={real}",
    ]


def flash_bytes(folder, header, call, real, strict=True):
    """Of a program that has the call and nothing else: code, constants, its part of the library."""
    (folder / "alone.c").write_text(
        f'#include "{header}"\nint alone(const {real} *x, {real} *out);\n'
        f"int alone(const {real} *x, {real} *out)\n{{\n    return {call}(x, out);\n}}\n"
    )
    flags = STRICT if strict else ["-std=c99", "-Os", "-w"]
    output("arm-none-eabi-gcc", *CPU, *flags, *SECTIONS, "-nostartfiles", "-Wl,-e,alone",
           "alone.c", "-o", "alone.elf", "-lm", cwd=folder)  # fmt: skip
    text, data = output("arm-none-eabi-size", "alone.elf", cwd=folder).splitlines()[1].split()[:2]
    return int(text) + int(data)


def run_on_device(folder, header, outputs, call, real):
    """Printed numbers by row, and instructions per row."""
    output("arm-none-eabi-gcc", *CPU, "-std=c99", "-Os", *SECTIONS, "-w", "--specs=rdimon.specs",
           "-nostartfiles", "-T", HERE / "cortex_m4.ld", *defines(header, outputs, call, real),
           "-I", folder, HERE / "start.c", HERE / "rows.c",
           "-o", "rows.elf", "-lm", cwd=folder)  # fmt: skip
    printed = output("qemu-system-arm", "-M", "mps2-an386", "-nographic", "-semihosting",
                     "-icount", "shift=0", "-kernel", "rows.elf", cwd=folder,
                     stdin=subprocess.DEVNULL, timeout=120).splitlines()  # fmt: skip
    numbers = [[float(word) for word in line.split()] for line in printed[:-1]]
    return numbers, int(printed[-1].split()[0]) * NANOSECONDS_PER_TICK / len(numbers)


def adapter(folder, name, classes, real):
    """One form of call for all: returns the class, or 0 with mean and variance."""
    header = f"{name}_call.h"
    call = (
        f"return {name}_probabilities(x, out);"
        if classes
        else f"out[0] = {name}_moments(x, &out[1]); return 0;"
    )
    (folder / header).write_text(
        f'#include "{name}.h"\nstatic inline int {name}_call(const {real} *x, {real} *out)\n'
        f"{{\n    {call}\n}}\n"
    )
    return header, f"{name}_call"


def largest_difference(said, printed, weights_alone):
    """Between what the device printed and what predict says, relative where that is beyond 1."""
    largest = 0
    for i, numbers in enumerate(printed):
        if "probabilities" in said:
            wanted = said["probabilities"][i]
        else:  # with `--variance weights` the variance is another than predict's
            wanted = [said["predictions"][i], said["sd"][i] ** 2][: 1 if weights_alone else 2]
        for found, w in zip(numbers[1:], wanted):
            largest = max(largest, abs(found - w) / (1 + abs(w)))
    return largest


def other_classes(said, printed):
    """Rows whose class is not predict's, but for classes that are equally probable to 1e-6."""
    if "probabilities" not in said:
        return 0
    other = 0
    for i, numbers in enumerate(printed):
        first, second = sorted(said["probabilities"][i])[:-3:-1]
        other += said["labels"][int(numbers[0])] != said["predictions"][i] and first - second > 1e-6
    return other


def chosen_rows(path, label, scratch):
    """Rows as the code takes them, and a file with the same. What float cannot hold is rounded before: the
    inputs that are compared are the same."""
    rows, chosen = rows_of(path, label)
    rows = [[struct.unpack("f", struct.pack("f", value))[0] for value in row] for row in rows]
    label = label or list(chosen[0])[-1]
    with open(scratch / "chosen.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(chosen[0])
        for row, values in zip(chosen, rows):
            values = iter(values)
            writer.writerow([v if name == label else next(values) for name, v in row.items()])
    return rows


def measure(command, scratch, model, stem, exporting, said):
    """What the command says of the code, what the device prints, instructions per row, bytes of flash."""
    exported = output(command, "export", model, *exporting, "-o", scratch / f"{stem}.h", "--json")
    real = "float" if "float" in exporting else "double"
    classes = len(said.get("labels", []))
    header, call = adapter(scratch, stem, classes, real)
    printed, instructions = run_on_device(scratch, header, classes or 2, call, real)
    return json.loads(exported), printed, instructions, flash_bytes(scratch, header, call, real)


def main():
    command, root, scratch = (pathlib.Path(path).resolve() for path in sys.argv[1:4])
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    iris = (root / "data/iris.csv").read_text().splitlines()
    (scratch / "lengths.csv").write_text("\n".join(",".join(s.split(",")[:4]) for s in iris))
    wrong = []
    print(
        "| model | kernels | code | flash, bytes | stack, bytes | instructions per row | largest error |"
    )
    print("|---|---|---|---|---|---|---|")
    for name, (data, training, exporting) in MODELS.items():
        path = scratch / data if data == "lengths.csv" else root / "data" / data
        stem = name.replace(", ", "_").replace(" ", "_").replace("-", "_")
        model = scratch / f"{stem}.model"
        output(command, "train", path, *training, "-o", model)
        rows = chosen_rows(path, "petal width" if WIDTH[-1] in training else None, scratch)
        write_rows(rows, scratch)
        asked = ["--plug-in"] if "plug-in" in exporting else []
        said = json.loads(
            output(command, "predict", model, scratch / "chosen.csv", "--json", *asked)
        )
        for k, (words, (options, bound)) in enumerate(ARITHMETICS.items()):
            about, printed, instructions, flash = measure(
                command, scratch, model, f"{stem}_{k}", [*exporting, *options], said
            )
            error = largest_difference(said, printed, "weights" in exporting)
            print(f"| {name} | {about['basis_functions']} | {words} | {flash:,} | {about['stack_bytes']:,} "
                  f"| {instructions:,.0f} | {error:.0e} |", flush=True)  # fmt: skip
            if len(printed) != ROWS or other_classes(said, printed):
                wrong.append(f"{name}, {words}: {len(printed)} rows, other classes")
            if error > (bound or max(1e-6, about["rounding"])):
                wrong.append(f"{name}, {words}: off by {error:.1e}")
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
