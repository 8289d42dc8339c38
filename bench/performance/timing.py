"""CPU seconds of commands and calls, alternated, with a word on whether the machine was busy."""

import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field

# Another process on the core shows as time that passes without being used.
BUSY = 1.15


@dataclass
class Used:
    cpu: float = 0.0
    wall: float = 0.0
    mebibytes: float = 0.0  # most memory at once; of commands alone

    def __add__(self, other):
        return Used(
            self.cpu + other.cpu, self.wall + other.wall, max(self.mebibytes, other.mebibytes)
        )


def command(*words):
    """What a program of one thread used, and what it printed."""
    start = time.perf_counter()
    child = subprocess.Popen(
        [str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    # Progress is little: the pipe of errors cannot fill while the other one is read.
    printed, errors = child.stdout.read(), child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\n{errors}")
    wall = time.perf_counter() - start
    return Used(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024), printed


def json_of(*words):
    used, printed = command(*words, "--json")
    return used, json.loads(printed)


def call(work):
    """What a call in this process used, and what it returned."""
    wall, cpu = time.perf_counter(), time.process_time()
    found = work()
    return Used(time.process_time() - cpu, time.perf_counter() - wall), found


@dataclass
class Answer:
    """One contender's: the least seconds of its rounds, and its quality."""

    name: str
    seconds: float
    quality: dict = field(default_factory=dict)
    busy: bool = False
    mebibytes: float = 0.0


def alternate(contenders, rounds=1):
    """Answers of {name: function that returns (Used, quality)}, each called once in every round."""
    best = {}
    for _ in range(rounds):
        for name, contend in contenders.items():
            used, quality = contend()
            if name not in best or used.cpu < best[name][0].cpu:
                best[name] = used, quality
    return [
        Answer(name, used.cpu, quality, used.wall > BUSY * used.cpu + 0.05, used.mebibytes)
        for name, (used, quality) in best.items()
    ]


@dataclass
class Row:
    """A job: our answers first. The goal is a ratio of our seconds to the peer's named."""

    job: str
    answers: list
    against: str = ""
    goal: float = 0.0

    def as_json(self):
        return asdict(self)
