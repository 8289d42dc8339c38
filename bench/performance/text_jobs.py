"""Text: the default answer beside LIBLINEAR's searches for C."""

import pathlib
import random
import re
import shutil
import tempfile

import text
from timing import Row, Used, alternate, command, json_of


def default_answer(ardent, folder):
    used, _ = command(ardent, "train", folder / "train", "--threads", 1, "-o", folder / "model")
    _, found = json_of(ardent, "evaluate", folder / "model", folder / "test")
    return used, {key: found[key] for key in ("log_loss", "accuracy")}


def searched(tools, solver, folder):
    """As bench/text.py: tf-idf or not and C by the log loss of folds; its time that of -v 5 alone."""
    found = text.liblinear(tools, solver, folder)
    seconds = found["seconds"]
    return Used(seconds, seconds), {key: found[key] for key in ("log_loss", "accuracy")}


def own_search(tools, folder):
    """LIBLINEAR's -C, warm-started from C to C, on the file as it is."""
    used, printed = command(tools["train"], "-C", "-s", 0, "-v", 5, "-B", 1, folder / "train")
    c = float(re.search(r"Best C = (\S+)", printed)[1])
    fit = text.fit_liblinear(tools, 0, c, folder / "train", folder / "test", folder)
    return used, {key: fit[key] for key in ("log_loss", "accuracy")}


def tools_of_liblinear():
    tools = {name: shutil.which(f"liblinear-{name}") for name in ("train", "predict")}
    return tools if all(tools.values()) else None


def text_row(settings, name, whole):
    """One file; the searches over fold files only where it is small enough for them (whole)."""
    tools = tools_of_liblinear()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        path = str(settings.data / f"{name}.libsvm.xz")
        text.split(path, folder, 1) if whole else split_plainly(path, folder)
        contenders = {"default": lambda: default_answer(settings.ardent, folder)}
        if tools:
            contenders["LIBLINEAR -C"] = lambda: own_search(tools, folder)
            if whole:
                contenders["LIBLINEAR l2, 11 C"] = lambda: searched(tools, 0, folder)
                contenders["LIBLINEAR l1, 11 C"] = lambda: searched(tools, 6, folder)
        answers = alternate(contenders)
    return Row(f"{name}, 3/4 train: whole default answer", answers, "LIBLINEAR -C", 0.2)


def split_plainly(path, folder):
    with text.lzma.open(path, "rt") as file:
        lines = file.readlines()
    random.Random(1).shuffle(lines)
    cut = len(lines) * 3 // 4
    (folder / "train").write_text("".join(lines[:cut]))
    (folder / "test").write_text("".join(lines[cut:]))


def rows(settings):
    yield text_row(settings, "news20-bow", True)
    yield text_row(settings, "news20-bigram", False)


def planted(settings):
    """200,000 x 3.2 million, 23 million values, to convergence."""
    with tempfile.TemporaryDirectory() as temporary:
        cache = pathlib.Path(temporary) / "planted.cache"
        size = ("--rows", 200000, "--columns", 3200000, "--nonzeros", 115, "--seed", 1)
        command(settings.ardent, "synth", "-o", cache, *size)

        def fit(*options):
            model = cache.with_suffix(".model")
            words = ("train", cache, "--threads", 1, "-o", model, *options)
            used, found = json_of(settings.ardent, *words)
            part = found["parts"][0]
            quality = {key: part[key] for key in ("stages", "converged", "active")}
            return used, quality

        engines = {
            "diagonal": lambda: fit("--engine", "diagonal"),
            "default": lambda: fit(),
        }
        yield Row("planted, 200,000 × 3.2 million", alternate(engines))
