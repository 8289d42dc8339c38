"""Doubly sparse models: inclusion, what goes together, and whether the chains can be trusted."""

import numpy as np

from .. import plot
from ._kept import names_of, part_names
from ._page import fixed, number

_OPEN, _LISTED = 3, 50
_QUANTITIES = {
    "log_likelihood": "log likelihood",
    "features_on": "features on",
    "basis_on": "basis points on",
    "log_delta": "log δ",
    "log_xi": "log ξ",
    "log_noise": "log noise variance",
}


def inclusion_section(page, model):
    names = part_names(model)
    page.section(
        "What is included",
        "The probability that each feature belongs in, as the share of sampled states that have "
        "it. The error is that of the sampling; chains agree where R-hat is near 1.",
    )
    chains = getattr(model, "diagnostics_", None)
    pictures = []
    for p, name in list(enumerate(names))[:_OPEN]:
        about = f"{name}: " if name else ""
        if chains is not None:
            pictures.append(_inclusion_picture(model, p, about, "features"))
            pictures.append(_inclusion_picture(model, p, about, "basis"))
        pictures.append(_pairs_picture(model, p, about))
    page.pictures(*pictures)
    for p, name in enumerate(names):
        _inclusion_table(page, model, p, name, folded=len(names) > _OPEN)


def _inclusion_picture(model, part, about, of):
    count = min(20, len(model.diagnostics_[part][of]["mean"]))
    names = names_of(model) if of == "features" else None

    def draw(ax):
        plot.inclusion(model, of=of, names=names, part=part, ax=ax)

    what = "Features" if of == "features" else "Training rows as basis points"
    return f"{about}{what}: inclusion probability", draw, 4.9, 1.1 + 0.24 * count


def _pairs_picture(model, part, about):
    side = 1.6 + 0.3 * min(12, len(model.model_.inputs))

    def draw(ax):
        plot.co_inclusion(model, names=names_of(model), part=part, ax=ax)

    return f"{about}Features that are on together, in shares of the states", draw, 4.9, side


def _inclusion_table(page, model, part, name, folded):
    chains = getattr(model, "diagnostics_", None)
    names = names_of(model)
    summary = f"{name}: all features" if folded else None
    if chains is None:
        shown = np.atleast_2d(model.feature_inclusion_)[part]
        order = np.argsort(-shown, kind="stable")[:_LISTED]
        page.table(
            ["feature", "inclusion"], [[names[k], f"{shown[k]:.3f}"] for k in order], summary
        )
        return
    found = chains[part]["features"]
    columns = chains[part]["columns"]
    order = np.argsort(-found["mean"], kind="stable")[:_LISTED]
    rows = [
        [
            names[columns[k]],
            fixed(found["mean"][k], 3),
            fixed(found["error"][k], 3),
            fixed(found["r_hat"][k], 2),
            fixed(found["effective"][k], 0),
        ]
        for k in order
    ]
    page.table(["feature", "inclusion", "error", "R-hat", "effective draws"], rows, summary)


def chains_section(page, model):
    chains = getattr(model, "diagnostics_", None)
    if chains is None:
        return
    page.section(
        "Can the chains be trusted?",
        "Chains that agree lie on top of each other and look like noise; levels and slopes are "
        "warnings. R-hat compares them: 1 is perfect, above 1.1 more sweeps are needed.",
    )
    names = part_names(model)
    pictures = []
    for p, name in list(enumerate(names))[:_OPEN]:
        for quantity in ("log_likelihood", "features_on"):
            if chains[p]["traces"][quantity].size:
                pictures.append(_trace_picture(model, p, name, quantity))
    page.pictures(*pictures)
    for p, name in enumerate(names):
        page.table(
            ["quantity", "mean", "error", "R-hat", "effective draws"],
            [
                [
                    words,
                    number(chains[p][quantity]["mean"]),
                    number(chains[p][quantity]["error"], 2),
                    fixed(chains[p][quantity]["r_hat"], 2),
                    fixed(chains[p][quantity]["effective"], 0),
                ]
                for quantity, words in _QUANTITIES.items()
                if np.isfinite(chains[p][quantity]["effective"])
            ],
            f"{name}: chains" if len(names) > 1 else None,
        )


def _trace_picture(model, part, name, quantity):
    def draw(ax):
        plot.traces(model, quantity, part=part, ax=ax)

    return f"{name + ': ' if name else ''}{_QUANTITIES[quantity]} by sweep", draw, 4.9, 3
