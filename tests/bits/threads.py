#!/usr/bin/env python3
"""Every command gives the same bytes whatever the number of threads, and when it is run again.

    threads.py COMMAND SOURCE SCRATCH [--threads 1,2,4,16] [--times 2] [--processors Nehalem,...]

Each job runs in a folder of its own; every file that it leaves is compared with that of the first run, and what it prints
where that is a result. Seconds are left out.
--processors adds a run of each job under qemu-x86_64 as each of these. A command, engine, map or sampler that `ardent
help` names and no job here has is an error.
"""

import argparse
import csv
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ENGINES = ["exact", "diagonal", "dqn", "probes", "sequential", "growing", "thinned", "path", "shrinkage"]
SHORT_CHAINS = "--chains 2 --burn-in 3 --sweeps 5"
# Words of the command line; files named here lie in the folder of inputs, what is written in the job's own.
JOBS = (
    [f"train tumours.csv --engine {engine} --max-stages 8 -o m" for engine in ENGINES[:-2]]
    + [f"train words.libsvm --engine {engine} -o m" for engine in ENGINES[-2:]]
    + [
        f"train {data} --map {kind} --engine {engine} --max-stages 8 -o m"
        for kind, data in (("rbf --sigma 3", "wine.csv"), ("elm --hidden 30", "wine.csv"))
        for engine in ("exact", "probes", "sequential", "growing")
    ]
    + f"""
train tumours.csv -o m
train wine.csv --map rbf -o m
train petals.csv --task regression --map rbf -o m
train petals.csv --task regression --engine path -o m
train digits.libsvm --engine diagonal --multiclass ovr --max-stages 6 -o m
train words.libsvm --scale tfidf -o m
train tumours.csv --engine diagonal --early-stop cv --refit on -o m
train tumours.csv --map doubly-sparse {SHORT_CHAINS} -o m
train tumours.csv --map doubly-sparse --sampler paper -o m
train tumours.csv --map doubly-sparse --sampler paper-basis -o m
train digits.libsvm --map dictionary -o m
cv wine.csv --map rbf --grid sigma=1,4 --folds 3 --table grid.csv -o m
cv petals.csv --task regression --folds 4 --json
select tumours.csv -o features.csv
masks tumours.csv {SHORT_CHAINS} --table masks.csv -o m
masks tumours.csv --chains 2 --burn-in 10 --max-sweeps 60 -o m
predict classes.model wine.csv --proba -o said.csv
predict kernels.model tumours.csv --proba
predict curve.model petals.csv -o said.csv
evaluate classes.model wine.csv --json
code digits.libsvm signals.libsvm --features 64 -o codes.npz
code digits.libsvm signals.libsvm --features 64 --method lasso --lambda-ratio .1 -o codes.csv
convert digits.libsvm -o digits.cache
convert wine.csv -o wine.cache
inspect classes.model
export classes.model -o classes.h
export curve.model --real float -o curve.h
synth --rows 500 --columns 2000 --nonzeros 30 --relevant 10 -o planted.libsvm
synth --rows 500 --columns 2000 --nonzeros 30 --relevant 10 --format cache -o planted.cache
scene --sources 5 --size 40x40 --seed 2 -o stars.fits --truth stars.csv
locate sky.fits -o places.csv --overlay places.png
locate sky.fits --shared-width auto --gain 2 -o places.csv
locate sky.fits --dictionary uniform --atoms 100 --lambda sweep --sweep-count 2 -o places.csv
denoise sky.fits -o clean.fits --residual left.npy
score-sources found.csv truth.csv
demo -o m
""".strip().splitlines()
)
# report is drawn by the Python package; the others print texts.
NOT_COMPUTING = {"report", "completion", "manual"}
# What they print is their result; the others tell of it, too, and of the time.
PRINTING = {"predict", "inspect", "score-sources", "evaluate"}


class Command:
    def __init__(self, program):
        self.program = str(program)
        self.has_threads = {}

    def output(self, *words, **more):
        done = subprocess.run([self.program, *words], capture_output=True, text=True, **more)
        if done.returncode != 0:
            raise SystemExit(f"{shlex.join(words)}: {done.stderr}")
        return done.stdout

    def takes_threads(self, name):
        if name not in self.has_threads:
            self.has_threads[name] = "--threads" in self.output(name, "--help")
        return self.has_threads[name]

    def choices(self, option):
        """Of an option of train, as its help gives them."""
        found = re.search(rf"--{option}\s+([a-z|-]+\|[a-z|-]+)", self.output("train", "--help", "all"))
        return set(found[1].split("|")) - {"auto"}


def missing(command):
    """What no job covers."""
    words = [shlex.split(job) for job in JOBS]

    def given(option):
        return {job[job.index(option) + 1] for job in words if option in job}

    listing = command.output("--help")
    names = set(re.findall(r"^  ([a-z][a-z-]+)  ", listing, re.M))
    assert {"train", "demo", "manual"} <= names, listing
    found = names - NOT_COMPUTING - {job[0] for job in words}
    found |= command.choices("engine") - given("--engine")
    found |= command.choices("map") - given("--map") - {"linear"}
    found |= command.choices("sampler") - given("--sampler") - {"collapsed"}
    return sorted(found)


def make_inputs(command, data, folder):
    def head(name, lines, to):
        text = (data / name).read_text().splitlines(keepends=True)
        (folder / to).write_text("".join(text[:lines]))

    head("breast_cancer.csv", 150, "tumours.csv")
    head("digits.libsvm", 150, "digits.libsvm")
    head("digits.libsvm", 12, "signals.libsvm")
    shutil.copy(data / "wine.csv", folder)
    iris = (data / "iris.csv").read_text().splitlines()[:151]
    (folder / "petals.csv").write_text("".join(",".join(row.split(",")[:4]) + "\n" for row in iris))
    for job in (
        "train wine.csv -o classes.model",
        "train tumours.csv --map rbf --sigma 4 -o kernels.model",
        "train petals.csv --task regression --map rbf --sigma 2 -o curve.model",
        "synth --rows 300 --columns 400 --nonzeros 20 --relevant 10 -o words.libsvm",
        "scene --sources 5 --size 48x48 --sigma 1.5 --snr 15 --seed 1 -o sky.fits --truth truth.csv",
        "locate sky.fits --sigma 1.5 -o found.csv",
    ):
        command.output(*job.split(), cwd=folder)


def without_seconds(value):
    if isinstance(value, dict):
        return {name: without_seconds(inner) for name, inner in value.items() if "seconds" not in name}
    return [without_seconds(inner) for inner in value] if isinstance(value, list) else value


def table_without_seconds(contents):
    rows = list(csv.reader(contents.decode().splitlines()))
    keep = [k for k, name in enumerate(rows[0]) if "seconds" not in name]
    return [[row[k] for k in keep] for row in rows]


def results(program, words, inputs, folder):
    """What the run prints and writes, by name; seconds are left out."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for path in inputs.iterdir():
        (folder / path.name).symlink_to(path)
    done = subprocess.run([*program, *words], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{shlex.join([*program, *words])}: {done.stderr}")
    found = {}
    if "--json" in words:
        found["standard output"] = without_seconds(json.loads(done.stdout))
    elif words[0] in PRINTING:
        found["standard output"] = done.stdout
    for path in folder.iterdir():
        if not path.is_symlink():
            contents = path.read_bytes()
            found[path.name] = table_without_seconds(contents) if path.name == "grid.csv" else contents
    if not found:
        raise SystemExit(f"{shlex.join(words)}: nothing to compare")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", type=pathlib.Path)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("scratch", type=pathlib.Path)
    parser.add_argument("--threads", default="1,2,4,16")
    parser.add_argument("--times", type=int, default=2)
    parser.add_argument("--processors", default="")
    given = parser.parse_args()
    os.environ.pop("LD_PRELOAD", None)
    command = Command(given.command.resolve())
    shutil.rmtree(given.scratch, ignore_errors=True)
    inputs = given.scratch.resolve() / "inputs"
    inputs.mkdir(parents=True)
    make_inputs(command, given.source.resolve() / "data", inputs)

    problems = [f"no job has {name}" for name in missing(command)]
    runs = files = 0
    plain = [command.program]
    for job in JOBS:
        words = shlex.split(job)
        threads = given.threads.split(",") if command.takes_threads(words[0]) else [""]
        ways = [(plain, count) for _ in range(given.times) for count in threads]
        ways += [
            (["qemu-x86_64", "-cpu", processor, command.program], threads[-1])
            for processor in given.processors.split(",")
            if processor
        ]
        first = {}
        for number, (program, count) in enumerate(ways):
            more = ["--threads", count] if count else []
            now = results(program, [*words, *more], inputs, given.scratch.resolve() / "job")
            runs += 1
            files += len(now)
            first = first or now
            differing = [name for name in sorted({*first, *now}) if first.get(name) != now.get(name)]
            if differing:
                how = f"run {number + 1}, threads {count or 'as ever'}"
                how += f", {program[2]}" if len(program) > 1 else ""
                problems.append(f"{job}: {', '.join(differing)} ({how})")
    for problem in problems:
        print(f"FAILED {problem}", file=sys.stderr)
    print(f"{len(JOBS)} jobs of {len({job.split()[0] for job in JOBS})} commands, {runs} runs, {files} results compared")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
