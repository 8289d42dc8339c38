"""The rbf map's whole answer (width by folds, and the fit) beside LIBSVM's search over C at one width.

Means over splits 3/4-1/4. Before: exact at twice the median distance, the default until 0.1's rbf had a
choice of its own. LIBSVM (scikit-learn's SVC): 11 values of C, five folds, then a fit with probabilities.
CPU seconds of one thread; what a peer wins is in bold. Regressions have RMSE and negative log predictive
density; gaps say how many values between the data 95% intervals cover.

    .venv/bin/python bench/kernels.py build/bin/ardent [--splits 4] [--only classes|regressions|gaps|growth]
"""

import argparse
import json
import lzma
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[_name] = "1"

try:
    import numpy as np
    from sklearn.datasets import load_svmlight_file
    from sklearn.metrics import log_loss
    from sklearn.model_selection import GridSearchCV
    from sklearn.preprocessing import MinMaxScaler
    from sklearn.svm import SVC
except ImportError as missing:
    print(f"skipped: {missing}; pip install scikit-learn numpy")
    sys.exit(0)

CLASSES = [
    "german.numer",
    "diabetes",
    "heart",
    "australian",
    "ionosphere",
    "sonar",
    "messidor",
    "breast-cancer",
    "digits38",
]
REGRESSIONS = ["mpg", "tecator-fat", "abalone"]
GAPS = {
    "sin x + .3x": lambda x: np.sin(x) + 0.3 * x,
    "sin 2x": lambda x: np.sin(2 * x),
    "cos 3x": lambda x: np.cos(3 * x),
}


def data_folder():
    return Path(os.environ.get("ARDENT_DATA", "../shared/data"))


def load(name):
    with lzma.open(data_folder() / f"{name}.libsvm.xz") as stream:
        x, y = load_svmlight_file(stream)
    return x.toarray(), y


def write(path, x, y):
    """CSV, so that a feature that is 0 in one part is there all the same."""
    names = [f"x{j}" for j in range(x.shape[1])] + ["y"]
    np.savetxt(path, np.c_[x, y], delimiter=",", header=",".join(names), comments="", fmt="%.17g")


class Ardent:
    """The program under test, with its CPU seconds."""

    def __init__(self, program, folder):
        self.program, self.folder = program, Path(folder)

    def run(self, *words):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [self.program, *map(str, words), "--json", "--threads", "1"],
            capture_output=True,
            text=True,
            check=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return json.loads(done.stdout)

    def answer(self, train, test, task, *options):
        """What training reports, predictions for the test rows, and the seconds of training."""
        model = self.folder / "kernels.model"
        for name, (x, y) in (("train.csv", train), ("test.csv", test)):
            write(self.folder / name, x, y)
        words = ("--label", "y", "--map", "rbf", "--task", task, "-o", model, *options)
        report = self.run("train", self.folder / "train.csv", *words)
        seconds = self.seconds
        predicted = self.run("predict", model, self.folder / "test.csv", "--label", "y")
        return report, predicted, seconds


def split(x, y, seed, most=1200):
    order = np.random.default_rng(seed).permutation(len(y))[:most]
    cut = 3 * len(order) // 4
    return (x[order[:cut]], y[order[:cut]]), (x[order[cut:]], y[order[cut:]])


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def libsvm(train, test):
    """Accuracy, log loss and seconds of the search and of the last fit."""
    scale = MinMaxScaler((-1, 1)).fit(train[0])
    x, fresh = scale.transform(train[0]), scale.transform(test[0])
    begin = cpu_seconds()
    grid = {"C": 2.0 ** np.arange(-5, 16, 2)}
    search = GridSearchCV(SVC(gamma="scale"), grid, cv=5, refit=False).fit(x, train[1])
    searched = cpu_seconds() - begin
    best = SVC(gamma="scale", probability=True, random_state=0, **search.best_params_)
    best.fit(x, train[1])
    p = best.predict_proba(fresh)
    return best.score(fresh, test[1]), log_loss(test[1], p, labels=best.classes_), searched


def class_scores(predicted, y):
    classes = np.array([float(c) for c in predicted["labels"]])
    p = np.array(predicted["probabilities"])
    order = np.argsort(classes)
    hits = [float(c) == truth for c, truth in zip(predicted["predictions"], y)]
    return np.mean(hits), log_loss(y, p[:, order], labels=classes[order])


def widest(ardent, train, test):
    """Twice the median distance of all features alike, from the note on the width that was chosen."""
    report = ardent.answer(train, test, "classification", "--widths", "common")[0]
    note = next(n for n in report["parts"][0]["notes"] if n.startswith("sigma: "))
    sigma, factor = float(note.split()[1].rstrip(",")), float(note.split()[2])
    return 2 * sigma / factor


def bench_classes(ardent, splits):
    print("| set | default: accuracy / log loss / s | before | LIBSVM, its search's s |")
    print("|---|---|---|---|")
    rows = []
    for name in CLASSES:
        x, y = load(name)
        found = []
        for seed in range(splits):
            train, test = split(x, y, seed)
            _, predicted, seconds = ardent.answer(train, test, "classification")
            own = (*class_scores(predicted, test[1]), seconds)
            width = widest(ardent, train, test)
            options = ("--sigma", width, "--engine", "exact", "--centres", 0)
            _, predicted, seconds = ardent.answer(train, test, "classification", *options)
            before = (*class_scores(predicted, test[1]), seconds)
            found.append((own, before, libsvm(train, test)))
        rows.append(np.mean(found, axis=0))
        print(table_row(name, rows[-1]), flush=True)
    print(table_row("mean", np.mean(rows, axis=0)))


def table_row(name, scores):
    best = scores[:, 0].max(), scores[:, 1].min(), scores[:, 2].min()
    cells = []
    for accuracy, loss, seconds in scores:
        texts = f"{accuracy:.3f}", f"{loss:.3f}", f"{seconds:.2f}"
        wins = accuracy == best[0], loss == best[1], seconds == best[2]
        cells.append(" / ".join(f"**{t}**" if w else t for t, w in zip(texts, wins)))
    return f"| {name} | " + " | ".join(cells) + " |"


def regression_scores(predicted, y):
    mean, sd = np.array(predicted["predictions"]), np.array(predicted["sd"])
    density = 0.5 * np.log(2 * np.pi * sd**2) + (y - mean) ** 2 / (2 * sd**2)
    inside = np.abs(y - mean) < 1.96 * sd
    return np.sqrt(np.mean((y - mean) ** 2)), np.mean(density), np.mean(inside)


def arm(rows, features, seed):
    """The reach of a robot's arm of three joints; the other features say nothing."""
    random = np.random.default_rng(seed)
    x = random.uniform(-1, 1, (rows, features))
    angle = np.cumsum(np.pi / 2 * x[:, :3], axis=1)
    y = np.hypot(np.cos(angle).sum(1), np.sin(angle).sum(1))
    return x, y + 0.05 * random.standard_normal(rows)


def bench_regressions(ardent, splits):
    print("\n| set | default: RMSE / NLPD / covered / s | `--widths per-feature` |")
    print("|---|---|---|")
    problems = {name: load(name) for name in REGRESSIONS}
    problems["arm, 3 of 8 features"] = arm(800, 8, 0)
    for name, (x, y) in problems.items():
        found = []
        for seed in range(splits):
            train, test = split(x, y, seed, 800)
            scores = []
            for options in ((), ("--widths", "per-feature")):
                _, predicted, seconds = ardent.answer(train, test, "regression", *options)
                scores.append((*regression_scores(predicted, test[1]), seconds))
            found.append(scores)
        cells = [" / ".join(f"{v:.3f}" for v in row) for row in np.mean(found, axis=0)]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def bench_gaps(ardent, seeds):
    """100 rows on [-4, 4] without (-g, g), noise .1."""
    print("\n| covered in the gap (-g, g) | g = 0.7 | 1 | 1.5 | kernels alone, 0.7 | 1 | 1.5 |")
    print("|---|---|---|---|---|---|---|")
    for name, f in GAPS.items():
        cells = []
        for variance in ("augmented", "posterior"):
            for gap in (0.7, 1.0, 1.5):
                inside = []
                for seed in range(seeds):
                    random = np.random.default_rng(seed)
                    side = np.where(np.arange(100) % 2 == 0, 1, -1)
                    x = side * (gap + (4 - gap) * random.random(100))
                    fresh = np.arange(0.05 - gap, gap, 0.1)
                    train = x[:, None], f(x) + 0.1 * random.standard_normal(100)
                    test = fresh[:, None], f(fresh) + 0.1 * random.standard_normal(len(fresh))
                    words = ("--variance", variance)
                    _, predicted, _ = ardent.answer(train, test, "regression", *words)
                    inside.append(regression_scores(predicted, test[1])[2])
                cells.append(f"{np.mean(inside):.2f}")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def bench_growth(ardent):
    """CPU seconds of one fit at a fixed width, and of the whole answer."""
    print("\n| rows x 3 | sigma given | default | LIBSVM's search |")
    print("|---|---|---|---|")
    random = np.random.default_rng(0)
    times = []
    for rows in (500, 1000, 2000, 4000, 8000, 20000):
        x = random.uniform(-1, 1, (rows, 3))
        y = np.where(np.sin(3 * x).sum(1) + 0.5 * random.standard_normal(rows) > 0, 1, -1)
        test = x[:10], y[:10]
        fixed = ardent.answer((x, y), test, "classification", "--sigma", 1)[2]
        whole = ardent.answer((x, y), test, "classification")[2]
        peer = f"{libsvm((x, y), test)[2]:.1f}" if rows <= 1000 else "-"
        print(f"| {rows} | {fixed:.2f} | {whole:.2f} | {peer} |", flush=True)
        times.append((rows, fixed))
    logs = np.log(times)
    print(f"\ngrowth of a fit: rows^{np.polyfit(logs[:, 0], logs[:, 1], 1)[0]:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--splits", type=int, default=4)
    parser.add_argument("--only", choices=["classes", "regressions", "gaps", "growth"])
    options = parser.parse_args()
    parts = {
        "classes": lambda a: bench_classes(a, options.splits),
        "regressions": lambda a: bench_regressions(a, options.splits),
        "gaps": lambda a: bench_gaps(a, 2 * options.splits),
        "growth": bench_growth,
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, part in parts.items():
            if options.only in (None, name):
                part(Ardent(options.program, folder))


if __name__ == "__main__":
    main()
