#!/usr/bin/env python3
"""larger_than_memory.py COMMAND FOLDER [LIMIT_MIB]: work on data of four times the memory allowed.

COMMAND is build/bin/ardent; in FOLDER (not one in memory) planted text is made whose cache is four times
the limit. `convert` and `train` run on it twice: with all the memory that there is, and in a control
group whose memory is limited, with --memory of four fifths of that. Prints for each the time and the
peaks: of the process (VmHWM) and of the group (which counts the disk cache that the work itself
brought in). Outputs of both must be the same bytes; exits with 1 where they are not.

The group is a child of the one that this process is in (version 2 or 1 of control groups; needs the
right to make one). Where there is none RLIMIT_DATA takes its place, which limits memory of
the process but not its disk cache; the heading says which it was.
"""

import contextlib
import os
import pathlib
import resource
import subprocess
import sys
import time

MEBIBYTE = 2**20
ENTRY_BYTES = 16  # of a cache: row, column and a value twice
NONZEROS = 800


def parent_group():
    """(version, folder) of the memory group of this process; None where there is none."""
    for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
        number, kinds, path = line.split(":", 2)
        first = pathlib.Path("/sys/fs/cgroup/memory" + path)
        second = pathlib.Path("/sys/fs/cgroup" + path)
        if "memory" in kinds.split(",") and (first / "memory.limit_in_bytes").exists():
            return 1, first
        if number == "0" and "memory" in _words(second / "cgroup.subtree_control"):
            return 2, second
    return None


def _words(path):
    return path.read_text().split() if path.exists() else []


@contextlib.contextmanager
def group(limit):
    """A group of its own with this limit; None where it cannot be made."""
    found = parent_group()
    if not found:
        yield None
        return
    version, parent = found
    own = parent / f"ardent-{os.getpid()}"
    try:
        own.mkdir()
    except OSError:
        yield None
        return
    try:
        name = "memory.limit_in_bytes" if version == 1 else "memory.max"
        (own / name).write_text(str(limit))
        yield own
    finally:
        own.rmdir()


def run(arguments, own_group=None, data_limit=None):
    """(seconds, peak of the process, peak of the group) of a command."""

    def enter():
        if own_group:
            (own_group / "cgroup.procs").write_text(str(os.getpid()))
        elif data_limit:
            resource.setrlimit(resource.RLIMIT_DATA, (data_limit, data_limit))

    start = time.monotonic()
    # Its messages come with an error alone.
    process = subprocess.Popen(
        arguments, preexec_fn=enter, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    messages = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    if status != 0:
        sys.exit(f"{' '.join(arguments)}: status {status}\n{messages}")
    peak = 0
    for name in ("memory.max_usage_in_bytes", "memory.peak"):
        if own_group and (own_group / name).exists():
            peak = int((own_group / name).read_text())
    return seconds, usage.ru_maxrss * 1024, peak


def warm(path):
    with open(path, "rb") as file:
        while file.read(2**24):
            pass


def same(a, b):
    return subprocess.run(["cmp", "--silent", a, b]).returncode == 0


def compare(name, free, limited, sources, limit):
    """Both commands, whose last argument is their output; a row of the table."""
    for path in sources:
        warm(path)
    all_memory = run(free)
    for path in sources:
        warm(path)
    with group(limit) as own:
        little = run(limited, own, limit)
    equal = same(free[-1], limited[-1])
    print(
        f"| {name} | {all_memory[0]:.1f} | {all_memory[1] / MEBIBYTE:.0f} | {little[0]:.1f} "
        f"| {little[1] / MEBIBYTE:.0f} | {little[2] / MEBIBYTE:.0f} | {little[0] / all_memory[0]:.2f} "
        f"| {'yes' if equal else 'NO'} |",
        flush=True,
    )
    return equal


def main():
    command, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    limit = int(sys.argv[3] if len(sys.argv) > 3 else 128) * MEBIBYTE
    entries = 4 * limit // ENTRY_BYTES
    rows = entries * 21 // 20 // NONZEROS
    text, cache = folder / "rows.libsvm", folder / "rows.cache"
    threads = ["--threads", "1"]
    subprocess.run(
        [
            command,
            "synth",
            "--rows",
            str(rows),
            "--columns",
            str(2 * rows),
            "--nonzeros",
            str(NONZEROS),
        ]
        + [*threads, "-o", str(text)],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    memory = ["--memory", f"{limit * 4 // 5 // MEBIBYTE}M"]
    with group(limit) as own:
        kind = f"control group {own.parent}" if own else "RLIMIT_DATA (no control group here)"
    good = []
    work = []
    for options in (
        "--engine shrinkage --scale none",
        "--engine shrinkage",  # with automatic scaling: rms
        "--engine diagonal --max-stages 3 --scale none",
        "--engine diagonal --max-stages 3 --scale rms",
    ):
        work.append((f"train {options}", ["train", str(cache), *options.split()]))

    def both(name, arguments, sources):
        outputs = [str(folder / f"{kind}.out") for kind in ("free", "limited")]
        free = [command, *arguments, *threads, "--memory", "none", "-o", outputs[0]]
        limited = [command, *arguments, *threads, *memory, "-o", outputs[1]]
        good.append(compare(name, free, limited, sources, limit))
        return outputs[0]

    print(
        f"{rows} rows, {entries / 1e6:.0f} million entries; limit {limit // MEBIBYTE} MiB by {kind}\n"
    )
    print("| work | s | peak MiB | s limited | peak MiB | of the group | times | same bytes |")
    print("|---|---|---|---|---|---|---|---|")
    os.replace(both("convert", ["convert", str(text)], [text]), cache)
    for name, arguments in work:
        both(name, arguments, [cache])
    size = cache.stat().st_size
    print(f"\nthe cache has {size // MEBIBYTE} MiB, {size / limit:.1f} times the limit")
    for path in folder.glob("*.out"):
        path.unlink()
    sys.exit(not all(good))


main()
