#!/usr/bin/env python3
"""Kills a process of a training at random moments: the job ends, says where it can go on, and the
resumed model has the bytes of one that was left alone.

    killed.py ARDENT ARDENT_MPI SOURCE SCRATCH [--kills N] [--seed S] [--ranks P] [--engine NAME ...]

Each engine is killed so often, all of them where none is named. With --ranks 1 it is ardent that is
killed, and there are the engines that need all rows, too.
"""

import argparse
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

import ranks as ranks_script

PATIENCE = 60  # seconds until a job whose process was killed has ended
WORDS = ["words.svm", "--max-stages", 60, "--alpha-max", "1e9", "--checkpoint-stages", 3]
TEXT = ["words.svm", "--scale", "none", "--checkpoint-stages", 4]
ONE = ["--support-prior", "none", "--checkpoint-stages", 3]
SHARED = {
    "diagonal": [*WORDS, "--engine", "diagonal"],
    "path": ["pair.svm", *TEXT[1:], "--engine", "path", "--ridge", "off", "--reweightings", 1],
    "shrinkage": [*TEXT, "--engine", "shrinkage"],
}
ALONE = {
    "exact": ["rows.svm", "--engine", "exact", *ONE],
    "exact, after folds": ["rows.svm", "--checkpoint-stages", 3],
    "sequential": ["rows.svm", "--engine", "sequential", *ONE[:2], "--checkpoint-stages", 1],
    "growing": ["words.svm", "--map", "rbf", "--sigma", 5, "--centres", 700]
    + ["--engine", "growing", "--checkpoint-stages", 1],
    "three classes": ["classes.svm", "--engine", "shrinkage", "--checkpoint-stages", 2],
}


def children(parent):
    """The processes that mpirun has started here."""
    found = []
    for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            text = status.read_text()
        except OSError:
            continue
        if int(text.rpartition(")")[2].split()[1]) == parent:
            found.append(int(status.parent.name))
    return found


def command(ranks, count, words):
    if count == 1:
        return [ranks.ardent, *words, "--threads", "1"]
    mpirun = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "btl", "self,vader"]
    return [*mpirun, "--mca", "mpi_yield_when_idle", "1", "-n", count, ranks.mpi, *words]


def train(ranks, count, words, kill_after=None, generator=None):
    """Status and standard error; a process is killed after so many seconds, if it still runs."""
    job = subprocess.Popen(
        list(map(str, command(ranks, count, words))),
        cwd=ranks.folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    if kill_after is not None:
        time.sleep(kill_after)
        victims = [job.pid] if count == 1 else children(job.pid)
        if victims and job.poll() is None:
            try:
                os.kill(generator.choice(victims), signal.SIGKILL)
            except ProcessLookupError:
                pass  # it was quicker
    try:
        _, errors = job.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        job.kill()
        sys.exit(f"{PATIENCE} s after a process was killed the others still wait")
    return job.returncode, errors


def main():
    parser = argparse.ArgumentParser()
    for name in ("ardent", "ardent_mpi", "source", "scratch"):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--engine", nargs="*", default=[])
    arguments = parser.parse_args()
    ranks = ranks_script.Ranks(arguments)
    generator = random.Random(arguments.seed)
    synth = ["--rows", 4000, "--columns", 20000, "--nonzeros", 40, "-o", "words.svm"]
    ranks.checked(ranks.alone("synth", *synth))
    ranks_script.write_regression(ranks.folder / "rows.svm", 900, 250, 1)
    ranks_script.write_text(ranks.folder / "classes.svm", 1500, 4000, 3, 2)
    ranks_script.write_text(ranks.folder / "pair.svm", 800, 2000, 2, 3)
    jobs = SHARED if arguments.ranks > 1 else SHARED | ALONE
    for name in arguments.engine or jobs:
        check_engine(ranks, name, ["train", *jobs[name]], arguments, generator)


def check_engine(ranks, name, fit, arguments, generator):
    alone = [*fit, "-o", "alone.model", "--checkpoint", "alone.checkpoint"]
    begin = time.monotonic()
    status, errors = train(ranks, arguments.ranks, alone)
    seconds = time.monotonic() - begin
    if status != 0:
        sys.exit(errors)
    wanted = ranks_script.sha(ranks.folder / "alone.model")
    model, checkpoint = ranks.folder / "killed.model", ranks.folder / "killed.checkpoint"
    killed = named = 0
    while killed < arguments.kills:
        model.unlink(missing_ok=True)
        checkpoint.unlink(missing_ok=True)
        words = [*fit, "-o", model.name, "--checkpoint", checkpoint.name, "--resume"]
        status, errors = train(
            ranks, arguments.ranks, words, generator.uniform(0, seconds), generator
        )
        if status == 0:
            continue  # it was done before
        if model.exists():  # it was done but for its farewell
            if ranks_script.sha(model) != wanted:
                sys.exit("a killed training left another model")
            continue
        killed += 1
        named += checkpoint.name in errors
        if arguments.ranks > 1 and checkpoint.exists() and "noticed that process" not in errors:
            sys.exit(f"nobody says which process was killed:\n{errors}")
        status, errors = train(ranks, arguments.ranks, words)
        if status != 0 or ranks_script.sha(model) != wanted:
            sys.exit(
                f"kill {killed}: the resumed training has status {status} or other bytes\n{errors}"
            )
    said = f", {named} of them after a checkpoint that was named" if arguments.ranks > 1 else ""
    print(f"{name}: {seconds:.2f} s left alone; {killed} kills{said}: the same bytes each time")


if __name__ == "__main__":
    main()
