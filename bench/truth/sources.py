"""Intervals of fluxes and places, of Gaussian noise and of counted photons; probabilities of presence."""

import numpy as np
from scipy.special import ndtr
from shares import Share

from ardent import SourceFinder

SIZE, SOURCES, SIGMA = 128, 30, 1.5
LEVELS = (("68%", 1.0, ".683"), ("95%", 1.96, ".95"))


def light(x, y, flux):
    """Gaussian sources integrated over pixels, which count from 0."""
    edges = np.arange(SIZE + 1) - 0.5

    def shares(at):
        return np.diff(ndtr((edges[None, :] - at[:, None]) / SIGMA), axis=1)

    return (shares(y) * flux[:, None]).T @ shares(x)


def scene(seed, photons):
    """Fluxes over a range in which all but the faintest are found."""
    random = np.random.default_rng([9, photons, seed])
    x, y = random.uniform(6, SIZE - 7, (2, SOURCES))
    flux = (2000 if photons else 60) * 10 ** random.uniform(0, 1, SOURCES)
    clean = light(x, y, flux)
    if photons:
        return (
            x,
            y,
            flux,
            random.poisson(100 + clean) - 100.0,
            {"gain": 1.0, "background": "constant"},
        )
    return x, y, flux, clean + random.standard_normal(clean.shape), {"background": "constant"}


def pairs(found, x, y):
    """(found, true) of those that are each other's nearest, a pixel apart at most, other true ones 6 pixels away."""
    for k in range(len(x)):
        others = np.delete(np.hypot(x - x[k], y - y[k]), k)
        apart = np.hypot(found["x"] - x[k], found["y"] - y[k])
        if len(apart) and apart.min() < 1 and others.min() > 6:
            yield int(apart.argmin()), k


def intervals(photons, fits):
    shares = {(what, level): Share() for what in ("flux", "place") for level, _, _ in LEVELS}
    for seed in range(fits):
        x, y, flux, image, options = scene(seed, photons)
        finder = SourceFinder(sigma=SIGMA, origin=0, random_state=seed, **options).fit(image)
        found, details = finder.sources_, finder.details_
        paired = list(pairs(found, x, y))
        for level, wide, _ in LEVELS:
            shares["flux", level].add(
                [abs(found["flux"][f] - flux[k]) < wide * found["flux_sd"][f] for f, k in paired]
            )
            shares["place", level].add(
                [abs(found["x"][f] - x[k]) < wide * details["x_sd"][f] for f, k in paired]
                + [abs(found["y"][f] - y[k]) < wide * details["y_sd"][f] for f, k in paired]
            )
    return shares


def faint(fits):
    """Sources about as bright as can be seen: probability of presence against truth."""
    bins = {(0.5, 0.8): Share(), (0.8, 0.95): Share(), (0.95, 0.999): Share()}
    means = {key: [] for key in bins}
    for seed in range(fits):
        random = np.random.default_rng([10, seed])
        x, y = random.uniform(6, SIZE - 7, (2, SOURCES))
        image = light(x, y, random.uniform(10, 40, SOURCES)) + random.standard_normal((SIZE, SIZE))
        found = SourceFinder(sigma=SIGMA, origin=0, random_state=seed).find(image)
        true = [np.hypot(x - s["x"], y - s["y"]).min() < 2.5 for s in found]
        for (low, high), share in bins.items():
            chosen = (found["probability"] >= low) & (found["probability"] < high)
            share.add(np.array(true, dtype=float)[chosen])
            means[low, high] += list(found["probability"][chosen])
    return bins, means


def lines(short):
    for photons in (False, True):
        kind = "counted photons" if photons else "Gaussian noise"
        shares = intervals(photons, 3 if short else 40)
        for (what, level), share in shares.items():
            nominal = next(n for name, _, n in LEVELS if name == level)
            yield share.line(f"SourceFinder, {kind}: {level} intervals of the {what}", nominal)
    bins, means = faint(3 if short else 60)
    for (low, high), share in bins.items():
        nominal = f"{np.mean(means[low, high]):.3f}" if means[low, high] else "none"
        yield share.line(
            f"SourceFinder, faint sources of probability {low} to {high}: present", nominal
        )
