#!/usr/bin/env python3
"""Planted stars under noise that is not white and skies that are not even (`make bench-skies`).

    .venv/bin/python bench/skies.py ARDENT [--scenes N] [--seed S]

Scenes of 256 × 256 pixels with eight stars (Gaussians, σ = 1.5) of each peak over the noise of a pixel, nowhere
nearer than 8 pixels to each other or 4 half-light radii to a galaxy. False is a source farther than 2 pixels from
all stars and 4 half-light radii from all galaxies. Skies:

- white: independent pixels, an even sky;
- summed: three frames of white noise, each moved by a random part of a pixel (linear interpolation) and summed;
- lumpy: white noise, and lumps of a spectrum 1/f² from 4 to 64 pixels, 0.4 standard deviations of the noise;
- sloping: white noise, and a slope and a bowl of two standard deviations each;
- galaxies: white noise, and 25 exponential discs with half-light radii of 2 to 5 pixels;
- all of it: summed, lumpy, sloping and with galaxies.

One line is ardent as it comes, the other what it was before: a constant sky and independent pixels.
"""

import argparse
import csv
import pathlib
import subprocess
import tempfile

import numpy as np

SIDE = 256
PEAKS = (3, 4, 5, 6, 8, 12, 20)
EACH = 8
WAYS = {
    "as it comes": (),
    "constant sky, independent pixels": ("--background", "constant", "--noise-scale", "pixel"),
}


def summed(rng):
    total = np.zeros((SIDE, SIDE))
    for _ in range(3):
        frame = rng.normal(size=(SIDE + 1, SIDE + 1))
        u, v = rng.uniform(size=2)
        rows = (1 - u) * frame[:-1] + u * frame[1:]
        total += (1 - v) * rows[:, :-1] + v * rows[:, 1:]
    return total / total.std()


def lumps(rng):
    f = np.hypot(np.fft.fftfreq(SIDE)[:, None], np.fft.rfftfreq(SIDE)[None])
    inside = (f > 1 / 64) & (f < 1 / 4)
    shape = np.where(inside, 1 / np.maximum(f, 1e-9), 0)  # of amplitudes: 1/f² of powers
    field = np.fft.irfft2(np.fft.rfft2(rng.normal(size=(SIDE, SIDE))) * shape, s=(SIDE, SIDE))
    return 0.4 * field / field.std()


def slope(rng):
    y, x = np.mgrid[-1 : 1 : SIDE * 1j, -1 : 1 : SIDE * 1j]
    angle = rng.uniform(0, 2 * np.pi)
    return np.cos(angle) * x + np.sin(angle) * y + x * x + y * y


def galaxies(rng, number=25):
    """Their light, and the places and half-light radii."""
    rows, columns = np.mgrid[:SIDE, :SIDE]
    light, known = np.zeros((SIDE, SIDE)), []
    for _ in range(number):
        x, y = rng.uniform(10, SIDE - 11, size=2)
        radius, peak, flat = rng.uniform(2, 5), rng.uniform(3, 15), rng.uniform(0.4, 1)
        angle = rng.uniform(0, np.pi)
        u = (columns - x) * np.cos(angle) + (rows - y) * np.sin(angle)
        v = ((rows - y) * np.cos(angle) - (columns - x) * np.sin(angle)) / flat
        light += peak * np.exp(-1.678 * np.hypot(u, v) / radius)
        known.append((x, y, radius))
    return light, np.array(known)


SKIES = {
    "white": lambda rng: (rng.normal(size=(SIDE, SIDE)), None),
    "summed": lambda rng: (summed(rng), None),
    "lumpy": lambda rng: (rng.normal(size=(SIDE, SIDE)) + lumps(rng), None),
    "sloping": lambda rng: (rng.normal(size=(SIDE, SIDE)) + slope(rng), None),
    "galaxies": lambda rng: (lambda g: (g[0] + rng.normal(size=(SIDE, SIDE)), g[1]))(galaxies(rng)),
    "all of it": lambda rng: (lambda g: (g[0] + summed(rng) + lumps(rng) + slope(rng), g[1]))(
        galaxies(rng)
    ),
}


def gaps(places, others):
    return np.hypot(*(places[:, None] - others[None]).transpose(2, 0, 1))


def scene(sky, rng):
    """Image, places of stars with the index of their peaks, galaxies."""
    image, known = SKIES[sky](rng)
    places, kinds = np.zeros((0, 2)), np.repeat(np.arange(len(PEAKS)), EACH)
    rows, columns = np.mgrid[:SIDE, :SIDE]
    for kind in kinds:
        while True:
            place = rng.uniform(8, SIDE - 9, size=2)
            if len(places) and gaps(place[None], places).min() < 8:
                continue
            if known is None or np.all(
                gaps(place[None], known[:, :2])[0] > np.maximum(8, 4 * known[:, 2])
            ):
                break
        places = np.vstack([places, place])
        image = image + PEAKS[kind] * np.exp(
            -((columns - place[0]) ** 2 + (rows - place[1]) ** 2) / (2 * 1.5**2)
        )
    return 100 + 10 * image, places, kinds, known


def found_by(command, path, folder, options):
    run = [command, "locate", path, *options, "-o", folder / "found.csv"]
    subprocess.run(run, check=True, capture_output=True)
    with open(folder / "found.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    return np.array([(float(r["x"]) - 1, float(r["y"]) - 1) for r in rows]).reshape(-1, 2)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ardent", type=pathlib.Path)
    parser.add_argument("--scenes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    total = asked.scenes * EACH
    print(f"| sky | | false | {' | '.join(f'{peak} σ' for peak in PEAKS)} |")
    print("|---" * (len(PEAKS) + 3) + "|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for index, sky in enumerate(SKIES):
            false = dict.fromkeys(WAYS, 0)
            hits = {way: np.zeros(len(PEAKS), int) for way in WAYS}
            for number in range(asked.scenes):
                rng = np.random.default_rng([asked.seed, index, number])
                image, stars, kinds, known = scene(sky, rng)
                np.save(folder / "scene.npy", image)
                for way, options in WAYS.items():
                    found = found_by(asked.ardent.resolve(), folder / "scene.npy", folder, options)
                    if not len(found):
                        continue
                    met = gaps(found, stars)
                    wrong = met.min(axis=1) > 2
                    if known is not None:
                        wrong &= np.all(gaps(found, known[:, :2]) > 4 * known[:, 2], axis=1)
                    false[way] += int(wrong.sum())
                    hits[way] += np.bincount(kinds[met.min(axis=0) <= 1.5], minlength=len(PEAKS))
            for way in WAYS:
                share = " | ".join(str(hit) for hit in hits[way])
                print(f"| {sky} | {way} | {false[way]} | {share} |", flush=True)
    print(f"\nOf {total} stars of each peak in {asked.scenes} scenes, seed {asked.seed}.")


if __name__ == "__main__":
    main()
