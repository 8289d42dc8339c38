#!/usr/bin/env python3
"""Our LIBSVM reader beside LIBLINEAR's, in one run.

    bench/read_libsvm.py PROGRAM TEXT [--size MB] [--rounds N] [--output FILE.json]

PROGRAM is the read_libsvm that -DARDENT_BENCH=ON builds; TEXT a LIBSVM file, plain or .xz, which
is repeated until it has --size megabytes.

What is timed is the whole life of a process that reads the file, for all alike: start, reading,
memory for the result, exit. Wall-clock seconds are what a user waits for on a quiet machine; CPU
seconds (user and system, all threads) hardly change on a busy one. LIBLINEAR has no command that only reads, but `train` reads the whole
problem before it checks its parameters: with `-e 0` it stops there, having read and done nothing
else. (That its exit is this one, and not an earlier one, is checked.)

Rounds are interleaved and medians reported. In each round each reader runs twice and the second run
counts: on a virtual machine, memory that lay free for a while must be had back from the host, and
the first process to touch it would pay for the one before it.
"""

import argparse
import json
import lzma
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(command):
    """((wall-clock seconds, CPU seconds), the process)"""
    start, cpu = time.perf_counter(), cpu_seconds()
    done = subprocess.run(command, capture_output=True, text=True)
    return (time.perf_counter() - start, cpu_seconds() - cpu), done


def read_by_liblinear(train, path):
    seconds, done = timed([train, "-e", "0", path, "/dev/null"])
    if "eps <= 0" not in done.stderr + done.stdout:
        sys.exit(f"liblinear-train did not stop after reading: {done.stderr}{done.stdout}")
    return seconds


def read_by_us(program, path, threads):
    seconds, done = timed([program, path, str(threads)])
    if done.returncode != 0:
        sys.exit(done.stderr)
    return seconds


def write_repeated(source, path, megabytes):
    opener = lzma.open if source.endswith(".xz") else open
    with opener(source, "rb") as file:
        text = file.read()
    times = max(1, round(megabytes * 1e6 / len(text)))
    with open(path, "wb") as file:
        for _ in range(times):
            file.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("text")
    parser.add_argument("--size", type=float, default=300, help="megabytes (default 300)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--output", help="write the table as JSON, too")
    arguments = parser.parse_args()
    train = shutil.which("liblinear-train") or shutil.which("train")
    if not train:
        sys.exit("LIBLINEAR's train is not installed (Debian: liblinear-tools)")

    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder) / "data.libsvm")
        write_repeated(arguments.text, path, arguments.size)
        megabytes = pathlib.Path(path).stat().st_size / 1e6
        readers = {
            "LIBLINEAR": lambda: read_by_liblinear(train, path),
            "ardent, 1 thread": lambda: read_by_us(arguments.program, path, 1),
            "ardent, 2 threads": lambda: read_by_us(arguments.program, path, 2),
        }
        times = {name: [] for name in readers}
        for _ in range(arguments.rounds):
            for name, read in readers.items():
                read()
                times[name].append(read())

    def medians(name):
        return [statistics.median(column) for column in zip(*times[name])]

    peer_wall, peer_cpu = medians("LIBLINEAR")
    rows = []
    print(f"{pathlib.Path(arguments.text).name} repeated to {megabytes:.0f} MB, "
          f"median of {arguments.rounds} rounds")
    print(f"{'reader':18} {'seconds':>8} {'MB/s':>6} {'ratio':>6}   {'CPU s':>6} {'ratio':>6}")
    for name in readers:
        wall, cpu = medians(name)
        rows.append({"reader": name, "seconds": wall, "cpu_seconds": cpu,
                     "megabytes_per_second": megabytes / wall, "ratio": peer_wall / wall,
                     "cpu_ratio": peer_cpu / cpu, "rounds": times[name]})
        print(f"{name:18} {wall:8.3f} {megabytes / wall:6.0f} {peer_wall / wall:6.1f}   "
              f"{cpu:6.3f} {peer_cpu / cpu:6.1f}")
    if arguments.output:
        pathlib.Path(arguments.output).write_text(
            json.dumps({"megabytes": megabytes, "readers": rows}, indent=2) + "\n")


if __name__ == "__main__":
    main()
