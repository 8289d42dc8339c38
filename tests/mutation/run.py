#!/usr/bin/env python3
"""Small faults in kernels, one at a time: do the tests notice?

run.py BUILD [--mutants N] [--seed S] [--kernel NAME ...] [--list]

BUILD compiles the kernels alone (ARDENT_ALONE, as `make mutation` does). A mutant is compiled, linked in front of the
library into the module's test program, and the tests that are about the kernel run until one fails or time is up: it
is killed; else it survived, and is printed. Of each kernel N mutants (25) are drawn by the seed. Those of
equivalent.txt, which change nothing that could be seen, are counted apart. Fails where fewer than 85% are killed.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import shlex
import subprocess
import sys
import time

from mutants import mutants_of, with_mutant

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEAST = 85
# Test program and its tests: those of the kernel itself first, then of what is built on it.
KERNELS = {
    "ardent/data/libsvm_block.cpp": ("data", ["Libsvm*:Number*"]),
    "ardent/inference/evidence/precision_update.cpp": (
        "inference",
        ["PrecisionUpdate.*:Exact.*", "ExactHazards.*:*Evidence*/exact:IterativeEngines.*"],
    ),
    "ardent/inference/doubly_sparse/collapsed_columns.cpp": (
        "inference",
        ["*CollapsedColumns*", "FeatureSwaps.*:*CollapsedSampler*"],
    ),
    "ardent/inference/coding/working_set.cpp": (
        "inference",
        ["WorkingSet.*:WeightedLasso.*", "ReweightedL1.*:LassoGroup.*"],
    ),
}


def equivalents():
    """{(file, line before, line after): reason}: of each four lines of equivalent.txt."""
    known = {}
    text = (pathlib.Path(__file__).parent / "equivalent.txt").read_text()
    for entry in text.split("\n\n"):
        lines = [line for line in entry.strip().split("\n") if not line.startswith("#")]
        if len(lines) >= 4:
            known[lines[0], lines[1].strip(), lines[2].strip()] = " ".join(lines[3:])
    return known


def compile_command(build, path):
    """How a source is compiled, alone or in a unit of several, and which word names the source."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["file"])
        in_unit = "Unity" in source.parts and f'"{path}"' in source.read_text()
        if source == path or in_unit:
            words = [w for w in shlex.split(entry["command"]) if w != "--coverage"]
            return words, words.index(entry["file"])
    sys.exit(f"{build} does not compile {path}")


class Kernel:
    """How one source is compiled, and the program with its tests is linked."""

    def __init__(self, name, build):
        self.name, self.build = name, build
        self.source = (ROOT / name).read_text()
        module, self.filters = KERNELS[name]
        self.program = f"bin/ardent_{module}_tests"
        self.compile, self.place = compile_command(build, ROOT / name)
        listed = subprocess.run(
            ["ninja", "-C", build, "-t", "commands", self.program], capture_output=True, text=True
        )
        link = listed.stdout.strip().split("\n")[-1]
        # ": && g++ ... && test discovery": the second part.
        self.link = shlex.split(link.split(" && ")[1])

    def build_with(self, source, folder):
        """The program, or what the compiler said (None: it did not compile)."""
        folder.mkdir(parents=True, exist_ok=True)
        text, compiled, program = folder / "mutant.cpp", folder / "mutant.o", folder / "tests"
        text.write_text(source)
        command = list(self.compile)
        command[command.index("-o") + 1] = str(compiled)
        command[self.place] = str(text)
        command += ["-O1", "-w", "-Wno-error"]
        if subprocess.run(command, cwd=self.build, capture_output=True).returncode != 0:
            return None
        command = list(self.link)
        command[command.index("-o") + 1] = str(program)
        first = next(k for k, word in enumerate(command) if word.endswith(".o"))
        # Where the library was not built for this, its own copy comes second. Positions are independent: nothing
        # of that copy is inlined into its callers but templates.
        command[first:first] = [str(compiled), "-Wl,-z,muldefs"]
        done = subprocess.run(command, cwd=self.build, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{self.name}: a mutant does not link\n{done.stderr[-2000:]}")
        return program

    def notices(self, program, limits):
        """Do its tests fail? `limits`: seconds for each filter, or None."""
        for place, chosen in enumerate(self.filters):
            try:
                done = subprocess.run(
                    [program, f"--gtest_filter={chosen}", "--gtest_fail_fast", "--gtest_brief=1"],
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    timeout=limits[place] if limits else None,
                    env=dict(os.environ, GCOV_PREFIX="/dev/null"),
                )
            except subprocess.TimeoutExpired:
                return True
            if done.returncode != 0:
                return True
        return False


def seconds_unchanged(kernel, folder):
    """Time limits, from the kernel as it is; its tests pass."""
    program = kernel.build_with(kernel.source, folder)
    if not program:
        sys.exit(f"{kernel.name} does not compile")
    limits = []
    for chosen in kernel.filters:
        start = time.monotonic()
        done = subprocess.run(
            [program, f"--gtest_filter={chosen}", "--gtest_brief=1"], capture_output=True, text=True
        )
        if done.returncode != 0:
            sys.exit(f"{kernel.name}: its tests fail without a mutant\n{done.stdout[-2000:]}")
        limits.append(10 + 5 * (time.monotonic() - start))
    return limits


def try_kernel(name, args, known):
    kernel = Kernel(name, args.build)
    folder = args.build / "mutants" / pathlib.PurePath(name).stem
    limits = seconds_unchanged(kernel, folder / "unchanged")
    mutants = mutants_of(kernel.source)
    random.Random(f"{args.seed} {name}").shuffle(mutants)
    same = [m for m in mutants if (name, m.before.strip(), m.after.strip()) in known]
    # Enough to replace those that do not compile.
    queue = [m for m in mutants if m not in same]

    def fate(place):
        program = kernel.build_with(
            with_mutant(kernel.source, queue[place]), folder / str(place % 64)
        )
        if not program:
            return None
        killed = kernel.notices(program, limits)
        program.unlink()
        return killed

    tried, stillborn, survivors, next_place = 0, 0, [], 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        while tried < args.mutants and next_place < len(queue):
            batch = range(next_place, min(next_place + min(args.mutants - tried, 16), len(queue)))
            next_place = batch.stop
            for place, killed in zip(batch, pool.map(fate, batch)):
                if killed is None:
                    stillborn += 1
                    continue
                tried += 1
                if not killed:
                    survivors.append(queue[place])
    for mutant in survivors:
        print(
            f"  {name}:{mutant.line} survived\n    {mutant.before.strip()}\n    {mutant.after.strip()}"
        )
    print(
        f"{name}: {tried - len(survivors)} of {tried} killed ({len(mutants)} possible, {len(same)} of them known to "
        f"change nothing, {stillborn} drawn that do not compile)",
        flush=True,
    )
    return tried, len(survivors)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", nargs="?", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--mutants", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--kernel", nargs="*", default=list(KERNELS))
    parser.add_argument("--list", action="store_true", help="print all mutants, try none")
    parser.add_argument(
        "--kernels", action="store_true", help="print the kernels' sources, for CMake"
    )
    args = parser.parse_args()
    if args.kernels:
        print(";".join(KERNELS))
        return 0
    if args.list:
        for name in args.kernel:
            for mutant in mutants_of((ROOT / name).read_text()):
                print(
                    f"{name}:{mutant.line}\n    {mutant.before.strip()}\n    {mutant.after.strip()}"
                )
        return 0
    known = equivalents()
    results = [try_kernel(name, args, known) for name in args.kernel]
    tried, survived = (sum(column) for column in zip(*results))
    share = 100 * (tried - survived) / max(1, tried)
    print(f"{len(results)} kernels, {tried} mutants, {tried - survived} killed: {share:.0f}%")
    return 0 if share >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
