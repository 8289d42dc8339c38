"""What is found where there is nothing: columns, kernels, sources."""

import numpy as np

from ardent import ARDClassifier, ARDRegressor, RVMRegressor, SourceFinder

SHAPES = [(40, 60, 40), (100, 20, 40), (200, 200, 20), (1000, 50, 10)]  # rows, columns, fits


def columns(estimator, rows, cols, fits, classes):
    """Columns kept of each fit."""
    kept = []
    for seed in range(fits):
        random = np.random.default_rng([6, rows, cols, seed])
        x, y = random.standard_normal((rows, cols)), random.standard_normal(rows)
        model = estimator(random_state=seed).fit(x, y > np.median(y) if classes else y)
        kept.append(len(model.active_))
    return np.array(kept)


def line(what, nominal, counts, per):
    counts = np.asarray(counts, dtype=float)
    error = counts.std(ddof=1) / np.sqrt(len(counts)) if len(counts) > 1 else 0
    return f"| {what} | {nominal} | {counts.mean():.3f} | {error:.3f} | {len(counts)} {per} |"


def kernels(fits):
    kept = []
    for seed in range(fits):
        random = np.random.default_rng([7, seed])
        model = RVMRegressor(random_state=seed).fit(
            random.standard_normal((100, 2)), random.standard_normal(100)
        )
        kept.append(len(model.active_))
    return kept


def images(size, count):
    """Sources per million pixels of noise, and how many their probabilities admit to be none."""
    found, admitted = [], []
    for seed in range(count):
        image = np.random.default_rng([8, seed]).standard_normal((size, size))
        sources = SourceFinder(sigma=1.5, random_state=seed).find(image)
        found.append(len(sources) * 1e6 / size**2)
        admitted.append((1 - sources["probability"]).sum() * 1e6 / size**2)
    return found, np.mean(admitted)


def lines(short):
    for rows, cols, fits in SHAPES[:2] if short else SHAPES:
        for estimator, classes in ((ARDRegressor, False), (ARDClassifier, True)):
            kept = columns(estimator, rows, cols, 3 if short else fits, classes)
            some = f"columns kept ({(kept > 0).sum()} fits keep any)"
            yield line(f"{estimator.__name__}, {rows} × {cols} of noise: {some}", "0", kept, "fits")
    yield line(
        "RVMRegressor, 100 × 2 of noise: kernels kept", "0", kernels(3 if short else 20), "fits"
    )
    found, admitted = images(256, 3 if short else 30)
    what = "SourceFinder, noise alone: sources in a million pixels (nominal: Σ(1 − probability))"
    yield line(what, f"{admitted:.1f}", found, "images of 256²")
