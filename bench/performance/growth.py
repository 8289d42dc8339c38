"""Seconds and memory against rows, columns, values per row, atoms and pixels: exponents beside theory."""

import pathlib
import tempfile

import numpy as np
from timing import command


def synth(settings, folder, rows, columns, nonzeros):
    cache = folder / "growth.cache"
    size = ("--rows", rows, "--columns", columns, "--nonzeros", nonzeros)
    command(settings.ardent, "synth", "-o", cache, *size, "--relevant", 20, "--seed", 1)
    return ("train", cache, "--engine", "diagonal", "--max-stages", 20, "-o", folder / "model")


def code(folder, atoms):
    random = np.random.default_rng(0)
    for name, count in (("atoms.npy", atoms), ("signals.npy", 20)):
        rows = random.standard_normal((count, 200))
        np.save(folder / name, rows / np.linalg.norm(rows, axis=1, keepdims=True))
    words = ("--method", "lasso", "--lambda-ratio", 0.3, "-o", folder / "codes.npz")
    return ("code", folder / "atoms.npy", folder / "signals.npy", *words)


def locate(settings, folder, side):
    image = folder / "sky.fits"
    scene = ("--sources", side * side // 400, "--size", f"{side}x{side}", "--sigma", 1.5)
    command(settings.ardent, "scene", "-o", image, *scene, "--noise", 0.002, "--seed", 1)
    return ("locate", image, "--sigma", 1.5, "-o", folder / "found.csv")


def families(settings, folder):
    """Name, theory's exponent, sizes, and the command for one size."""
    return [
        ("rows × 100,000, 50 values", 1, (20000, 40000, 80000, 160000),
         lambda n: synth(settings, folder, n, 100000, 50)),
        ("columns, 40,000 rows of 50 values", 0, (50000, 100000, 200000, 400000),
         lambda n: synth(settings, folder, 40000, n, 50)),
        ("values per row, 40,000 × 100,000", 1, (25, 50, 100, 200),
         lambda n: synth(settings, folder, 40000, 100000, n)),
        ("atoms of 200 numbers, 20 signals", 1, (5000, 10000, 20000, 40000),
         lambda n: code(folder, n)),
        ("pixels, a source on 400", 1, (128, 256, 512, 1024),
         lambda n: locate(settings, folder, n)),
    ]  # fmt: skip


def rows(settings):
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for name, theory, sizes, words in families(settings, folder):
            used = []
            for size in sizes:
                work = words(size)
                used.append(command(settings.ardent, *work, "--threads", 1)[0])
            lengths = [n * n if name.startswith("pixels") else n for n in sizes]
            slope = [
                float(np.polyfit(np.log(lengths), np.log(values), 1)[0])
                for values in ([u.cpu for u in used], [u.mebibytes for u in used])
            ]
            yield {
                "name": name,
                "theory": theory,
                "sizes": lengths,
                "seconds": [u.cpu for u in used],
                "mebibytes": [u.mebibytes for u in used],
                "time_exponent": slope[0],
                "memory_exponent": slope[1],
            }


def measured(settings):
    return list(rows(settings))
