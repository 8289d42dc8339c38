#!/usr/bin/env python3
"""Exported models on a Cortex-M4: devices.py COMMAND ROOT SCRATCH.

Models are trained and exported by the command, compiled by arm-none-eabi-gcc, run by qemu-system-arm on
100 rows, and say what `ardent predict` says. Prints the bytes of flash that each takes (code, numbers
and what it needs of the C library) and the instructions per row.
"""

import csv
import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
CPU = ["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"]
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Os"]
SECTIONS = ["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]
ROWS = 100
NANOSECONDS_PER_TICK = 40  # of SysTick; an instruction takes one with -icount shift=0

# name: data, options of train, options of export
MODELS = {
    "iris_rbf_float": ("iris.csv", ["--map", "rbf"], ["--real", "float"]),
    "iris_rbf_own_float": ("iris.csv", ["--map", "rbf"], ["--real", "float", "--exp", "own"]),
    "iris_rbf_double": ("iris.csv", ["--map", "rbf"], []),
    "tumour_linear_float": ("breast_cancer.csv", [], ["--real", "float"]),
    "tumour_plug_in_float": (
        "breast_cancer.csv",
        [],
        ["--real", "float", "--exp", "own", "--probability", "plug-in"],
    ),
    "tumour_rbf_float": ("breast_cancer.csv", ["--map", "rbf"], ["--real", "float"]),
    "wine_elm_float": ("wine.csv", ["--map", "elm"], ["--real", "float"]),
    "width_rbf_float": (
        "lengths.csv",
        ["--map", "rbf", "--task", "regression", "--label", "petal width"],
        ["--real", "float", "--variance", "weights"],
    ),
    "width_linear_double": (
        "lengths.csv",
        ["--task", "regression", "--label", "petal width"],
        [],
    ),
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


def differences(name, said, printed, tolerance):
    for i, numbers in enumerate(printed):
        if "probabilities" in said:
            wanted = said["probabilities"][i]
            if said["labels"][int(numbers[0])] != said["predictions"][i]:
                yield f"{name}, row {i}: another class"
        else:
            wanted = [said["predictions"][i], said["sd"][i] ** 2]
            if "rbf" in name:  # the variance of the weights is another than predict's
                wanted = wanted[:1]
        for found, w in zip(numbers[1:], wanted):
            if abs(found - w) > tolerance * (1 + abs(w)):
                yield f"{name}, row {i}: {found} instead of {w}"


def main():
    command, root, scratch = (pathlib.Path(path).resolve() for path in sys.argv[1:4])
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    iris = (root / "data/iris.csv").read_text().splitlines()
    (scratch / "lengths.csv").write_text("\n".join(",".join(s.split(",")[:4]) for s in iris))
    wrong = []
    print("| model | kernels | flash, bytes | stack, bytes | instructions per row |")
    print("|---|---|---|---|---|")
    for name, (data, training, exporting) in MODELS.items():
        path = scratch / data if data == "lengths.csv" else root / "data" / data
        model = scratch / f"{name}.model"
        output(command, "train", path, *training, "-o", model)
        about = json.loads(
            output(command, "export", model, *exporting, "-o", scratch / f"{name}.h", "--json")
        )
        label = "petal width" if "petal width" in training else None
        rows, chosen = rows_of(path, label)
        with open(scratch / "chosen.csv", "w", newline="") as file:
            writer = csv.DictWriter(file, list(chosen[0]))
            writer.writeheader()
            writer.writerows(chosen)
        asked = ["--plug-in"] if "plug-in" in exporting else []
        predicted = output(command, "predict", model, scratch / "chosen.csv", "--json", *asked)
        said = json.loads(predicted)
        write_rows(rows, scratch)
        real = "float" if "float" in exporting else "double"
        classes = len(said.get("labels", []))
        header, call = adapter(scratch, name, classes, real)
        printed, instructions = run_on_device(scratch, header, classes or 2, call, real)
        flash = flash_bytes(scratch, header, call, real)
        print(f"| {name} | {about['basis_functions']} | {flash:,} | {about['stack_bytes']:,} "
              f"| {instructions:,.0f} |")  # fmt: skip
        tolerance = 1e-12 if real == "double" else max(1e-6, about["rounding"])
        if len(printed) != ROWS:
            wrong.append(f"{name}: {len(printed)} rows")
        wrong += differences(name, said, printed, tolerance)
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
