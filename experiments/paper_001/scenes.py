"""Scenes of point sources and dictionaries of single ones (equations 57, 59 to 63)."""

import numpy as np
from scipy.special import erf

SIZE = 28


def spot(x, y, sigma):
    """Light of a source, integrated over the pixels 1..28, as a vector of unit norm."""
    pixels = np.arange(1, SIZE + 1)

    def share(centre):
        upper, lower = (pixels - centre + 0.5), (pixels - centre - 0.5)
        return 0.5 * (erf(upper / (np.sqrt(2) * sigma)) - erf(lower / (np.sqrt(2) * sigma)))

    image = np.outer(share(y), share(x)).ravel()
    return image / np.linalg.norm(image)


def dictionary(atoms, seed):
    """Atoms, one per row, and their (x, y, sigma), sampled as the paper does."""
    rng = np.random.default_rng(seed)
    places = np.column_stack(
        [rng.uniform(1, SIZE, atoms), rng.uniform(1, SIZE, atoms), rng.uniform(1, 3, atoms)]
    )
    return np.array([spot(*place) for place in places]), places


def scene(seed, decibels, sources=4):
    """Clean image, noisy image, true (x, y, sigma), and the variance of the noise."""
    rng = np.random.default_rng(10_000 + seed)
    places = np.column_stack([rng.uniform(4, 25, (sources, 2)), rng.uniform(1, 3, sources)])
    clean = rng.uniform(0.5, 1.5, sources) @ np.array([spot(*place) for place in places])
    variance = float(np.mean(clean**2) / 10 ** (decibels / 10))
    return clean, clean + rng.normal(0, np.sqrt(variance), clean.shape), places, variance


def detections(code, places):
    """(x, y, |theta|) of the atoms in a code: each is a detection, as published."""
    used = np.flatnonzero(code)
    return np.column_stack([places[used, 0], places[used, 1], np.abs(code[used])])


def merged(found, radius=2.0):
    """Detections nearer than two pixels as one, below a twentieth of the largest dropped."""
    left = found[np.argsort(-found[:, 2])]
    groups = []
    while len(left):
        near = np.hypot(left[:, 0] - left[0, 0], left[:, 1] - left[0, 1]) < radius
        weight = left[near, 2]
        groups.append([*(weight @ left[near, :2] / weight.sum()), weight.sum()])
        left = left[~near]
    groups = np.array(groups).reshape(-1, 3)
    return groups[groups[:, 2] >= 0.05 * groups[:, 2].max()] if len(groups) else groups
