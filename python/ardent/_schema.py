"""Constructors and docstrings of estimators, made from the core's option schemas.

An estimator takes the options that have an effect for its map and its task, the keywords that it
names in ``_own``, and those of every run. scikit-learn reads the signature.
"""

import inspect
import re
import textwrap
from difflib import get_close_matches

from . import _core
from ._options import option_value

# Keywords that are no options of the core: default, kind, meaning.
_OWN = {
    "moderated": (
        None,
        "None or bool",
        "Probabilities averaged over the posterior (True) or at the mean weights (False); None: as "
        "the command line, averaged for two classes where the joint covariance is known, else at "
        "the mean weights",
    ),
    "kernel": (
        "rbf",
        "'rbf', 'precomputed', callable or name",
        "rbf: the core's Gaussian kernel; precomputed: X is the kernel between rows and training "
        "rows; callable: kernel(X, Z) gives the matrix; any other name: one of "
        "sklearn.metrics.pairwise.pairwise_kernels",
    ),
    "kernel_params": (None, "dict or None", "Keywords of a kernel given by callable or name"),
    "sparse_output": (True, "bool", "Codes as a CSR matrix instead of an array"),
    "warm_start": (
        False,
        "bool",
        "Begin a further fit from the precisions and weights of the last one. What that pruned "
        "stays out (the engine sequential may take it up again). Linear models may be given other "
        "rows; the basis functions of kernel and hidden-layer models must be the same",
    ),
    "compute_score": (
        False,
        "bool",
        "Keep the log evidence of every stage as ``scores_``",
    ),
    "n_jobs": (
        None,
        "int or None",
        "Threads; None and -1: all cores. Results are the same bits whatever the number",
    ),
    "random_state": (
        None,
        "int, RandomState, Generator or None",
        "Seed of everything random; None: the command line's default",
    ),
    "verbose": (0, "int", "1: a progress bar (tqdm); 2: a line per step on standard error"),
    "callback": (
        None,
        "callable or None",
        "Called after each step with a dict (task, done, total, objective, objective_name, "
        "active, active_name, models, models_done); False stops the fit there",
    ),
    "checkpoint": (
        None,
        "str, path-like or None",
        "File to write the chains to and to go on from: a killed fit resumes to the same bits",
    ),
}

# Options of the core that take more in Python: kind, meaning.
_WIDER = {
    "class_weight": (
        "None, 'balanced' or dict",
        "balanced: rows of a class count N/(classes * rows of the class) times, so that each class "
        "counts the same; dict: how often the rows of each class count; None: every row counts once",
    ),
    "keep_stages": ("bool", "Keep the weights of every stage in the model, for ``at_stage``"),
    "psf": (
        "array-like of shape (h, w) or None",
        "Image of a point source instead of Gaussians; a sky at its rim is taken off (with a "
        "warning), it is scaled to the sum 1, and its centroid is the source's place",
    ),
    "error_map": (
        "array-like of the image's shape or None",
        "Standard deviation of every pixel; with a gain: without the photons of the sources, which "
        "are added. A pixel where it is not above 0 is missing",
    ),
    "weight_map": (
        "array-like of the image's shape or None",
        "One over the variance of every pixel, instead of error_map. A pixel where it is not above 0 "
        "is missing",
    ),
    "mask": (
        "array-like of the image's shape or None",
        "Where it is not 0 or False (or has one of the bits of mask_bits), a pixel is missing",
    ),
}

# Attributes that docstrings share.
_ATTRIBUTES = {
    "posterior": """alpha_, sigma_, sigma_with_intercept_ : ndarray
    Prior precisions of the weights; their posterior covariance; the same with the intercept as
    last row and column.""",
    "stages": """log_evidence_ : float
n_iter_ : int
    Number of stages, that is, updates of the precisions.""",
    "fitted": """model_ : ardent._core.Model
    The fitted model, as ``save`` writes it.
n_features_in_ : int
feature_names_in_ : ndarray of shape (n_features_in_,)
    Only where ``X`` has column names.""",
}


def from_schema(what, **fixed):
    """Class decorator: ``__init__`` and the docstring's ``{parameters}`` from a schema."""

    def decorate(cls):
        options = _core.options(what, {k: v for k, v in fixed.items() if v != "auto"})
        cls._schema = tuple(o for o in options if o["name"] != "seed")
        own = [*getattr(cls, "_own", ()), "n_jobs", "verbose", "callback"]
        if len(cls._schema) < len(options):
            own.insert(-2, "random_state")
        keywords = {o["keyword"]: option_value(o, o["default"]) for o in cls._schema}
        keywords.update({name: _OWN[name][0] for name in own})
        cls.__init__ = _constructor(keywords)
        hyphenated = {o["name"]: o["keyword"] for o in options if "-" in o["name"]}
        entries = [
            _entry(o["keyword"], keywords[o["keyword"]], *_meaning(o, hyphenated))
            for o in cls._schema
        ]
        entries += [_entry(name, *_OWN[name]) for name in own]
        for name, text in {"parameters": "\n".join(entries), **_ATTRIBUTES}.items():
            text = textwrap.indent(text, "    ").lstrip()
            cls.__doc__ = cls.__doc__.replace(f"{{{name}}}", text)
        return cls

    return decorate


def trained(cls):
    """``from_schema`` for the map and the task of an estimator that is trained."""
    return from_schema("train", map=cls._map, task=cls._task)(cls)


def _refusal(cls, unknown, keywords):
    """What to say of keywords that there are not; options by their names of the command line."""
    text = f"{cls.__name__} takes no keyword {', '.join(sorted(unknown))}"
    named = {o["name"].replace("-", "_"): o["keyword"] for o in cls._schema}
    named["seed"] = "random_state"
    for name in sorted(unknown):
        near = named.get(name) or next(iter(get_close_matches(name, keywords, 1)), None)
        if near in keywords:
            return f"{text}: did you mean {near}?"
    return f"{text}; it takes {', '.join(keywords)}"


def _constructor(keywords):
    def __init__(self, **given):
        unknown = set(given) - set(keywords)
        if unknown:
            raise TypeError(_refusal(type(self), unknown, keywords))
        for name, default in keywords.items():
            setattr(self, name, given.get(name, default))

    kind = inspect.Parameter
    __init__.__signature__ = inspect.Signature(
        [
            kind("self", kind.POSITIONAL_OR_KEYWORD),
            *(kind(name, kind.KEYWORD_ONLY, default=value) for name, value in keywords.items()),
        ]
    )
    return __init__


def _meaning(option, hyphenated):
    found = _WIDER.get(option["keyword"])
    return found or (_python_rule(option), _python_text(option, hyphenated))


def _entry(keyword, default, kind, text):
    body = textwrap.fill(text + ".", 88)
    return f"{keyword} : {kind}, default={default!r}\n" + textwrap.indent(body, "    ")


def _python_text(option, hyphenated):
    """The help of the command line in the words of Python."""
    text = option["help"]
    for name, keyword in hyphenated.items():
        text = re.sub(rf"(?<![\w-])(--)?{name}(?![\w-])", keyword, text)
    if option["kind"] == "on_off":
        text = re.sub(r"(?<![\w-])off(?=[:;.)]|$)", "False", text)
        text = re.sub(r"(?<![\w-])on(?=[:;.)]|$)", "True", text)
    if "none" in option["choices"]:
        text = re.sub(r"(?<![\w-])none(?=[:;.]|$)", "None", text)
    begins_with_value = re.match(r"[\w-]+", text).group() in option["choices"]
    return text if begins_with_value else text[0].upper() + text[1:]


def _python_rule(option):
    """'none|cv' as it is written in Python: {None, 'cv'}; 'auto or a number > 0': 'auto' or float."""
    if option["kind"] == "on_off":
        return "bool"
    if option["separator"] == ":":
        return "float or (float, float)"
    if option["choices"]:
        return "{" + ", ".join(repr(option_value(option, word)) for word in option["choices"]) + "}"
    rule = option["values"].replace("a whole number", "int").replace("a number", "float")
    word, found, rest = rule.partition(" or float")
    return f"{option_value(option, word)!r}{found}{rest}" if found else rule
