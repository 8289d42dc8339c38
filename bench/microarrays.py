"""Planted microarrays: several classes of many more columns than rows, against l1 and l2 by folds.

Genes come in modules of about 25 that share a factor, under three factors of all genes; each has a unit and a
base of its own. Each class shifts its own genes (or whole modules). 500 fresh rows; columns of the peers have mean 0
and standard deviation 1, their C is chosen by the log loss of folds; l2 is multinomial, l1 one against the rest.
Accuracy, log loss and CPU seconds, means over seeds.

    .venv/bin/python bench/microarrays.py [--seeds 3] [--first 0] [--only spread-4,sparse-8]
        [--models default,pairs,l1,l2]
"""

import argparse
import time
import warnings

import numpy as np
from sklearn.linear_model import LogisticRegressionCV
from sklearn.model_selection import StratifiedKFold
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ardent import ARDClassifier

FAMILY = {
    # rows, columns, classes, what each class shifts, by how much (times a standard normal), of which kind
    "spread-4": (60, 2000, 4, 150, 0.6, "genes"),
    "spread-4-weaker": (170, 4000, 4, 60, 0.45, "genes"),
    "spread-11": (170, 4000, 11, 80, 1.0, "genes"),
    "modules-4": (50, 3000, 4, 10, 0.9, "modules"),
    "modules-11": (150, 3000, 11, 8, 1.2, "modules"),
    "sparse-4": (100, 2000, 4, 4, 1.6, "genes"),
    "sparse-8": (120, 2000, 8, 4, 1.8, "genes"),
    "subtle-4": (170, 3000, 4, 200, 0.25, "genes"),
}
FEWEST = 4  # rows of each class


class Planted:
    """A problem of the family, whose draws share genes and classes."""

    def __init__(self, name, seed):
        _, cols, classes, shifted, effect, kind = FAMILY[name]
        self.random = random = np.random.default_rng([seed, sum(map(ord, name))])
        self.modules = cols // 25
        self.block = random.integers(0, self.modules, cols)
        self.loading = random.uniform(0.3, 0.9, cols) * random.choice([-1, 1], cols)
        self.common = random.normal(0, 0.25, (3, cols))
        self.noise = np.sqrt(1 - self.loading**2)
        self.genes = np.zeros((classes, cols))
        self.factors = np.zeros((classes, self.modules))
        where = self.genes if kind == "genes" else self.factors
        for row in where:
            chosen = random.choice(len(row), shifted, replace=False)
            row[chosen] = effect * random.normal(0, 1, shifted)
        self.share = random.dirichlet(np.full(classes, 8.0))
        self.unit, self.base = np.exp(random.normal(0, 0.5, cols)), random.normal(7, 2, cols)

    def draw(self, rows):
        random, classes = self.random, len(self.share)
        y = random.choice(classes, rows, p=self.share)
        while np.bincount(y, minlength=classes).min() < FEWEST:
            y = random.choice(classes, rows, p=self.share)
        factors = random.standard_normal((rows, self.modules)) + self.factors[y]
        x = factors[:, self.block] * self.loading + random.standard_normal((rows, 3)) @ self.common
        x += self.noise * random.standard_normal(x.shape) + self.genes[y]
        return self.base + self.unit * x, y


def folds():
    return StratifiedKFold(4, shuffle=True, random_state=0)


def l1_by_folds():
    one = LogisticRegressionCV(
        Cs=np.logspace(-2, 2, 9),
        l1_ratios=[1.0],
        solver="liblinear",
        cv=folds(),
        scoring="neg_log_loss",
        intercept_scaling=10,
        use_legacy_attributes=False,
    )
    return make_pipeline(StandardScaler(), OneVsRestClassifier(one))


class RidgeByFolds:
    """Multinomial l2 in the space of the rows, in which it is the same and quick."""

    def fit(self, x, y):
        self.scale = StandardScaler().fit(x)
        z = self.scale.transform(x)
        u, d, self.axes = np.linalg.svd(z, full_matrices=False)
        values = 1 / (np.mean(d**2) * np.logspace(2, -4, 13))
        self.model = LogisticRegressionCV(
            Cs=values,
            l1_ratios=[0.0],
            cv=folds(),
            scoring="neg_log_loss",
            max_iter=1000,
            use_legacy_attributes=False,
        ).fit(u * d, y)
        return self

    def predict_proba(self, x):
        return self.model.predict_proba(self.scale.transform(x) @ self.axes.T)


def scores(model, x, y, xt, yt):
    begin = time.process_time()
    model.fit(x, y)
    seconds = time.process_time() - begin
    p = model.predict_proba(xt)
    right = np.mean(p.argmax(axis=1) == yt)
    return right, -np.mean(np.log(np.clip(p[np.arange(len(yt)), yt], 1e-12, 1))), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--only", default=",".join(FAMILY))
    parser.add_argument("--models", default="default,pairs,l1,l2")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    models = {
        "default": ARDClassifier,
        "pairs": lambda: ARDClassifier(multiclass="ovo"),
        "l1": l1_by_folds,
        "l2": RidgeByFolds,
    }
    for name in arguments.only.split(","):
        runs = {model: [] for model in arguments.models.split(",")}
        for seed in range(arguments.first, arguments.first + arguments.seeds):
            problem = Planted(name, seed)
            data = (*problem.draw(FAMILY[name][0]), *problem.draw(500))
            for model, all_scores in runs.items():
                all_scores.append(scores(models[model](), *data))
        cells = [
            f"{model} {'{:.3f} {:.3f} ({:.1f} s)'.format(*np.mean(values, axis=0))}"
            for model, values in runs.items()
        ]
        print(f"{name:16}", "  ".join(cells), flush=True)


if __name__ == "__main__":
    main()
