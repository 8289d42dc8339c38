"""What a model keeps, with errors, and how training got there."""

import numpy as np

from .. import plot
from ._page import number

_OPEN, _DRAWN, _LONG = 3, 6, 10  # binary models shown at once, drawn at all, listed at once
_LISTED = 50  # weights in a table
_KIND = {"linear": "feature", "rbf": "training row", "elm": "hidden node", "dictionary": "atom"}


def names_of(model):
    """Names of all features: those of the fit, else those that a model file has, else numbers."""
    names = getattr(model, "feature_names_in_", None)
    if names is None:
        names = np.array([f"x{k}" for k in range(model.n_features_in_)], dtype=object)
        known = model.model_.feature_names
        if len(known) == len(model.model_.inputs):
            names[model.model_.inputs] = known
        elif len(known) == len(names):
            names[:] = known
    return np.asarray(names, dtype=object)


def part_names(model):
    """What each binary model distinguishes."""
    classes = model.model_.class_names
    parts = model.model_.posteriors
    if len(parts) == 1:
        return [""]
    name = {-1: "the rest", **dict(enumerate(classes))}
    return [
        f"{name.get(p['positive'], '?')} against {name.get(p['negative'], 'the rest')}"
        for p in parts
    ]


def has_kernel_of_python(model):
    """Is its core's map another than its own, with columns that Python computes?"""
    return model.model_.map != model._map


def kept_section(page, model):
    kind = _KIND.get(model._map, "basis function")
    names = part_names(model)
    total = model.model_.total
    page.section(
        f"What is kept: {kind}s",
        "Weights are posterior means with standard deviations (sd). Relevance says how far the "
        "data, rather than the prior, determine a weight: from 0 to 1."
        + (
            f" Weights are those of the features as the model scales them ({model.model_.scale})."
            if model._map == "linear"
            else ""
        ),
    )
    if len(names) > 1:
        page.table(
            ["binary model", "kept", "of", "log evidence"],
            [
                [name, number(len(p["active"])), number(total), number(p["log_evidence"])]
                for name, p in zip(names, model.model_.posteriors)
            ],
            f"{number(len(names))} binary models" if len(names) > _LONG else None,
        )
    drawn = [p for p in range(len(names)) if len(model.model_.posteriors[p]["active"])][:_DRAWN]
    page.pictures(*(_weights_picture(model, p, names[p]) for p in drawn))
    for p, name in enumerate(names):
        _weights_table(page, model, p, name, kind, folded=len(names) > _OPEN)


def _weights_picture(model, part, name):
    count = min(20, len(model.model_.posteriors[part]["active"]))
    linear = model._map == "linear" and not has_kernel_of_python(model)

    def draw(ax):
        known = {"names": names_of(model), "scaled": True} if linear else {}
        plot.weights(model, part=part, ax=ax, **known)

    caption = "Weights with two standard deviations to each side, the largest on top"
    return (f"{name}: {caption}" if name else caption), draw, 4.9, 1.1 + 0.24 * count


def _weights_table(page, model, part, name, kind, folded):
    posterior = model.model_.posteriors[part]
    count = len(posterior["active"])
    if count == 0:
        page.text(f"{name + ': ' if name else ''}no weight is kept but the intercept's.")
        return
    places = model._origin()[posterior["active"]]
    labels = names_of(model)[places] if model._map == "linear" else places
    mean, deviation = posterior["mean"], np.sqrt(posterior["variance"][:count])
    order = np.argsort(-np.abs(mean), kind="stable")[:_LISTED]
    gamma = posterior["gamma"] if len(posterior["gamma"]) == count else np.full(count, np.nan)
    rows = [
        [
            str(labels[k]),
            number(mean[k]),
            number(deviation[k], 3),
            f"{gamma[k]:.3f}" if np.isfinite(gamma[k]) else "",
        ]
        for k in order
    ]
    head = [kind, "weight", "sd", "relevance"]
    more = f", the largest {_LISTED} of {number(count)}" if count > _LISTED else ""
    said = f"{number(count)} weight{'s' * (count != 1)}{more}"
    summary = f"{name + ': ' if name else ''}{said}" if folded else None
    page.table(head, rows, summary)
    if more and not folded:
        page.text(f"The largest {_LISTED} of {number(count)} weights.")


def training_section(page, model, X=None, y=None):
    """Evidence and size by stage, and accuracy where stages were kept and rows are given."""
    parts = model.report_["parts"] if "parts" in model.report_ else []
    known = [p for p, part in enumerate(parts) if len(part["stages"]["active"]) > 1]
    if not known:
        return
    page.section(
        "How training went",
        "Log evidence, the log probability of the training data with the weights integrated out, "
        "and the number of weights after each stage.",
    )
    names = part_names(model)
    pictures = [_stages_picture(model, p, names[p]) for p in known[:_OPEN]]
    if X is not None and y is not None and model.model_.path_stages:
        caption = "What sparsity costs: the score on the rows given by the weights kept"
        pictures.append((caption, lambda ax: plot.path(model, X, y, ax=ax), 4.9, 3.2))
    page.pictures(*pictures)
    page.table(
        ["binary model", "engine", "stages", "status", "log evidence"],
        [
            [
                name or "the one",
                part["engine"],
                number(len(part["stages"]["active"])),
                part["status"],
                number(posterior["log_evidence"]),
            ]
            for name, part, posterior in zip(names, parts, model.model_.posteriors)
        ],
        f"{number(len(parts))} binary models" if len(parts) > _OPEN else None,
    )


def _stages_picture(model, part, name):
    caption = "Evidence and weights kept by stage"

    def draw(ax):
        plot.stages(model, part=part, ax=ax)

    return (f"{name}: {caption}" if name else caption), draw, 4.9, 3.2


def options_section(page, model):
    """Parameters that are not at their defaults, and all that the model records."""
    defaults = type(model)().get_params()
    given = {
        k: v
        for k, v in model.get_params().items()
        if repr(v) != repr(defaults[k]) and k not in ("verbose", "callback", "n_jobs")
    }
    page.section("How it was made")
    if given:
        rows = [[name, _short(value)] for name, value in sorted(given.items())]
        page.table(["parameter", "value"], rows)
    else:
        page.text("All parameters are at their defaults.")
    recorded = getattr(getattr(model, "model_", None), "options", {})
    if recorded:
        rows = [[f"--{name}", value] for name, value in sorted(recorded.items())]
        page.table(["option", "value"], rows, "All options that the model records")


def _short(value):
    shape = getattr(value, "shape", None)
    text = f"array of shape {shape}" if shape else repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
