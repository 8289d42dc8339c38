"""``ardent report MODEL [DATA] -o report.html``."""

import argparse
import os
import sys

import numpy as np
from scipy import sparse

from .. import _core
from .._files import load
from ._report import report

_IMAGES = (".fits", ".fit", ".fz", ".png", ".npy")


def main(arguments):
    """Exit status: 0 done, 2 the request or the input is wrong."""
    parser = argparse.ArgumentParser(
        prog="ardent",
        usage="ardent report MODEL [DATA] -o report.html [--title TEXT] [--OPTION VALUE ...]",
        description="A page (HTML) that shows a model, and how good it is on DATA. Further options "
        "are those of reading DATA (--label, --format, ...). Instead of MODEL an image (FITS, PNG, "
        "NPY) may be given: its sources are found, with the options of ardent locate.",
    )
    parser.add_argument("command", choices=["report"])
    parser.add_argument("model", metavar="MODEL")
    parser.add_argument("data", metavar="DATA", nargs="?")
    parser.add_argument("-o", "--output", required=True, metavar="FILE.html")
    parser.add_argument("--title")
    given, rest = parser.parse_known_intermixed_args(arguments)
    try:
        options = _pairs(rest)
        _refuse_overwriting(given)
        if given.data is None and given.model.lower().endswith(_IMAGES):
            _report_image(given, options)
        else:
            _report_model(given, options)
    except (ValueError, OSError, ImportError) as error:
        print(f"ardent: {error}", file=sys.stderr)
        return 2
    print(f"report written to {given.output}")
    return 0


def _pairs(rest):
    """--name value, or --name=value, as a dict."""
    options = {}
    words = iter(rest)
    for word in words:
        if not word.startswith("--"):
            raise ValueError(f"{word!r} is no option; see ardent report --help")
        name, found, value = word[2:].partition("=")
        if not found:
            value = next(words, None)
        if value is None:
            raise ValueError(f"--{name} needs a value")
        options[name] = value
    return options


def _refuse_overwriting(given):
    for path in (given.model, given.data):
        both = path is not None and os.path.exists(path) and os.path.exists(given.output)
        if both and os.path.samefile(path, given.output):
            raise ValueError(f"{given.output} is read, too: a report does not replace an input")


def _report_model(given, options):
    model = load(given.model)
    X = y = None
    if given.data is not None:
        X, y = _read(given.data, model, options)
    elif options:
        raise ValueError(f"--{next(iter(options))} is about DATA, of which there is none")
    report(model, X, y, given.output, title=given.title)


def _read(path, model, options):
    found = _core.read_for_model(path, model.model_, options, 0)
    for text in found["warnings"]:
        print(f"ardent: {text}", file=sys.stderr)
    y = np.asarray(found["labels"])
    classes = getattr(model, "classes_", None)
    if classes is not None and classes.dtype.kind == "b":
        y = y == "True"
    elif classes is not None and classes.dtype.kind in "iuf" and y.dtype.kind in "iuf":
        y = y.astype(classes.dtype)
    if "values" in found:
        return found["values"].reshape(found["shape"]), y
    arrays = (found["data"], found["indices"], found["indptr"])
    return sparse.csr_matrix(arrays, shape=found["shape"]), y


def _report_image(given, options):
    from .._imaging import SourceFinder
    from .._options import option_value

    schema = {o["name"]: o for o in SourceFinder._schema}
    unknown = [name for name in options if name not in schema]
    if unknown:
        raise ValueError(f"--{unknown[0]} is no option of a search for sources")
    keywords = {schema[n]["keyword"]: option_value(schema[n], v) for n, v in options.items()}
    for name in ("psf", "error_map", "weight_map", "mask"):
        if isinstance(keywords.get(name), str):
            keywords[name] = _pixels(keywords[name])
    image = _pixels(given.model)
    finder = SourceFinder(**keywords).fit(image)
    report(finder, image, path=given.output, title=given.title or os.path.basename(given.model))


def _pixels(path):
    found = _core.read_image(path)
    return found["pixels"].reshape(found["shape"])
