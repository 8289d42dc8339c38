#!/usr/bin/env python3
"""Ctrl-C at random moments: how long does it take until the command, or the fit in Python, has ended?

    interrupts.py COMMAND [--times N] [--seed S] [--python INTERPRETER] [--within SECONDS]

Each job would run for several seconds at least. After SIGINT it must end as a signal ends it (Python: by
KeyboardInterrupt), with no output and nothing left behind. Prints the median and the longest time for each job; the status is
1 where something was left, and with --within where one took longer.
"""

import argparse
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

JOBS = """
train words.libsvm --engine diagonal -o m
train dense.libsvm --engine exact -o m
train dense.libsvm --map rbf --sigma 3 --engine sequential -o m
train words.libsvm --engine path -o m
train words.libsvm --engine shrinkage -o m
train words.libsvm --engine probes -o m
cv dense.libsvm --map rbf --grid sigma=2^0:2^6 --folds 10 -o m
select words.libsvm -o chosen.csv
masks dense.libsvm --sweeps 100000 --burn-in 10 -o m
code dense.libsvm dense.libsvm --lambda-ratio .01 --features 100 -o codes.npz
predict kernels.model many.libsvm -o said.csv
evaluate kernels.model many.libsvm
convert text.libsvm -o text.cache
synth --rows 2000000 --columns 100000 -o more.libsvm
scene --size 6000x6000 --sources 100000 -o sky.fits
locate stars.fits -o found.csv
denoise stars.fits -o clean.fits
""".strip().splitlines()

PYTHON = """
ARDClassifier(engine="exact").fit(x, c)
ARDRegressor(engine="path").fit(x, y)
RVMClassifier(sigma=3, engine="sequential").fit(x, c)
SBELMRegressor(hidden=2000, engine="exact").fit(x, y)
DoublySparseClassifier(sweeps=100000, burn_in=10).fit(x[:500], c[:500])
SparseCoder(lambda_ratio=0.01).fit(x.T).transform(np.tile(x.T, (40, 1)))
SourceFinder().fit(image)
""".strip().splitlines()
SETTING = """
import sys
import warnings
import numpy as np
from ardent import *
warnings.simplefilter("ignore")
random = np.random.default_rng(0)
x = random.standard_normal((4000, 800))
y = x[:, :20].sum(axis=1) + random.standard_normal(len(x))
c = (y > 0).astype(int)
image = random.poisson(100, (2000, 2000)).astype(float)
print("ready", flush=True)
try:
    {job}
    print("done", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def make_inputs(command, folder):
    def run(*words):
        subprocess.run([command, *words], cwd=folder, check=True, capture_output=True)

    run(*"synth --rows 30000 --columns 20000 --nonzeros 200 -o words.libsvm".split())
    run(*"synth --rows 200000 --columns 20000 --nonzeros 100 -o text.libsvm".split())
    run(*"scene --size 1500x1500 --sources 5000 -o stars.fits".split())
    draw = random.Random(1)

    def dense(name, rows):
        with open(folder / name, "w") as file:
            for _ in range(rows):
                row = [draw.gauss(0, 1) for _ in range(100)]
                label = 1 if sum(row[:10]) + draw.gauss(0, 1) > 0 else -1
                file.write(f"{label} " + " ".join(f"{j + 1}:{v:.4f}" for j, v in enumerate(row)) + "\n")

    dense("dense.libsvm", 3000)
    text = (folder / "dense.libsvm").read_text()
    (folder / "many.libsvm").write_text(text * 60)
    run(*"train dense.libsvm --map rbf --sigma 5 --centres 300 -o kernels.model".split())


def interrupted(process, seconds):
    """Seconds from Ctrl-C to the end; none where the job had ended before."""
    try:
        process.wait(seconds)
        return None
    except subprocess.TimeoutExpired:
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.wait(60)
        return time.monotonic() - start


def of_command(words, folder, inputs, seconds):
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    took = interrupted(process, seconds)
    left = sorted(path.name for path in folder.iterdir() if path.name not in inputs)
    for name in left:
        (folder / name).unlink()
    if took is None:
        return None, [] if process.returncode == 0 else [f"status {process.returncode}"]
    problems = [f"left behind {left}"] if left else []
    if process.returncode != -signal.SIGINT:
        problems.append(f"status {process.returncode}")
    return took, problems


def of_python(interpreter, job, seconds):
    text = SETTING.replace("{job}", job)
    process = subprocess.Popen([interpreter, "-c", text], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n", job
    took = interrupted(process, seconds)
    said = process.stdout.read().strip()
    if took is None or said == "done":
        return None, []
    return took, [] if said == "interrupted" else [f"said {said!r}, status {process.returncode}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", type=pathlib.Path)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--python", help="also fits in this interpreter, which has ardent")
    parser.add_argument("--within", type=float, help="seconds; longer is a failure")
    given = parser.parse_args()
    print(f"seed {given.seed}")
    draw = random.Random(given.seed)
    problems, longest, count = [], 0.0, 0
    with tempfile.TemporaryDirectory(prefix="ardent-interrupts-") as name:
        folder = pathlib.Path(name)
        command = str(given.command.resolve())
        make_inputs(command, folder)
        inputs = {path.name for path in folder.iterdir()}
        jobs = [(job, lambda s, job=job: of_command([command, *job.split()], folder, inputs, s)) for job in JOBS]
        if given.python:
            jobs += [(job, lambda s, job=job: of_python(given.python, job, s)) for job in PYTHON]
        for job, run in jobs:
            times = []
            for _ in range(given.times):
                took, found = run(draw.uniform(0.05, 1.5))
                problems += [f"{job}: {problem}" for problem in found]
                if took is not None:
                    times.append(took)
            if not times:
                print(f"   ended before  {job}", flush=True)
                continue
            times.sort()
            print(f"{times[len(times) // 2]:6.3f} {times[-1]:6.3f} s  {job}", flush=True)
            longest = max(longest, times[-1])
            count += len(times)
    for problem in problems:
        print(f"FAILED {problem}", file=sys.stderr)
    print(f"{count} interruptions, the longest {longest:.3f} s, {len(problems)} problems")
    return 1 if problems or (given.within and longest > given.within) else 0


if __name__ == "__main__":
    sys.exit(main())
