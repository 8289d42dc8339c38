"""95% intervals of fresh observations, by every regressor."""

import numpy as np
from shares import Share, within

from ardent import ARDRegressor, DoublySparseRegressor, RVMRegressor, SBELMRegressor

FRESH = 200
# rows, columns, weights that are not 0, fits
LINEAR = [(40, 60, 5, 30), (100, 20, 5, 30), (100, 200, 10, 20), (200, 1000, 10, 8), (1000, 100, 20, 10),
          (5000, 1000, 20, 2)]  # fmt: skip


def linear(rows, cols, true, fits):
    share = Share()
    for seed in range(fits):
        random = np.random.default_rng([1, rows, cols, seed])
        weights = np.zeros(cols)
        weights[random.permutation(cols)[:true]] = random.standard_normal(true)
        x, fresh = random.standard_normal((rows, cols)), random.standard_normal((FRESH, cols))
        y = x @ weights + random.standard_normal(rows)
        model = ARDRegressor(random_state=seed).fit(x, y)
        share.add(
            within(fresh @ weights + random.standard_normal(FRESH), *model.predict_interval(fresh))
        )
    return share


def wave(x):
    return np.sin(2 * x[:, 0]) + 0.3 * x[:, 0]


def wave_with_a_gap(model_of, fits):
    """100 rows on [-4, 4] without (-1, 1): fresh rows where the data are, and in the gap."""
    inside, between = Share(), Share()
    for seed in range(fits):
        random = np.random.default_rng([2, seed])
        x = random.uniform(1, 4, (100, 1)) * np.where(random.random((100, 1)) < 0.5, -1, 1)
        y = wave(x) + 0.1 * random.standard_normal(100)
        model = model_of(seed).fit(x, y)
        fresh = random.uniform(1, 4, (FRESH, 1)) * np.where(random.random((FRESH, 1)) < 0.5, -1, 1)
        gap = random.uniform(-1, 1, (FRESH, 1))
        for share, at in ((inside, fresh), (between, gap)):
            truth = wave(at) + 0.1 * random.standard_normal(FRESH)
            share.add(within(truth, *model.predict_interval(at)))
    return inside, between


def friedman(model_of, rows, cols, fits):
    """Friedman's function of five of the columns, uniform on [0, 1]."""

    def mean(x):
        return (
            10 * np.sin(np.pi * x[:, 0] * x[:, 1])
            + 20 * (x[:, 2] - 0.5) ** 2
            + 10 * x[:, 3]
            + 5 * x[:, 4]
        )

    share = Share()
    for seed in range(fits):
        random = np.random.default_rng([3, rows, cols, seed])
        x, fresh = random.uniform(size=(rows, cols)), random.uniform(size=(FRESH, cols))
        model = model_of(seed).fit(x, mean(x) + random.standard_normal(rows))
        share.add(
            within(mean(fresh) + random.standard_normal(FRESH), *model.predict_interval(fresh))
        )
    return share


def rvm(variance="augmented"):
    return lambda seed: RVMRegressor(variance=variance, random_state=seed)


def sbelm(seed):
    return SBELMRegressor(random_state=seed)


def chains(seed):
    return DoublySparseRegressor(chains=2, burn_in=100, sweeps=200, random_state=seed)


def lines(short):
    def fits(count):
        return 2 if short else count

    for rows, cols, true, count in LINEAR if not short else LINEAR[:2]:
        what = f"ARDRegressor, {rows} × {cols}, {true} weights: 95% intervals"
        yield linear(rows, cols, true, fits(count)).line(what, ".95")
    for what, model_of, count in [
        ("RVMRegressor", rvm(), 20),
        ("RVMRegressor, variance='posterior'", rvm("posterior"), 20),
        ("SBELMRegressor", sbelm, 20),
        ("DoublySparseRegressor", chains, 5),
    ]:
        inside, between = wave_with_a_gap(model_of, fits(count))
        yield inside.line(f"{what}, 100 × 1, where the data are: 95% intervals", ".95")
        yield between.line(f"{what}, 100 × 1, in a gap of the data: 95% intervals", ".95")
    for what, model_of, count in [
        ("RVMRegressor", rvm(), 8),
        ("SBELMRegressor", sbelm, 8),
        ("DoublySparseRegressor", chains, 4),
    ]:
        yield friedman(model_of, 200, 10, fits(count)).line(
            f"{what}, Friedman's function, 200 × 10: 95% intervals", ".95"
        )
