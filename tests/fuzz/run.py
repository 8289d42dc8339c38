#!/usr/bin/env python3
"""Runs the fuzzer on every reader, from the corpora of this folder.

run.py FUZZER SECONDS FOLDER [READER ...]

What breaks a reader is left in FOLDER as READER-crash-...; put it into tests/fuzz/corpus/READER once it
is fixed. New inputs that reach further go to FOLDER/READER.
"""

import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
JSON = {"cache", "model", "checkpoint", "journal"}
LIMITS = ["-malloc_limit_mb=512", "-rss_limit_mb=2500", "-timeout=20", "-max_len=16384"]


def fuzz(fuzzer, reader, seconds, folder):
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
    print(f"{reader}: {count} inputs in {seconds} s, {state}", flush=True)
    if done.returncode != 0:
        print(done.stderr[-4000:], flush=True)
    return done.returncode == 0, count


def main():
    fuzzer, seconds, folder = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3])
    readers = sys.argv[4:] or sorted(path.name for path in (HERE / "corpus").iterdir())
    folder.mkdir(parents=True, exist_ok=True)
    results = [fuzz(fuzzer, reader, seconds, folder) for reader in readers]
    failed = sum(not clean for clean, _ in results)
    total = sum(count for _, count in results)
    print(f"{len(results)} readers, {total} inputs, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
