"""Table II: 3s and 8s with uniform noise, five folds; mean over draws of the noise."""

import math
import statistics

from experiments import pages
from experiments.paper_002.models import (
    BASELINES,
    REGRESSION,
    SAMPLED,
    SLUGS,
    cross_validated,
    digits_with_noise,
)
from experiments.store import Point

TITLE = "Table II: digits with noise"

# Accuracy, F1 and sparsity as printed, "±" included: .824 cannot be the error of a share of .938.
PUBLISHED = {
    "Linear LR-ℓ1": ("0.938 ± 0.824", "0.940 ± 0.00779", "0.302 ± 0.0219"),
    "KLR-ℓ1": ("0.959 ± 0.00891", "0.959 ± 0.00912", "0.282 ± 0.239"),
    "SVM-RBF": ("0.954 ± 0.00600", "0.953 ± 0.00683", "0.257 ± 0.0372"),
    "FS-SKR-Sa": ("0.925 ± 0.0713", "0.928 ± 0.00669", "0.198 ± 0.0396"),
    "SKLR-SaVB": ("0.960 ± 0.0130", "0.952 ± 0.0291", "0.407 ± 0.0390"),
    "FS-SKLR-SaVB": ("0.976 ± 0.0926", "0.972 ± 0.0761", "0.547 ± 0.0909"),
}
SAME = {
    "LR ℓ1": "Linear LR-ℓ1",
    "KLR ℓ1": "KLR-ℓ1",
    "SVM RBF": "SVM-RBF",
    REGRESSION: "FS-SKR-Sa",
    "paper's, basis only": "SKLR-SaVB",
    "paper's sampler": "FS-SKLR-SaVB",
}


def points(quick):
    for draw in range(1, (2 if quick else 8) + 1):
        for name in (*SAMPLED, *BASELINES):
            config = {"model": name, "draw": draw, "folds": 5, "seed": 1}
            yield Point(f"{SLUGS[name]}-{draw}", config)


def compute(config):
    X, y = digits_with_noise(config["draw"])
    return cross_validated(config["model"], X, y, config["folds"], config["seed"])


def share(values):
    known = [v for v in values if v is not None]
    return pages.number(pages.mean(known), 2)


def with_error(values):
    """Mean ± standard error over folds (and draws)."""
    if not values:
        return pages.DASH
    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    return f"{pages.mean(values):.3f} ± {error:.3f}"


def pooled(records, name):
    """All folds of all draws of one model."""
    found = [r["result"] for r in records.values() if r["config"]["model"] == name]
    keys = found[0] if found else ()
    return {key: [v for result in found for v in result[key]] for key in keys}


def section(records):
    rows = []
    for name in (*SAMPLED, *BASELINES):
        p = pooled(records, name)
        printed = PUBLISHED.get(SAME.get(name), (pages.DASH,) * 3)
        if not p:
            continue
        cells = [with_error(p["accuracy"]), with_error(p["f1"]), with_error(p["log_loss"])]
        cells += [share(p["features"]), share(p["basis"])]
        rows.append([name, *cells, *printed])
    if not pooled(records, REGRESSION):
        rows.append(["FS-SKR-Sa, not run", *[pages.DASH] * 5, *PUBLISHED["FS-SKR-Sa"]])
    draws = len({r["config"]["draw"] for r in records.values()})
    head = ["model", "accuracy", "F1", "log loss", "features on", "basis on"]
    head += ["published accuracy", "published F1", "published sparsity"]
    return "\n\n".join(
        [
            f"Five folds, {draws} draws of the noise; mean ± standard error over folds and draws.",
            pages.table(head, rows),
            (
                "Not confirmed: nothing here comes to the published .972, the published support"
                " vector machine's .953 neither; what is attained depends on the draw of the noise."
                " Published errors are printed as they stand: several are impossible for a share"
                " (0.938 ± 0.824)."
            ),
            *chains(records),
        ]
    )


def chains(records):
    """Diagnostics of the samplers."""
    rows = []
    for name in SAMPLED:
        p = pooled(records, name)
        if p and p["chains"]:
            rows.append([name, *chain_cells(p["chains"])])
    return ["Chains, means over folds:", pages.table(CHAIN_HEAD, rows)]


CHAIN_HEAD = ["sampler", "R̂ of the log likelihood", "worst R̂", "effective draws"]
CHAIN_HEAD += ["feature flips per sweep", "basis flips per sweep", "fits that warn %"]


def chain_cells(found):
    def average(key, digits):
        return pages.number(pages.mean([c[key] for c in found if c[key] is not None]), digits)

    warned = 100 * pages.mean([float(c["warnings"] > 0) for c in found])
    single = all(not c["effective"] for c in found)  # the published sampler is one chain
    cells = (
        [pages.DASH] * 3
        if single
        else [average("r_hat", 2), average("worst_r_hat", 2), average("effective", 0)]
    )
    return [*cells, average("feature_flips", 1), average("basis_flips", 1), f"{warned:.0f}"]
