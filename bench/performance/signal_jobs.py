"""Codes over a dictionary and sources in images beside celer, scikit-learn and photutils."""

import pathlib
import tempfile

import numpy as np
import python_codes
import sources
import sparse_coding
from mnist import mnist
from timing import Answer, Row, Used, alternate, json_of

import ardent


def code_rows(settings):
    """MNIST, 10,000 atoms; per image."""
    atoms, signals = mnist(settings.data, 100)
    single = signals[:10]
    columns = np.asfortranarray(atoms.T)
    prepared = ardent.Dictionary(columns, n_jobs=1)
    one_by_one = python_codes.by_cpp(settings.sparse_coding, atoms, single)
    peers = sparse_coding.time_peers(columns, single, 2)
    for k, ratio in enumerate(python_codes.RATIOS):
        penalties = ratio * np.abs(single @ atoms.T).max(axis=1)
        coder = ardent.SparseCoder(method="lasso", lambda_ratio=ratio, n_jobs=1).fit(atoms)
        batch = python_codes.best(lambda: coder.transform(signals)) / len(signals)
        times = {
            "C++, one signal": one_by_one[k],
            "weighted_lasso(Dictionary)": python_codes.by_function(prepared, single, penalties),
            "SparseCoder, batch of 100": batch,
        }
        answers = [Answer(name, ms / 1000) for name, ms in times.items()]
        answers += [Answer(name, found["seconds"]) for name, found in peers[ratio].items()]
        yield Row(f"LASSO code, 10,000 atoms, λ/λmax {ratio}", answers, "celer", 0.2)


def source_rows(settings):
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for stars in (200, 1000):
            cases = list(sources.fields(settings.ardent, folder, (stars, 256, 0.002, 1), 1))

            def locate(*sigma):
                image, truth = cases[0]
                found = folder / "found.csv"
                words = ("locate", image, "--threads", 1, "-o", found, *sigma)
                used, _ = json_of(settings.ardent, *words)
                return used, {"F1": sources.f1(sources.read_places(found), truth)}

            def by_photutils():
                found = sources.best_of_peer(sources.by_iterative_psf, (2.5, 3, 4), cases)
                return Used(found["seconds"], found["seconds"]), {"F1": found["f1"]}

            contenders = {
                "width known": lambda: locate("--sigma", sources.SIGMA),
                "width 1:3": lambda: locate("--sigma", "1:3"),
                "width 1:3, shared": lambda: locate("--sigma", "1:3", "--shared-width", "auto"),
                "DAOPhot (photutils), width known": by_photutils,
            }
            answers = alternate(contenders)
            yield Row(f"{stars} sources on 256 × 256", answers, "DAOPhot (photutils), width known", 0.15)


def rows(settings):
    yield from code_rows(settings)
    yield from source_rows(settings)
