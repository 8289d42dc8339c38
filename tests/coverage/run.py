#!/usr/bin/env python3
"""Which lines and branches of the library the tests run.

run.py BUILD GCOVR [--least PERCENT] [--reuse] [--show FOLDER_OR_FILE]

Runs every test program of BUILD (a build with ARDENT_COVERAGE) and prints, per module, the share of lines and of
branches that ran; fails where less than PERCENT (90) of the lines of ardent/ did. --reuse counts what earlier
runs left; --show lists the lines that never ran. Branches that only an exception takes are not counted. Not built
here and so not counted: ardent/cuda/card (needs a card) and what needs MPI. Tests that fail in this build, which is
compiled otherwise than the released one, are named; `make test` is what judges them.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(program):
    start = time.monotonic()
    done = subprocess.run(
        [program, "--gtest_brief=1"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    state = "passed" if done.returncode == 0 else f"FAILED (status {done.returncode})"
    print(f"{program.name}: {state}, {time.monotonic() - start:.0f} s", flush=True)
    if done.returncode != 0:
        print(done.stdout[-4000:], flush=True)


def run_all(build):
    for old in build.rglob("*.gcda"):
        old.unlink()
    programs = sorted((build / "bin").glob("ardent_*_tests"))
    if not programs:
        sys.exit(f"{build}/bin has no test programs")
    # The longest first.
    programs.sort(key=lambda p: ("inference" not in p.name, "estimators" not in p.name))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(run, programs))


def counted(build, gcovr):
    report = build / "coverage.json"
    subprocess.run(
        [gcovr, "--root", ROOT, "--object-directory", build, "--filter", f"{ROOT}/ardent/"]
        + ["--exclude-throw-branches", "--exclude-unreachable-branches"]
        + ["--merge-mode-functions", "separate", "--gcov-ignore-parse-errors", "all", "-j", "2"]
        + ["--json", report, str(build)],
        check=True,
        cwd=ROOT,
        stderr=subprocess.DEVNULL,  # counts of threads that ran into each other
    )
    return json.loads(report.read_text())["files"]


def lines_of(file):
    """{line: (how often it ran, {branch: how often})}, all instances of a template together."""
    lines = {}
    for line in file["lines"]:
        count, branches = lines.get(line["line_number"], (0, {}))
        for place, branch in enumerate(line["branches"]):
            branches[place] = branches.get(place, 0) + branch["count"]
        lines[line["line_number"]] = count + line["count"], branches
    return lines


class Count:
    def __init__(self):
        self.lines = self.lines_run = self.branches = self.branches_run = 0

    def add(self, lines):
        for count, branches in lines.values():
            self.lines += 1
            self.lines_run += count > 0
            self.branches += len(branches)
            self.branches_run += sum(taken > 0 for taken in branches.values())

    def text(self):
        def share(part, whole):
            return f"{100 * part / max(1, whole):5.1f}% of {whole}"

        return f"lines {share(self.lines_run, self.lines):<17} branches {share(self.branches_run, self.branches)}"


def module_of(path):
    parts = pathlib.PurePath(path).parts
    return "/".join(parts[: 3 if len(parts) > 3 else 2])


def stretches(numbers):
    """Consecutive numbers as FIRST-LAST."""
    runs = []
    for number in sorted(numbers):
        if runs and number <= runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return " ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in runs)


def report(files, show):
    modules, total = collections.defaultdict(Count), Count()
    worst = []
    for file in files:
        lines = lines_of(file)
        modules[module_of(file["file"])].add(lines)
        total.add(lines)
        missing = {number for number, (count, _) in lines.items() if count == 0}
        worst.append((len(missing), file["file"], missing))
    for name in sorted(modules):
        print(f"{name:<36} {modules[name].text()}")
    print("most lines that never ran:")
    for count, name, missing in sorted(worst, reverse=True, key=lambda w: w[:2])[:15]:
        if count:
            print(f"  {name}: {count} ({stretches(missing)[:120]})")
    for count, name, missing in sorted(worst, key=lambda w: w[1]):
        if show and name.startswith(show) and count:
            print(f"{name}: {stretches(missing)}")
    print(f"{'ardent':<36} {total.text()}")
    return 100 * total.lines_run / max(1, total.lines)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("gcovr")
    parser.add_argument("--least", type=float, default=90)
    parser.add_argument("--reuse", action="store_true")
    parser.add_argument("--show", default="")
    args = parser.parse_args()
    build = args.build.resolve()
    if not args.reuse:
        run_all(build)
    share = report(counted(build, args.gcovr), args.show)
    if share < args.least:
        print(f"{share:.1f}% of the lines ran, {args.least:g}% are asked for")
    return 0 if share >= args.least else 1


if __name__ == "__main__":
    sys.exit(main())
