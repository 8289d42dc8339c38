#!/usr/bin/env python3
"""write.py COMMAND: writes files of every kind by this version of the command into a folder of its version.

Models with what the command predicts by them, caches, and checkpoints of trainings that were killed, made of the data in the
folder of version 0.1. Every later version must read them and say the same: a step of every release (docs/releasing.md).
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE / "0.1"
MASKS = ["--burn-in", "20", "--sweeps", "30", "--chains", "2", "--draws", "5"]
REGRESSION = ["--task", "regression"]

# Name: data, options of train. tests/model/earlier_models_test.cpp has the same names.
MODELS = {
    "linear-pairs": ("iris.csv", []),
    "linear-rest": ("iris.csv", ["--engine", "diagonal", "--multiclass", "ovr"]),
    "linear-folds": ("iris.csv", ["--multiclass", "folds"]),
    "elm": ("iris.csv", ["--map", "elm", "--hidden", "20"]),
    "rbf-pairs": ("iris.csv", ["--map", "rbf"]),
    "dictionary": ("iris.csv", ["--map", "dictionary"]),
    "linear-regression": ("measures.csv", [*REGRESSION, "--keep-stages", "on"]),
    "rbf-regression": ("measures.csv", [*REGRESSION, "--map", "rbf"]),
    "rbf-widths": ("measures.csv", [*REGRESSION, "--map", "rbf", "--widths", "per-feature"]),
    "doubly-sparse-regression": ("measures.csv", [*REGRESSION, "--map", "doubly-sparse", *MASKS]),
    "rbf-sparse": ("sparse.libsvm", ["--map", "rbf"]),
    "tfidf": ("sparse.libsvm", ["--scale", "tfidf"]),
    "path": ("sparse.libsvm", ["--engine", "path"]),
    "shrinkage": ("sparse.libsvm", ["--engine", "shrinkage"]),
    "doubly-sparse": ("sparse.libsvm", ["--map", "doubly-sparse", *MASKS]),
    "words": ("words.csv", ["--label", "price", "--categorical", "colour", "--missing", "indicator"]),
}
CACHES = {"sparse.cache": "sparse.libsvm", "iris.cache": "iris.csv"}
# Name: the training that is killed, after more than one and before the last of its states. The tests run it, too.
CHECKPOINTS = {
    "masks.checkpoint": "masks measures.csv --chains 2 --burn-in 10 --sweeps 20 --draws 3 "
    "--checkpoint-seconds 0",
    "train.checkpoint": "train iris.csv --engine sequential --map rbf --sigma 1 "
    "--checkpoint-stages 1",
}


def killed(command, words, checkpoint, folder):
    """Runs the training until it has written its checkpoint a few times, and kills it."""
    for least in range(2, 2000):  # tries: the training may be faster than this script sees
        checkpoint.unlink(missing_ok=True)
        run = [command, *words, "--checkpoint", checkpoint, "--threads", "1", "-o", folder / "never"]
        process = subprocess.Popen(run, cwd=DATA, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        seen = set()
        while process.poll() is None and len(seen) < 2 + least % 5:
            try:
                seen.add(checkpoint.stat().st_ino)
            except FileNotFoundError:
                time.sleep(0.0002)
        process.kill()
        if process.wait() != 0 and checkpoint.exists():
            return
    raise SystemExit(f"{checkpoint.name}: the training was never caught in the middle")


def main(command):
    def ardent(*words):
        run = [command, *map(str, words)]
        return subprocess.run(run, cwd=DATA, check=True, capture_output=True, text=True).stdout

    version = re.search(r"(\d+\.\d+)\.", ardent("--version")).group(1)
    folder = HERE / version
    if version == DATA.name:
        raise SystemExit("the files of version 0.1 are its own")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, (data, options) in MODELS.items():
        model = folder / f"{name}.model"
        ardent("train", data, *options, "-o", model)
        (folder / f"{name}.predicted").write_text(ardent("predict", model, data, "--proba"))
    for name, data in CACHES.items():
        ardent("convert", data, "-o", folder / name)
    with tempfile.TemporaryDirectory() as scratch:
        for name, words in CHECKPOINTS.items():
            killed(command, words.split(), folder / name, pathlib.Path(scratch))
    print("\n".join(f"{path.stat().st_size:8} {path.name}" for path in sorted(folder.iterdir())))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve())
