"""The commands that write files, small enough to be run hundreds of times."""

import dataclasses
import pathlib
import subprocess
import time


@dataclasses.dataclass
class Job:
    name: str
    words: list  # of the command line; outputs as they are named below
    outputs: list
    state: str = ""  # the file that a killed run goes on from


def make_inputs(command, source, folder):
    """Small inputs of every kind in the folder."""

    def run(*words):
        subprocess.run([command, *words], cwd=folder, check=True, capture_output=True)

    for name in ("iris.csv", "wine.csv"):
        (folder / name).write_bytes((source / "data" / name).read_bytes())
    digits = (source / "data" / "digits.libsvm").read_text().splitlines(keepends=True)
    (folder / "digits.libsvm").write_text("".join(digits[:300]))
    (folder / "signals.libsvm").write_text("".join(digits[300:330]))
    run("scene", "--sources", "6", "--size", "48x48", "--seed", "3", "-o", "sky.fits")
    run("train", "iris.csv", "-o", "iris.model")


def jobs():
    """Every command that writes a file."""
    few_draws = ["--chains", "2", "--burn-in", "20", "--sweeps", "30", "--draws", "20"]
    grid = ["--map", "rbf", "--grid", "sigma=0.5,1,2", "--folds", "3"]
    return [
        Job("train", ["train", "wine.csv", "--map", "rbf", "-o", "wine.model"], ["wine.model"]),
        Job(
            "train --checkpoint",
            ["train", "wine.csv", "--engine", "sequential", "--map", "rbf", "--sigma", "1"]
            + ["--checkpoint", "run", "--checkpoint-stages", "1", "--resume", "-o", "kept.model"],
            ["kept.model"],
            state="run",
        ),
        Job(
            "cv",
            ["cv", "iris.csv", *grid, "--resume", "journal", "-o", "best.model"],
            ["best.model"],
            state="journal",
        ),
        Job("convert", ["convert", "digits.libsvm", "-o", "digits.cache"], ["digits.cache"]),
        Job(
            "code",
            ["code", "digits.libsvm", "signals.libsvm", "--features", "64", "-o", "codes.npz"],
            ["codes.npz"],
        ),
        Job(
            "masks",
            ["masks", "iris.csv", *few_draws, "--checkpoint", "chains", "--checkpoint-seconds"]
            + ["0", "-o", "masks.model", "--table", "masks.csv"],
            ["masks.model", "masks.csv"],
            state="chains",
        ),
        Job(
            "locate",
            ["locate", "sky.fits", "-o", "sources.csv", "--overlay", "sources.png"],
            ["sources.csv", "sources.png"],
        ),
        Job(
            "denoise",
            ["denoise", "sky.fits", "-o", "clean.fits", "--residual", "left.npy"],
            ["clean.fits", "left.npy"],
        ),
        Job("predict", ["predict", "iris.model", "iris.csv", "-o", "said.csv"], ["said.csv"]),
        Job("select", ["select", "wine.csv", "-o", "chosen.csv"], ["chosen.csv"]),
        Job("synth", ["synth", "--rows", "2000", "-o", "words.libsvm"], ["words.libsvm"]),
    ]


def reference(command, job, folder):
    """What the outputs are where nothing fails, and the seconds that takes."""
    start = time.monotonic()
    done = subprocess.run(
        [command, *job.words, "--threads", "1"], cwd=folder, capture_output=True, text=True
    )
    seconds = time.monotonic() - start
    assert done.returncode == 0, f"{job.name}: {done.stderr}"
    contents = {name: (pathlib.Path(folder) / name).read_bytes() for name in job.outputs}
    for name in job.outputs:
        (pathlib.Path(folder) / name).unlink()
    return contents, seconds
