"""Point sources: ardent locate beside DAOStarFinder, PSF photometry, source-extractor and sep.

usage: sources.py ARDENT [--output FILE] [--rounds N] [--scenes N]

Fields come from `ardent scene` (width 1.5 known to everybody, amplitudes 0.5 to 1.5 on PSFs of unit
length). A peer's threshold (and the width of its detection filter) is the one of the best mean F1
over a grid, found with the truth, row by row; ours has none. F1 counts pairs within 1.5 pixels. Seconds are those of one field, each peer's
without reading the file, ours with it. The second table is denoising: PSNR of 40 scenes of the
paper at each SNR, beside scikit-image's wavelet denoiser, its threshold rule and wavelet the best
of a grid found with the truth. Peers that are not installed are left out with a word.
"""

import argparse
import csv
import inspect
import json
import math
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

try:
    import numpy
except ImportError as missing:
    print(f"skipped: {missing}; pip install numpy astropy photutils sep scikit-image PyWavelets")
    sys.exit(0)

SIGMA = 1.5
FWHM = 2.3548 * SIGMA
RADIUS = 1.5
# Sources, side, noise variance, fields: a star of middle amplitude has its peak at 4 standard
# deviations.
ROWS = [(5, 28, 0.002, 10), (12, 28, 0.002, 10), (200, 256, 0.002, 1), (1000, 256, 0.002, 1)]


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments), "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def read_places(path):
    with open(path, newline="") as file:
        return numpy.array([(float(row["x"]), float(row["y"])) for row in csv.DictReader(file)]
                           ).reshape(-1, 2)


def f1(found, truth):
    """Nearest pairs first, each source in one pair at most."""
    if len(found) == 0 or len(truth) == 0:
        return float(len(found) == len(truth))
    gaps = numpy.hypot(*(found[:, None, :] - truth[None, :, :]).transpose(2, 0, 1))
    near = numpy.argwhere(gaps <= RADIUS)
    pairs, taken, met = 0, set(), set()
    for i, j in near[numpy.argsort(gaps[near[:, 0], near[:, 1]], kind="stable")]:
        if i not in taken and j not in met:
            taken.add(i)
            met.add(j)
            pairs += 1
    return 2 * pairs / (len(found) + len(truth))


def noise_of(image):
    from astropy.stats import sigma_clipped_stats
    return sigma_clipped_stats(image)[1:]


def dao_finder(threshold, **bounds):
    """Sources as near as two pixels, and blends of any shape: by default it leaves both out."""
    from photutils.detection import DAOStarFinder
    known = inspect.signature(DAOStarFinder.__init__).parameters
    if "sharpness_range" in known:
        bounds.update(sharpness_range=(0, 2), roundness_range=(-2, 2))
    else:
        bounds.update(sharplo=0, sharphi=2, roundlo=-2, roundhi=2)
    return DAOStarFinder(fwhm=FWHM, threshold=threshold, min_separation=2, **bounds)


def by_dao(image, setting, _):
    level, sd = noise_of(image)
    found = dao_finder(setting * sd)(image - level)
    return places_of(found, ("x_centroid", "xcentroid"), ("y_centroid", "ycentroid"))


def places_of(table, *names):
    if table is None:
        return numpy.empty((0, 2))
    columns = [next(table[name] for name in choice if name in table.colnames) for choice in names]
    return numpy.array(columns, dtype=float).T.reshape(-1, 2) + 1


def by_iterative_psf(image, setting, _):
    from photutils.psf import CircularGaussianPRF, IterativePSFPhotometry, SourceGrouper
    level, sd = noise_of(image)
    photometry = IterativePSFPhotometry(
        CircularGaussianPRF(fwhm=FWHM), (5, 5), finder=dao_finder(setting * sd),
        grouper=SourceGrouper(4), aperture_radius=4, mode="new", maxiters=3)
    return places_of(photometry(image - level), ("x_fit",), ("y_fit",))


def by_sep(image, setting, _):
    import sep
    threshold, width = setting
    kernel = numpy.array(gaussian(width)) if width else None
    image = numpy.ascontiguousarray(image, dtype=float)
    sky = sep.Background(image)
    try:
        found = sep.extract(image - sky.back(), threshold, err=sky.globalrms, minarea=3,
                            filter_kernel=kernel, deblend_nthresh=64, deblend_cont=0.0001)
    except Exception:  # its buffers overflow where the threshold is too low
        return numpy.empty((0, 2))
    return numpy.array([found["x"] + 1, found["y"] + 1]).T.reshape(-1, 2)


def gaussian(width):
    return [[math.exp(-(i * i + j * j) / (2 * width**2)) for i in range(-3, 4)]
            for j in range(-3, 4)]


def by_source_extractor(_, setting, path):
    threshold, width = setting
    program = shutil.which("source-extractor") or shutil.which("sex")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "columns").write_text("X_IMAGE\nY_IMAGE\n")
        (folder / "filter.conv").write_text("CONV NORM\n" + "\n".join(
            " ".join(f"{w:.6f}" for w in row) for row in gaussian(width or SIGMA)) + "\n")
        subprocess.run([program, str(path), "-c", "/dev/null", "-CATALOG_NAME",
                        str(folder / "found"), "-CATALOG_TYPE", "ASCII", "-PARAMETERS_NAME",
                        str(folder / "columns"), "-FILTER", "Y" if width else "N", "-FILTER_NAME",
                        str(folder / "filter.conv"), "-DETECT_MINAREA", "3", "-DETECT_THRESH",
                        str(threshold), "-DEBLEND_NTHRESH", "64", "-DEBLEND_MINCONT", "0.0001",
                        "-CLEAN", "N"], capture_output=True, check=False)
        found = [line.split() for line in (folder / "found").read_text().splitlines()
                 if not line.startswith("#")]
    return numpy.array(found, dtype=float).reshape(-1, 2)


def peers():
    """{name: (function, settings)} of those that are installed; the others with a word."""
    levels = (0.6, 0.8, 1, 1.2, 1.5, 2, 2.5, 3, 4)  # standard deviations of the noise
    filters = (0, 0.85, SIGMA)  # width of the Gaussian before detection; 0: none; 0.85: as default
    both = tuple((level, width) for level in levels for width in filters)
    every = {"DAOStarFinder": ("photutils", by_dao, (*levels, 5, 6)),
             "DAOPhot (iterative)": ("photutils", by_iterative_psf, (2.5, 3, 4, 5)),
             "sep": ("sep", by_sep, both),
             "source-extractor": (None, by_source_extractor, both)}
    chosen = {}
    for name, (module, function, settings) in every.items():
        try:
            if module:
                __import__(module)
            elif not (shutil.which("source-extractor") or shutil.which("sex")):
                raise ImportError("no program source-extractor")
        except ImportError as missing:
            print(f"skipped: {name}: {missing}")
            continue
        chosen[name] = (function, settings)
    return chosen


def fields(program, folder, row, rounds):
    sources, side, noise, count = row
    for seed in range(1, max(1, count // rounds) + 1):
        image, truth = folder / f"{sources}_{side}_{seed}.fits", folder / f"{sources}_{seed}.csv"
        run(program, "scene", "-o", image, "--truth", truth, "--sources", sources, "--size",
            f"{side}x{side}", "--sigma", SIGMA, "--noise", noise, "--seed", seed)
        yield image, read_places(truth)


def pixels(path):
    from astropy.io import fits
    return fits.getdata(path).astype(float)


def best_of_peer(function, settings, cases):
    best = None
    for setting in settings:
        scores, seconds = [], []
        for path, truth in cases:
            image = pixels(path)
            start = time.perf_counter()
            found = function(image, setting, path)
            seconds.append(time.perf_counter() - start)
            scores.append(f1(found, truth))
        result = {"f1": statistics.mean(scores), "seconds": statistics.median(seconds),
                  "setting": setting}
        if best is None or result["f1"] > best["f1"]:
            best = result
    return best


def ours(program, cases, folder):
    scores, seconds, cpu = [], [], []
    for path, truth in cases:
        start, before = time.perf_counter(), os.times()
        run(program, "locate", path, "--sigma", SIGMA, "-o", folder / "found.csv")
        seconds.append(time.perf_counter() - start)
        cpu.append(os.times().children_user - before.children_user)
        scores.append(f1(read_places(folder / "found.csv"), truth))
    return {"f1": statistics.mean(scores), "seconds": statistics.median(seconds),
            "cpu_seconds": statistics.median(cpu)}


def compare_finders(program, folder, rounds):
    try:
        import astropy  # noqa: F401: reads the fields for the peers
    except ImportError as missing:
        print(f"skipped: {missing}; pip install astropy photutils sep")
        return []
    others = peers()
    table = []
    for row in ROWS:
        cases = list(fields(program, folder, row, rounds))
        results = {"ardent": ours(program, cases, folder)}
        for name, (function, settings) in others.items():
            results[name] = best_of_peer(function, settings, cases)
        table.append({"sources": row[0], "side": row[1], "fields": len(cases), "results": results})
        print(f"{row[0]} stars on {row[1]} × {row[1]} pixels, {len(cases)} fields")
        for name, result in results.items():
            tuned = (f"  setting {result['setting']}" if "setting" in result
                     else f"  (CPU {result['cpu_seconds']:.3f} s)")
            print(f"  {name:22} F1 {result['f1']:.3f} {result['seconds']:8.3f} s{tuned}", flush=True)
    return table


def psnr(reference, image):
    return 20 * math.log10(reference.max() / math.sqrt(numpy.mean((reference - image) ** 2)))


def best_wavelet(cases):
    """Mean PSNR of the best rule and wavelet."""
    try:
        from skimage.restoration import denoise_wavelet
        import pywt  # noqa: F401
    except ImportError as missing:
        print(f"skipped: wavelets: {missing}; pip install scikit-image PyWavelets")
        return None
    best = (-math.inf, "")
    for method in ("BayesShrink", "VisuShrink"):
        for wavelet in ("db1", "db2", "db4", "sym4", "bior2.2", "bior4.4"):
            for mode in ("soft", "hard"):
                mean = statistics.mean(
                    psnr(clean, denoise_wavelet(noisy, method=method, mode=mode, wavelet=wavelet,
                                                rescale_sigma=True)) for noisy, clean in cases)
                best = max(best, (mean, f"{method}, {wavelet}, {mode}"))
    return {"psnr": best[0], "rule": best[1]}


def compare_denoisers(program, folder, scenes):
    table = []
    noisy, clean, out = folder / "n.npy", folder / "c.npy", folder / "d.npy"
    for snr in (20, 10, 0):
        cases, grid, refined, before = [], [], [], []
        for seed in range(1, scenes + 1):
            run(program, "scene", "-o", noisy, "--clean", clean, "--snr", snr, "--seed", seed)
            common = ("--background", "none", "-o", out, "--reference", clean)
            result = run(program, "denoise", noisy, *common)
            refined.append(result["psnr"])
            before.append(result["psnr_noisy"])
            grid.append(run(program, "denoise", noisy, *common, "--refine", "off")["psnr"])
            cases.append((numpy.load(noisy), numpy.load(clean)))
        row = {"snr": snr, "noisy": statistics.mean(before), "grid": statistics.mean(grid),
               "refined": statistics.mean(refined), "wavelet": best_wavelet(cases)}
        table.append(row)
        wavelet = row["wavelet"]
        print(f"{snr:3} dB: PSNR noisy {row['noisy']:.1f}, "
              + (f"wavelets {wavelet['psnr']:.1f} ({wavelet['rule']}), " if wavelet else "")
              + f"ardent on the grid {row['grid']:.1f}, refined {row['refined']:.1f}", flush=True)
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--scenes", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=1, help="divide the number of fields by this")
    parser.add_argument("--output", help="write the tables as JSON, too")
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        report = {"finders": compare_finders(arguments.program, folder, arguments.rounds),
                  "denoisers": compare_denoisers(arguments.program, folder, arguments.scenes)}
    if arguments.output:
        pathlib.Path(arguments.output).write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
