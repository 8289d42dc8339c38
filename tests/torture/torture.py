#!/usr/bin/env python3
"""Kills, full and read-only disks, failing calls, signals, closed pipes and vanished inputs, for every command that
writes a file. After each the output is the old file or the complete new one, nothing else is left
in the folder, an error is a line on standard error with status 1, and resumable jobs resume to the
same bits.

    torture.py COMMAND SOURCE LIBRARY [--kills N] [--seed S]

COMMAND is ardent, SOURCE its source tree, LIBRARY the built failing_files.cpp.
"""

import argparse
import collections
import errno
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import jobs

OLD = b"what was there before\n"
FAULTS = [
    ("fwrite", errno.ENOSPC),
    ("fwrite", errno.EIO),
    ("short", errno.ENOSPC),
    ("fflush", errno.ENOSPC),
    ("fsync", errno.EIO),
    ("fclose", errno.EIO),
    ("rename", errno.EIO),
]


class Torture:
    def __init__(self, command, source, library, seed):
        self.command = str(command)
        self.random = random.Random(seed)
        self.counts = collections.Counter()
        self.problems = []
        self.root = tempfile.TemporaryDirectory(prefix="ardent-torture-")
        self.folder = pathlib.Path(self.root.name)
        # LD_PRELOAD is a list that blanks separate: the build's folder may have one in its name.
        self.preloads = tempfile.TemporaryDirectory(prefix="ardent-torture-", dir="/tmp")
        self.library = shutil.copy(library, self.preloads.name)
        jobs.make_inputs(self.command, pathlib.Path(source), self.folder)
        self.inputs = {path.name for path in self.folder.iterdir()}

    def complain(self, job, what):
        self.problems.append(f"{job.name}: {what}")
        print(f"FAILED {job.name}: {what}", flush=True)

    def words(self, job):
        return [self.command, *job.words, "--threads", "1"]

    def run(self, job, **more):
        """With `more` of the environment or of subprocess.run."""
        env = dict(os.environ, **more.pop("env", {}))
        return subprocess.run(
            self.words(job), cwd=self.folder, env=env, capture_output=True, timeout=120, **more
        )

    def is_state(self, job, name):
        """Of several models each has a file: chains.1, chains.2, ..."""
        return job.state != "" and name.split(".")[0] == job.state.split(".")[0]

    def forget_state(self, job):
        for path in self.folder.iterdir():
            if self.is_state(job, path.name) and path.name not in self.inputs:
                path.unlink()

    def prepare(self, job, old):
        for path in self.folder.iterdir():
            if path.name not in self.inputs and not self.is_state(job, path.name):
                path.unlink()
        if old:
            for name in job.outputs:
                (self.folder / name).write_bytes(OLD)

    def check_files(self, job, new, old, what, complete_too=True):
        """Each output is the old one or complete, and there is nothing else."""
        for name in job.outputs:
            path = self.folder / name
            now = path.read_bytes() if path.exists() else None
            allowed = [OLD if old else None] + ([new[name]] if complete_too else [])
            if now not in allowed:
                size = "missing" if now is None else f"{len(now)} bytes"
                self.complain(job, f"{what}: {name} is neither old nor complete ({size})")
        expected = self.inputs | set(job.outputs)
        names = [path.name for path in self.folder.iterdir() if path.name not in expected]
        left = [name for name in names if not self.is_state(job, name)]
        if left:
            self.complain(job, f"{what}: left behind {left}")

    def check_error(self, job, done, what):
        text = done.stderr.decode(errors="replace")
        if done.returncode != 1 or "ardent: " not in text:
            self.complain(job, f"{what}: status {done.returncode}, said {text.strip()!r}")

    def kill(self, job, new, seconds):
        """SIGKILL at a random moment; a resumable job is killed again and again, then left to end."""
        old = self.random.random() < 0.5
        self.prepare(job, old)
        for _ in range(3 if job.state else 1):
            process = subprocess.Popen(
                self.words(job),
                cwd=self.folder,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            time.sleep(self.random.uniform(0, 1.1 * seconds))
            process.kill()
            process.wait()
            self.counts["kills"] += 1
            self.check_files(job, new, old, "SIGKILL")
        if job.state:
            done = self.run(job)
            if done.returncode != 0:
                self.complain(job, f"resumed: {done.stderr.decode(errors='replace')}")
            self.check_files(job, new, old, "resumed")
            for name in job.outputs:
                if (self.folder / name).read_bytes() != new[name]:
                    self.complain(job, f"resumed to other bits: {name}")
            self.forget_state(job)
            self.counts["resumed to the same bits"] += 1

    def fault(self, job, new, call, number, times):
        """A call of the C library fails: the first one, then later ones."""
        for after in [0, *(self.random.randrange(1, 4) for _ in range(times - 1))]:
            self.prepare(job, old=True)
            env = {
                "LD_PRELOAD": self.library,
                "FAIL_CALL": call,
                "FAIL_ERRNO": str(number),
                "FAIL_AFTER": str(after),
            }
            what = f"{call} fails with {errno.errorcode[number]} after {after}"
            done = self.run(job, env=env)
            self.counts["failing calls"] += 1
            if done.returncode != 0:
                self.check_error(job, done, what)
            elif after == 0:
                self.complain(job, f"{what}: status 0")
            self.check_files(job, new, True, what)
            self.forget_state(job)

    def full(self, job, new):
        """No file may become larger than a few bytes (RLIMIT_FSIZE)."""
        self.prepare(job, old=True)

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))

        done = self.run(job, preexec_fn=limit)
        self.counts["files too large"] += 1
        self.check_error(job, done, "file too large")
        self.check_files(job, new, True, "file too large", complete_too=False)
        self.forget_state(job)

    def stop(self, job, new, seconds, number):
        self.prepare(job, old=True)
        process = subprocess.Popen(
            self.words(job), cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        time.sleep(self.random.uniform(0.2, 0.8) * seconds)
        process.send_signal(number)
        _, said = process.communicate()
        self.counts["signals"] += 1
        what = signal.Signals(number).name
        if process.returncode == 1 and what.encode() not in said:
            self.complain(job, f"{what}: said {said!r}")
        early = -number  # before main, or SIGINT
        if process.returncode not in (0, 1, early):
            self.complain(job, f"{what}: status {process.returncode}")
        self.check_files(job, new, True, what)
        self.forget_state(job)

    def closed_pipe(self, job, new):
        """Nobody reads standard output."""
        self.prepare(job, old=True)
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(
            self.words(job), cwd=self.folder, stdout=writer, stderr=subprocess.PIPE
        )
        os.close(writer)
        self.counts["closed pipes"] += 1
        if done.returncode not in (0, 1, -signal.SIGPIPE):
            self.complain(job, f"closed pipe: status {done.returncode}")
        self.check_files(job, new, True, "closed pipe")
        self.forget_state(job)

    def vanished(self, job, new):
        """The input is not there, which is the caller's mistake: status 2."""
        self.prepare(job, old=True)
        places = [k for k, word in enumerate(job.words) if word in self.inputs]
        if not places:
            return
        words = self.words(job)
        words[1 + places[0]] = "vanished.csv"
        done = subprocess.run(words, cwd=self.folder, capture_output=True)
        self.counts["vanished inputs"] += 1
        if done.returncode != 2 or b"vanished.csv" not in done.stderr:
            self.complain(job, f"vanished input: status {done.returncode}, {done.stderr!r}")
        self.check_files(job, new, True, "vanished input", complete_too=False)

    def small_disk(self, job, new):
        """On a tmpfs of one page too few, where this machine lets us mount one."""
        place = self.folder / "disk"
        place.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", str(place)]
        if subprocess.run(mount, capture_output=True).returncode != 0:
            place.rmdir()
            return
        try:
            (place / "full").write_bytes(b"x" * 4096)
            words = [f"disk/{word}" if word in job.outputs else word for word in self.words(job)]
            done = subprocess.run(words, cwd=self.folder, capture_output=True)
            self.counts["full disks"] += 1
            self.check_error(job, done, "full disk")
            left = sorted(path.name for path in place.iterdir())
            if left != ["full"]:
                self.complain(job, f"full disk: left {left}")
        finally:
            subprocess.run(["umount", str(place)], check=True)
            place.rmdir()
            self.forget_state(job)

    def read_only(self, job, seconds):
        """The file system becomes read-only, before or while the job runs, where this machine lets us mount one."""
        for wait in (None, self.random.uniform(0, seconds)):
            place = self.folder / "disk"
            place.mkdir()
            if subprocess.run(
                ["mount", "-t", "tmpfs", "tmpfs", str(place)], capture_output=True
            ).returncode:
                place.rmdir()
                return
            try:
                self.remount_and_run(job, place, wait)
            finally:
                subprocess.run(["umount", str(place)], check=True)
                place.rmdir()
                self.forget_state(job)

    def remount_and_run(self, job, place, wait):
        for name in job.outputs:
            (place / name).write_bytes(OLD)
        remount = ["mount", "-o", "remount,ro", str(place)]
        words = [f"disk/{word}" if word in job.outputs else word for word in self.words(job)]
        if wait is None:
            subprocess.run(remount, check=True)
        process = subprocess.Popen(
            words, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        if wait is not None:
            time.sleep(wait)
            # Refused while a file is open for writing.
            if subprocess.run(remount, capture_output=True).returncode != 0:
                process.communicate()
                return
        said = process.communicate()[1].decode(errors="replace")
        self.counts["read-only remounts"] += 1
        # 2: it could not be opened, which is looked at first; 1: while writing.
        failed = process.returncode in (1, 2) and "Read-only file system" in said
        if not failed and (wait is None or process.returncode != 0):
            self.complain(job, f"read-only: status {process.returncode}, said {said!r}")
        for name in job.outputs:
            now = (place / name).read_bytes()
            if now != OLD and (process.returncode != 0 or not now):
                self.complain(job, f"read-only: {name} is half written")
        left = {path.name for path in place.iterdir()} - set(job.outputs)
        if left:
            self.complain(job, f"read-only: left {sorted(left)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", type=pathlib.Path)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--short", action="store_true", help="some faults of each kind")
    given = parser.parse_args()
    print(f"seed {given.seed}")
    torture = Torture(given.command.resolve(), given.source, given.library.resolve(), given.seed)
    every = jobs.jobs()
    per_job = -(-given.kills // sum(3 if job.state else 1 for job in every))
    for job in every:
        new, seconds = jobs.reference(torture.command, job, torture.folder)
        torture.forget_state(job)
        for _ in range(per_job):
            torture.kill(job, new, seconds)
        torture.prepare(job, old=False)
        faults = torture.random.sample(FAULTS, 2) if given.short else FAULTS
        for call, number in faults:
            torture.fault(job, new, call, number, 1 if given.short else 2)
        torture.full(job, new)
        stops = [signal.SIGTERM] if given.short else [signal.SIGTERM, signal.SIGHUP, signal.SIGINT]
        for number in stops:
            torture.stop(job, new, seconds, number)
        torture.closed_pipe(job, new)
        torture.vanished(job, new)
        if not given.short:
            torture.small_disk(job, new)
            torture.read_only(job, seconds)
        torture.prepare(job, old=False)
    print(", ".join(f"{count} {what}" for what, count in torture.counts.items()))
    if torture.problems:
        print(f"{len(torture.problems)} problems", file=sys.stderr)
        return 1
    print("nothing lost, nothing half written, nothing left behind")
    return 0


if __name__ == "__main__":
    sys.exit(main())
