#!/usr/bin/env python3
"""A real field through ardent locate, SExtractor and photutils, each with its own defaults: docs/field.md.

    .venv/bin/python bench/field.py ARDENT FIELD.fits [--rounds N]

Nobody knows the truth of a real field. Three things can be counted all the same: what the others find,
too (within 2 pixels); what is found in the negative of the field, where the noise is the same and no
star is; and which of the stars that are put into it are found. Those are Moffat functions (β = 3) as wide as the
ten brightest sources of the field that stand alone are in the middle, at places further than 4 pixels from
all that anybody found before.

The second line of ardent is not its default: a constant sky and the noise of independent pixels.

photutils has no finder or PSF of its own choice: as its documentation does, DAOStarFinder at five standard
deviations of the clipped pixels, and a circular Gaussian whose width photutils.psf.fit_fwhm measures.
"""

import argparse
import csv
import io
import pathlib
import shutil
import subprocess
import tempfile
import time
import warnings

import numpy as np
from astropy import log
from astropy.io import fits
from astropy.modeling import fitting, models
from astropy.stats import sigma_clipped_stats
from photutils.background import LocalBackground, MMMBackground
from photutils.detection import DAOStarFinder
from photutils.psf import CircularGaussianPRF, PSFPhotometry, SourceGrouper, fit_fwhm

ROOT = pathlib.Path(__file__).resolve().parents[1]
NEAR = 2.0  # pixels
PEAKS = (2, 3, 4, 6, 10, 20)  # of the stars put in, in standard deviations of a pixel
PLAIN = "ardent, --background constant --noise-scale pixel"
PER_PEAK = 4  # of them in each round


def by_ardent(command, path, folder, *options):
    subprocess.run(
        [command, "locate", path, *options, "--threads", "1", "-o", folder / "ardent.csv"],
        check=True,
        capture_output=True,
    )
    with open(folder / "ardent.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    return np.array([(float(r["x"]) - 1, float(r["y"]) - 1) for r in rows]).reshape(-1, 2)


def by_sextractor(path, folder):
    """Debian's default.sex; the list of what is printed is ours."""
    shared = pathlib.Path("/usr/share/source-extractor")
    (folder / "columns.param").write_text("X_IMAGE\nY_IMAGE\nFLUX_AUTO\n")
    run = [
        "source-extractor",
        path,
        "-c",
        shared / "default.sex",
        "-FILTER_NAME",
        shared / "default.conv",
    ]
    run += ["-STARNNW_NAME", shared / "default.nnw", "-PARAMETERS_NAME", folder / "columns.param"]
    run += ["-CATALOG_NAME", folder / "sex.cat", "-VERBOSE_TYPE", "QUIET"]
    subprocess.run(list(map(str, run)), check=True, capture_output=True, cwd=folder)
    text = (folder / "sex.cat").read_text()
    return np.loadtxt(io.StringIO(text), ndmin=2)[:, :2] - 1 if text.strip() else np.zeros((0, 2))


def by_photutils(path, folder):
    image = fits.getdata(path).astype(float)
    _, median, deviation = sigma_clipped_stats(image, sigma=3.0)
    rough = DAOStarFinder(threshold=5 * deviation, fwhm=4.0)(image - median)
    if rough is None:
        return np.zeros((0, 2))
    brightest = np.argsort(-np.asarray(rough["flux"]))[:30]
    names = (
        ("x_centroid", "y_centroid")
        if "x_centroid" in rough.colnames
        else ("xcentroid", "ycentroid")
    )
    places = np.column_stack([np.asarray(rough[name])[brightest] for name in names])
    width = float(np.median(fit_fwhm(image - median, xypos=places, fit_shape=7)))
    photometry = PSFPhotometry(
        CircularGaussianPRF(fwhm=width),
        fit_shape=(5, 5),
        finder=DAOStarFinder(threshold=5 * deviation, fwhm=width),
        grouper=SourceGrouper(2 * width),
        aperture_radius=width,
        local_bkg_estimator=LocalBackground(2 * width, 4 * width, bkg_estimator=MMMBackground()),
    )
    found = photometry(image - median)
    return (
        np.column_stack([found["x_fit"], found["y_fit"]]) if found is not None else np.zeros((0, 2))
    )


def near(places, others, radius=NEAR):
    """Which places have one of the others within the radius."""
    if len(places) == 0 or len(others) == 0:
        return np.zeros(len(places), bool)
    gaps = np.hypot(*(places[:, None] - others[None]).transpose(2, 0, 1))
    return gaps.min(axis=1) <= radius


def star_shape(image, sky, places):
    """γ and β = 3 of a Moffat function: the median of the ten brightest that stand alone."""
    shapes = []
    for x, y in places:
        column, row = round(x), round(y)
        if not (12 <= row < image.shape[0] - 12 and 12 <= column < image.shape[1] - 12):
            continue
        if np.sum(np.hypot(*(places - (x, y)).T) < 10) > 1:
            continue
        patch = image[row - 7 : row + 8, column - 7 : column + 8] - sky
        rows, columns = np.mgrid[-7:8, -7:8]
        begin = models.Moffat2D(patch.max(), x - column, y - row, 2.0, 3.0, fixed={"alpha": True})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fitted = fitting.LevMarLSQFitter()(begin, columns, rows, patch)
        shapes.append((fitted.amplitude.value, abs(fitted.gamma.value)))
    assert shapes, "no star stands alone"
    return np.median([gamma for _, gamma in sorted(shapes)[-10:]]), 3.0


def with_stars(image, shape, deviation, known, rng):
    """The image with stars, their places and the index of the peak of each."""
    rows, columns = np.mgrid[: image.shape[0], : image.shape[1]]
    added, places, kinds = image.copy(), np.zeros((0, 2)), []
    for kind, peak in enumerate(PEAKS):
        for _ in range(PER_PEAK):
            while True:
                place = rng.uniform(10, np.array(image.shape[::-1]) - 11)
                if not near(place[None], np.vstack([known, places]), 4.0)[0]:
                    break
            star = models.Moffat2D(peak * deviation, *place, *shape)
            added += star(columns, rows)
            places = np.vstack([places, place])
            kinds.append(kind)
    return added, places, np.array(kinds)


def write_image(image, path):
    fits.writeto(path, image.astype(np.float32), overwrite=True)


def picture(image, catalogues, path):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    low, high = np.percentile(image, [1, 99.7])
    figure, axes = plt.subplots(2, 2, figsize=(10, 10.4), sharex=True, sharey=True)
    shown = np.arcsinh((np.clip(image, low, None) - low) / (high - low) * 8)
    for ax, (name, places) in zip(axes.ravel(), [("the field", None), *catalogues.items()]):
        ax.imshow(shown, origin="lower", cmap="gray_r", vmax=np.arcsinh(8))
        ax.set_title(name if places is None else f"{name}: {len(places)}")
        ax.set(xlim=(-0.5, image.shape[1] - 0.5), ylim=(-0.5, image.shape[0] - 0.5))
        if places is None:
            continue
        others = [other for other_name, other in catalogues.items() if other_name != name]
        shared = near(places, np.vstack(others))
        ax.scatter(
            *places[shared].T, s=40, facecolors="none", edgecolors="#0072b2", label="others, too"
        )
        ax.scatter(
            *places[~shared].T, s=40, facecolors="none", edgecolors="#d55e00", label="nobody else"
        )
        ax.legend(loc="upper right", fontsize=8)
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=90)


def main():
    warnings.simplefilter("ignore")
    log.setLevel("ERROR")  # astropy's, of header cards of 1992
    parser = argparse.ArgumentParser()
    parser.add_argument("ardent", type=pathlib.Path)
    parser.add_argument("field", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--picture", type=pathlib.Path, default=ROOT / "docs/images/field.png")
    asked = parser.parse_args()
    command = asked.ardent.resolve()
    folder = pathlib.Path(tempfile.mkdtemp())
    finders = {
        "ardent": lambda path: by_ardent(command, path, folder),
        PLAIN: lambda path: by_ardent(command, path, folder, *PLAIN.split()[1:]),
        "SExtractor": lambda path: by_sextractor(path, folder),
        "photutils": lambda path: by_photutils(path, folder),
    }
    image = fits.getdata(asked.field).astype(float)
    _, sky, deviation = sigma_clipped_stats(image, sigma=3.0)
    catalogues, seconds = {}, {}
    for name, find in finders.items():
        write_image(image, folder / "field.fits")
        begin = time.perf_counter()
        catalogues[name] = find(folder / "field.fits")
        seconds[name] = time.perf_counter() - begin
    write_image(2 * sky - image, folder / "negative.fits")
    negative = {name: len(find(folder / "negative.fits")) for name, find in finders.items()}
    shown = {name: places for name, places in catalogues.items() if name != PLAIN}
    picture(image, shown, asked.picture)

    shape = star_shape(image, sky, catalogues["SExtractor"])
    known = np.vstack(list(catalogues.values()))
    hits = {name: np.zeros(len(PEAKS), int) for name in finders}
    for round_number in range(asked.rounds):
        rng = np.random.default_rng(round_number)
        added, places, kinds = with_stars(image, shape, deviation, known, rng)
        write_image(added, folder / "added.fits")
        for name, find in finders.items():
            found = near(places, find(folder / "added.fits"), 1.5)
            hits[name] += np.bincount(kinds[found], minlength=len(PEAKS))

    print("| | sources | all three | one other | nobody else | in the negative |")
    print("|---|---|---|---|---|---|")
    for name, places in catalogues.items():
        peers = [o for o in catalogues if o.split(",")[0] != name.split(",")[0] and o != PLAIN]
        others = [near(places, catalogues[o]) for o in peers]
        shared = np.sum(others, axis=0)
        print(f"| {name} | {len(places)} | {np.sum(shared == 2)} | {np.sum(shared == 1)} "
              f"| {np.sum(shared == 0)} | {negative[name]} |")  # fmt: skip
    total = asked.rounds * PER_PEAK
    print(
        f"\nOf {total} stars of each brightness put into the field (peak over the noise of a pixel), found:\n"
    )
    print("| | " + " | ".join(f"{peak} σ" for peak in PEAKS) + " |")
    print("|---" * (len(PEAKS) + 1) + "|")
    for name, counts in hits.items():
        print(f"| {name} | " + " | ".join(map(str, counts)) + " |")
    print("\nSeconds (one thread): " + ", ".join(f"{n} {s:.1f}" for n, s in seconds.items()))
    print(
        f"Stars put in: Moffat, γ {shape[0]:.2f}, β {shape[1]:.2f}; noise of a pixel {deviation:.0f}"
    )
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
