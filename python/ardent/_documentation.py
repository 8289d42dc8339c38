"""Docstrings whose parameters come from the core's option table, which is where they are written."""

import inspect
import re
import textwrap

from . import _core
from ._options import option_name, option_value

# Parameters that are not options of the core.
_OWN = {
    "class_weight": (
        "None, 'balanced' or dict",
        "balanced: rows of a class count N/(classes * rows of the class) times, so that each class "
        "counts the same; dict: how often the rows of each class count; None: every row counts once",
    ),
    "moderated": (
        "None or bool",
        "probabilities averaged over the posterior (True) or at the mean weights (False); None: as "
        "the command line, averaged for two classes where the joint covariance is known, else at "
        "the mean weights",
    ),
    "kernel": (
        "'rbf', 'precomputed', callable or name",
        "rbf: the core's Gaussian kernel; precomputed: X is the kernel between rows and training "
        "rows; callable: kernel(X, Z) gives the matrix; any other name: one of "
        "sklearn.metrics.pairwise.pairwise_kernels",
    ),
    "kernel_params": ("dict or None", "keywords of a kernel given by callable or name"),
    "sparse_output": ("bool", "codes as a CSR matrix instead of an array"),
    "warm_start": (
        "bool",
        "begin a further fit from the precisions and weights of the last one. What that pruned "
        "stays out (the engine sequential may take it up again). Linear models may be given other "
        "rows; the basis functions of kernel and hidden-layer models must be the same",
    ),
    "n_jobs": (
        "int or None",
        "threads; None and -1: all cores. Results are the same bits whatever the number",
    ),
    "random_state": (
        "int, RandomState, Generator or None",
        "seed of everything random; None: 1, the command line's default",
    ),
    "verbose": ("int", "1: a progress bar (tqdm); 2: a line a stage on standard error"),
    "callback": (
        "callable or None",
        "called after each stage with a dict (task, done, total, objective, objective_name, "
        "active); False stops the fit there",
    ),
    "checkpoint": (
        "str, path-like or None",
        "file to write the chains to and to go on from: a killed fit resumes to the same bits",
    ),
}


def with_parameters(cls):
    """Fill ``{parameters}`` in the class's docstring, one entry a keyword of its constructor."""
    trained = hasattr(cls, "_map")  # some names mean one thing in training, another in coding
    tables = {o["name"]: o for o in (_core.train_options if trained else _core.coder_options)()}
    entries = []
    for keyword, parameter in inspect.signature(cls.__init__).parameters.items():
        if keyword == "self":
            continue
        if keyword in _OWN:
            kind, text = _OWN[keyword]
        else:
            option = tables[option_name(keyword)]
            kind, text = _python_rule(option["values"]), option["help"]
        body = textwrap.fill(text[0].upper() + text[1:] + ".", 88)
        entries.append(
            f"{keyword} : {kind}, default={parameter.default!r}\n" + textwrap.indent(body, "    ")
        )
    parameters = textwrap.indent("\n".join(entries), "    ").lstrip()
    cls.__doc__ = cls.__doc__.replace("{parameters}", parameters)
    return cls


def _python_rule(rule):
    """'none|cv' as it is written in Python: None or 'cv'."""
    if rule == "on|off":
        return "bool"
    if not re.fullmatch(r"[\w|-]+", rule):
        return rule
    return "{" + ", ".join(repr(option_value(word)) for word in rule.split("|")) + "}"
