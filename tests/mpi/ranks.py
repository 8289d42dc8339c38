#!/usr/bin/env python3
"""One fit over several processes, by real mpirun, beside the same fit in one process.

    ranks.py ARDENT ARDENT_MPI SOURCE SCRATCH [--only WORD] [--short]

Predictions agree to 1e-9. Sums are added in another order, and some engines make more of the last
bit than that over a hundred stages, in one process too: there they agree as closely as one process
does with itself when the rows are in another order. For one number of processes the model's bytes are
the same in every run; what cannot be shared is refused with a word on what can.
"""

import argparse
import hashlib
import pathlib
import random
import shutil
import subprocess
import sys

AGREEMENT = 1e-9  # of any prediction
LONGEST = 300  # seconds of a command
SHORT = ("dense-diagonal", "pair-path", "text-shrinkage")


class Ranks:
    def __init__(self, arguments):
        self.ardent, self.mpi = arguments.ardent.resolve(), arguments.ardent_mpi.resolve()
        self.source, self.folder = arguments.source.resolve(), arguments.scratch.resolve()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)

    def mpirun(self, ranks, *words):
        """Several processes on however few cores, as root or not, without a network."""
        command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "btl", "self,vader"]
        command += ["--mca", "mpi_yield_when_idle", "1", "-n", str(ranks), self.mpi]
        return run([*command, *words], self.folder)

    def alone(self, *words):
        return run([self.ardent, *words, "--threads", "1"], self.folder)

    def predictions(self, model, data):
        """Numbers of every row: f and its variance, or probabilities."""
        text = self.checked(self.alone("predict", model, data, "--json"))
        return numbers(text)

    @staticmethod
    def checked(done):
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, done.args))}\n{done.stdout}{done.stderr}")
        return done.stdout


def run(command, folder):
    return subprocess.run(
        list(map(str, command)), cwd=folder, capture_output=True, text=True, timeout=LONGEST
    )


def numbers(text):
    import json

    found = []

    def visit(value):
        if isinstance(value, dict):
            for each in value.values():
                visit(each)
        elif isinstance(value, list):
            for each in value:
                visit(each)
        elif isinstance(value, float):
            found.append(value)

    visit(json.loads(text))
    return found


def sha(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write_regression(path, rows, columns, seed):
    """Dense rows, ten columns that matter."""
    generator = random.Random(seed)
    weights = [generator.gauss(0, 1) if k < 10 else 0 for k in range(columns)]
    with open(path, "w") as file:
        for _ in range(rows):
            x = [generator.gauss(0, 1) for _ in range(columns)]
            t = sum(w * v for w, v in zip(weights, x)) + generator.gauss(0, 0.5)
            entries = " ".join(f"{k + 1}:{v:.6g}" for k, v in enumerate(x))
            file.write(f"{t:.9g} {entries}\n")


def write_text(path, rows, columns, classes, seed):
    """Counts of words, classes as sorted files have them: a share may lack one."""
    generator = random.Random(seed)
    lines = []
    for i in range(rows):
        label = i % classes
        words = {}
        for _ in range(12):
            common = generator.random() < 0.7
            k = generator.randrange(columns) if common else 40 * label + generator.randrange(40)
            words[k] = words.get(k, 0) + 1
        lines.append((label, " ".join(f"{k + 1}:{n}" for k, n in sorted(words.items()))))
    lines.sort(key=lambda line: line[0] == 0 and 1 or 0)
    path.write_text("".join(f"{label} {entries}\n" for label, entries in lines))


def reorder(source, target):
    """The same rows in another order, but for the first of each class, which numbers the classes."""
    first, others = {}, []
    for line in source.read_text().splitlines():
        label = line.split()[0]
        others.append(line) if label in first else first.setdefault(label, line)
    random.Random(1).shuffle(others)
    target.write_text("\n".join([*first.values(), *others]) + "\n")


def spread(a, b):
    if len(a) != len(b) or not a:
        sys.exit(f"{len(a)} numbers are predicted, and {len(b)}")
    return max(abs(x - y) for x, y in zip(a, b))


def check_agreement(ranks, name, data, options, by_order=False, counts=(2, 4)):
    """The same predictions as one process, and the same bytes in every run."""
    folder = ranks.folder
    ranks.checked(ranks.alone("train", data, "-o", "one.model", *options))
    wanted = ranks.predictions("one.model", data)
    most = AGREEMENT
    if by_order:
        reorder(folder / data, folder / "reordered.svm")
        ranks.checked(ranks.alone("train", "reordered.svm", "-o", "reordered.model", *options))
        own = spread(ranks.predictions("reordered.model", data), wanted)
        print(f"{name}, one process, rows in another order: {own:.2g}")
        most = max(most, 10 * own)
    for count in counts:
        model = f"{name}-{count}.model"
        ranks.checked(ranks.mpirun(count, "train", data, "-o", model, *options))
        found = ranks.predictions(model, data)
        worst = spread(found, wanted)
        print(f"{name}, {count} processes: predictions differ by {worst:.2g} at most")
        if not worst <= most:
            sys.exit(f"{name}: more than {most}")
    again = "again.model"
    ranks.checked(ranks.mpirun(counts[0], "train", data, "-o", again, *options))
    if sha(folder / again) != sha(folder / f"{name}-{counts[0]}.model"):
        sys.exit(f"{name}: two runs with {counts[0]} processes differ")


def check_dealt_out(ranks):
    """Models, folds, chains, signals and tiles over processes: the bytes that one process writes."""
    iris, scene = ranks.source / "data/iris.csv", "tiles.fits"
    ranks.checked(ranks.alone("scene", "-o", scene, "--seed", "9"))
    digits = ranks.source / "data/digits.libsvm"
    chains = ["masks", iris, "--sweeps", "30", "--burn-in", "20", "--features", "FILE.csv"]
    jobs = {
        "models.model": ["train", iris, "--map", "rbf", "-o", "FILE"],
        "pairs.model": ["train", iris, "--engine", "exact", "-o", "FILE"],
        "chains.model": [*chains, "-o", "FILE"],
        "codes.csv": ["code", digits, digits, "--lambda", "20", "-o", "FILE"],
        "tiles.csv": ["locate", scene, "-o", "FILE"],
    }
    for name, words in jobs.items():
        for prefix, run_with in (("one", ranks.alone), ("three", lambda *w: ranks.mpirun(3, *w))):
            own = [str(word).replace("FILE", f"{prefix}-{name}") for word in words]
            ranks.checked(run_with(*own))
        if sha(ranks.folder / f"one-{name}") != sha(ranks.folder / f"three-{name}"):
            sys.exit(f"{name} of 3 processes differs")
    one, three = (
        numbers(ranks.checked(start("cv", iris, "--folds", "4", "--json")))
        for start in (ranks.alone, lambda *words: ranks.mpirun(3, *words))
    )
    if len(one) != len(three) or sum(a != b for a, b in zip(one, three)) > 4 + 2:  # seconds
        sys.exit("the folds of 3 processes differ")
    print("models, chains, signals, tiles and folds over 3 processes: as one process has them")


def check_refusals(ranks):
    """A word that names what works, and the status of a wrong request."""
    for words, expected in [
        (["dense.svm", "--engine", "exact"], "the engine exact needs all rows in one process, and here is one model"),
        (["dense.svm", "--map", "rbf"], "the map rbf needs all rows"),
        (["text.svm", "--engine", "path"], "add --ridge off"),
        (["pair.svm", "--engine", "diagonal", "--early-stop", "cv"], "early-stop needs all rows"),
        (["missing.svm"], "cannot read missing.svm"),
        ([ranks.source / "data/iris.csv"], "its format, csv, has no shares"),
        (["none-*.svm"], "names 0 files"),
    ]:
        done = ranks.mpirun(2, "train", *words, "-o", "refused.model")
        if done.returncode != 2 or expected not in done.stderr:
            sys.exit(f"{words}: status {done.returncode}, {done.stderr}")
        if (ranks.folder / "refused.model").exists():
            sys.exit(f"{words}: a model was written")


def check_parts(ranks):
    """One file for each process, and a cache, are the same rows."""
    lines = (ranks.folder / "text.svm").read_text().splitlines(keepends=True)
    for part in range(2):
        text = "".join(lines[len(lines) * part // 2 : len(lines) * (part + 1) // 2])
        (ranks.folder / f"part-{part}.libsvm").write_text(text)
    ranks.checked(ranks.alone("convert", "text.svm", "-o", "text.cache"))
    check_sources = {"part-*.libsvm": "parts", "text.cache": "cache"}
    options = ["--engine", "diagonal", "--scale", "tfidf", "--multiclass", "ovr"]
    options += ["--max-stages", "1"]
    ranks.checked(ranks.alone("train", "text.svm", "-o", "one.model", *options))
    wanted = ranks.predictions("one.model", "text.svm")
    for source, name in check_sources.items():
        ranks.checked(ranks.mpirun(2, "train", source, "-o", f"{name}.model", *options))
        found = ranks.predictions(f"{name}.model", "text.svm")
        worst = spread(found, wanted)
        print(f"{source}: predictions differ by {worst:.2g} at most")
        if not worst <= AGREEMENT:
            sys.exit(f"{source}: more than {AGREEMENT}")


def without_seconds(table):
    """The columns of a grid's table but for the time that each took."""
    rows = [line.split(",") for line in table.read_text().splitlines()]
    kept = [k for k, name in enumerate(rows[0]) if not name.startswith("seconds")]
    return [[row[k] for k in kept] for row in rows]


def check_grid(ranks, points):
    """The table of one process, and one journal is enough; so many points, a multiple of ten."""
    grid = ["cv", "dense.svm", "--folds", "2", "--engine", "exact"]
    grid += ["--grid", f"alpha-max=2^1:2^{points // 10}"]
    grid += ["--grid", "alpha-init=1e-4,1e-3,1e-2,0.1,1", "--grid", "bias=on,off"]
    ranks.checked(ranks.alone(*grid, "--table", "one.csv"))
    resumed = [*grid, "--table", "four.csv", "--resume", "grid.jsonl"]
    ranks.checked(ranks.mpirun(4, *resumed))
    one, four = (without_seconds(ranks.folder / name) for name in ("one.csv", "four.csv"))
    if one != four or len(one) != points + 1:
        sys.exit(f"the table of 4 processes differs: {len(one)} and {len(four)} lines")
    before = (ranks.folder / "four.csv").read_bytes()
    if f"{points} points from grid.jsonl" not in ranks.checked(ranks.mpirun(2, *resumed)):
        sys.exit("the journal of 4 processes has not all points")
    if (ranks.folder / "four.csv").read_bytes() != before:
        sys.exit("a table out of the journal differs")
    print(f"grid of {points} points over 4 processes: the table that one process has")


def check_farm(ranks):
    """Images are what one process makes of them."""
    images = []
    for seed in range(1, 6):
        images.append(f"sky-{seed}.fits")
        ranks.checked(ranks.alone("scene", "-o", images[-1], "--seed", str(seed)))
    ranks.checked(ranks.alone("locate", *images, "--output-folder", "one"))
    ranks.checked(ranks.mpirun(3, "locate", *images, "--output-folder", "three"))
    for image in images:
        name = image.replace(".fits", ".csv")
        if sha(ranks.folder / "one" / name) != sha(ranks.folder / "three" / name):
            sys.exit(f"{name} of 3 processes differs")
    failing = ranks.mpirun(2, "locate", images[0], "missing.fits", "--output-folder", "two")
    if failing.returncode != 2 or "missing.fits" not in failing.stderr:
        sys.exit(f"a missing image: status {failing.returncode}, {failing.stderr}")
    print("images over 3 processes: as one process has them")


def main():
    parser = argparse.ArgumentParser()
    for name in ("ardent", "ardent_mpi", "source", "scratch"):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--short", action="store_true", help="of each kind a little, for CI")
    arguments = parser.parse_args()
    ranks = Ranks(arguments)
    write_regression(ranks.folder / "dense.svm", 400, 30, 1)
    write_text(ranks.folder / "text.svm", 600, 2000, 3, 2)
    write_text(ranks.folder / "pair.svm", 400, 1500, 2, 3)
    planted = ["synth", "--rows", "3000", "--columns", "5000", "--nonzeros", "15"]
    ranks.checked(ranks.alone(*planted, "-o", "planted.svm"))
    balanced = ["--class-weight", "balanced"]
    pairs = ["--engine", "diagonal", "--class-weight", "0=3"]
    jobs = {
        "dense-diagonal": ("dense.svm", ["--engine", "diagonal"]),
        "dense-probes": ("dense.svm", ["--engine", "probes", "--scale", "standard"]),
        "dense-path": ("dense.svm", ["--engine", "path"]),
        "planted-diagonal": ("planted.svm", ["--engine", "diagonal", "--max-stages", "10"]),
        "pair-diagonal": ("pair.svm", ["--engine", "diagonal"]),
        "pair-dqn": ("pair.svm", ["--engine", "dqn", "--max-stages", "3", *balanced]),
        "pair-dqn-to-its-end": ("pair.svm", ["--engine", "dqn", *balanced], True),
        "pair-path": ("pair.svm", ["--engine", "path", "--ridge", "off"]),
        "text-pairs": ("text.svm", [*pairs, "--max-stages", "1"]),
        "text-pairs-to-their-end": ("text.svm", pairs, True),
        "text-shrinkage": ("text.svm", ["--engine", "shrinkage"]),
    }
    for name, job in jobs.items():
        if arguments.short and name in SHORT:
            check_agreement(ranks, name, *job, counts=(2,))
        elif arguments.only in name and not arguments.short:
            check_agreement(ranks, name, *job)
    if arguments.short:
        check_parts(ranks)
        check_grid(ranks, points=20)
        check_refusals(ranks)
    elif not arguments.only:
        check_parts(ranks)
        check_grid(ranks, points=200)
        check_farm(ranks)
        check_dealt_out(ranks)
        check_refusals(ranks)


if __name__ == "__main__":
    main()
