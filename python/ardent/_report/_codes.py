"""Sparse codes of a few signals."""

import numpy as np

from .. import plot
from ._page import Page, number

_DRAWN, _LISTED = 6, 50


def codes_page(coder, signals, title):
    codes, _, found = coder.code(signals)
    count, atoms = codes.shape
    used = np.asarray((codes != 0).sum(axis=1)).ravel()
    page = Page(
        title or "Sparse codes",
        f"{number(count)} signals over a dictionary of {number(atoms)} atoms.",
    )
    page.card("signals", number(count), f"of {number(coder.n_features_in_)} numbers each")
    page.card("atoms used", number(np.mean(used), 3), f"of {number(atoms)}, mean over signals")
    page.section(
        "Codes", "A stem for each atom in the code, with two posterior standard deviations."
    )
    signals = signals.toarray() if hasattr(signals, "toarray") else np.asarray(signals)
    page.pictures(
        *(
            (f"Signal {k}", lambda ax, k=k: plot.codes(coder, signals[k], ax=ax), 4.9, 3)
            for k in range(min(_DRAWN, count))
        )
    )
    page.table(
        ["signal", "atoms", "loss", "gap", "status"],
        [
            [
                number(k),
                number(used[k]),
                number(found["loss"][k]),
                number(found["gap"][k], 2),
                str(found["status"][k]),
            ]
            for k in range(min(_LISTED, count))
        ],
    )
    return page
