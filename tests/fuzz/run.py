#!/usr/bin/env python3
"""Runs the fuzzer on every reader, from the corpora of this folder.

run.py FUZZER SECONDS FOLDER [--record] [READER ...]

--record adds inputs and minutes of CPU of clean runs to record.csv, which says how long each reader has been fuzzed
altogether. What breaks a reader is left in FOLDER as READER-crash-...; put it into tests/fuzz/corpus/READER once it
is fixed. New inputs that reach further go to FOLDER/READER.
"""

import os
import pathlib
import re
import resource
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
JSON = {"cache", "model", "checkpoint", "journal"}
LIMITS = ["-malloc_limit_mb=512", "-rss_limit_mb=2500", "-timeout=20", "-max_len=16384"]


def cpu_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def fuzz(fuzzer, reader, seconds, folder):
    """Was it clean, how many inputs, how many seconds of CPU."""
    before = cpu_of_children()
    found = folder / reader
    found.mkdir(parents=True, exist_ok=True)
    words = HERE / ("json.dict" if reader in JSON else "text.dict")
    done = subprocess.run(
        [fuzzer, *LIMITS, f"-max_total_time={seconds}", f"-dict={words}", "-print_final_stats=1"]
        + [f"-artifact_prefix={folder}/{reader}-", str(found), str(HERE / "corpus" / reader)],
        env=dict(os.environ, ARDENT_FUZZ_READER=reader, TBB_NUM_THREADS="1"),
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    )
    runs = re.search(r"number_of_executed_units: (\d+)", done.stderr)
    count = int(runs.group(1)) if runs else 0
    state = "clean" if done.returncode == 0 else f"FAILED (status {done.returncode})"
    cpu = cpu_of_children() - before
    print(f"{reader}: {count} inputs in {seconds} s, {cpu:.0f} s of CPU, {state}", flush=True)
    if done.returncode != 0:
        print(done.stderr[-4000:], flush=True)
    return done.returncode == 0, count, cpu


def add_to_record(readers, results):
    """reader,inputs,minutes of CPU of all runs that were recorded."""
    path = HERE / "record.csv"
    rows = [line.split(",") for line in path.read_text().splitlines()[1:]] if path.exists() else []
    record = {name: (int(inputs), float(minutes)) for name, inputs, minutes in rows}
    for reader, (clean, count, cpu) in zip(readers, results):
        if clean:
            inputs, minutes = record.get(reader, (0, 0.0))
            record[reader] = inputs + count, minutes + cpu / 60
    lines = [f"{name},{inputs},{minutes:.1f}" for name, (inputs, minutes) in sorted(record.items())]
    path.write_text("\n".join(["reader,inputs,minutes", *lines]) + "\n")


def main():
    words = [word for word in sys.argv[1:] if word != "--record"]
    fuzzer, seconds, folder = words[0], int(words[1]), pathlib.Path(words[2])
    readers = words[3:] or sorted(path.name for path in (HERE / "corpus").iterdir())
    folder.mkdir(parents=True, exist_ok=True)
    results = [fuzz(fuzzer, reader, seconds, folder) for reader in readers]
    if "--record" in sys.argv:
        add_to_record(readers, results)
    failed = sum(not clean for clean, _, _ in results)
    total = sum(count for _, count, _ in results)
    print(f"{len(results)} readers, {total} inputs, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
