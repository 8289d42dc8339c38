#!/usr/bin/env python3
"""Instructions of eight kernels on fixed inputs, beside those recorded: a guard without a clock.

    bench/guard.py PROGRAM [--renew]

PROGRAM is the guard that -DARDENT_BENCH=ON builds; valgrind counts the instructions of each kernel.
A count more than 3% above the one in guard.json fails; --renew writes that file anew. Counts belong to
the default build (x86-64-v3) and to the compiler that guard.json names: another one's are shown, and
prove nothing.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

RECORD = pathlib.Path(__file__).with_suffix(".json")
TOLERANCE = 0.03


def count(program, kernel):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "out")
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--toggle-collect=guard_kernel"]
            + [f"--callgrind-out-file={out}", program, kernel],
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            sys.exit(done.stderr)
        found = re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.MULTILINE)
    if not found or int(found[1]) == 0:
        sys.exit(f"{kernel}: valgrind counted nothing")
    return int(found[1])


def compiler():
    return subprocess.run(["c++", "--version"], capture_output=True, text=True).stdout.split("\n")[
        0
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--renew", action="store_true", help="write guard.json anew")
    arguments = parser.parse_args()
    kernels = subprocess.run([arguments.program], capture_output=True, text=True, check=True)
    counts = {kernel: count(arguments.program, kernel) for kernel in kernels.stdout.split()}
    if arguments.renew:
        record = {"compiler": compiler(), "instructions": counts}
        RECORD.write_text(json.dumps(record, indent=2) + "\n")
    record = json.loads(RECORD.read_text())
    slower = []
    print(f"{'kernel':18}{'instructions':>14}{'recorded':>14}{'ratio':>8}")
    for kernel, instructions in counts.items():
        before = record["instructions"].get(kernel)
        ratio = instructions / before if before else float("nan")
        print(f"{kernel:18}{instructions:14}{before or '-':>14}{ratio:8.3f}")
        if not ratio <= 1 + TOLERANCE:
            slower.append(kernel)
        elif ratio < 1 - TOLERANCE:
            print(f"  {kernel} takes fewer: make bench-guard RENEW=1 records it")
    if record["compiler"] != compiler():
        print(f"recorded with {record['compiler']}; this is {compiler()}: no verdict")
        return 0
    if slower:
        print(f"over {TOLERANCE:.0%} more instructions than recorded: {', '.join(slower)}")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
