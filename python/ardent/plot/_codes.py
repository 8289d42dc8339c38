"""Codes over a dictionary."""

import numpy as np

from ._axes import COLOURS, GREY, axes_or_new, legend_above


def codes(coder, signal, *, truth=None, groups=None, deviations=2.0, ax=None):
    """The code of one signal: a stem for each atom that is in it, with its posterior deviation.

    Parameters
    ----------
    coder : SparseCoder
        Fitted.
    signal : array-like of shape (n_features,)
    truth : array-like of shape (n_atoms,) or None, default=None
        The code that the signal was made with, drawn as crosses.
    groups : array-like of shape (n_atoms,) or None, default=None
        A name for each atom, its class for instance: atoms are put in groups side by side.
    deviations : float, default=2.0
        Length of a bar to each side, in posterior standard deviations.
    ax : matplotlib Axes or None, default=None
        None: a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import numpy as np
    >>> from ardent import SparseCoder, plot
    >>> rng = np.random.default_rng(0)
    >>> atoms = rng.normal(size=(100, 30))
    >>> signal = 2 * atoms[3] - atoms[50] + 0.01 * rng.normal(size=30)
    >>> ax = plot.codes(SparseCoder().fit(atoms), signal)
    >>> ax.containers[0].lines[0].get_xdata()
    array([ 3, 50])
    """
    found, deviation, _ = coder.code(np.reshape(signal, (1, -1)))
    found, deviation = (
        np.ravel(a.toarray() if hasattr(a, "toarray") else a) for a in (found, deviation)
    )
    count = len(found)
    for name, given in (("truth", truth), ("groups", groups)):
        if given is not None and len(given) != count:
            raise ValueError(f"{name} needs an entry for each of {count} atoms, not {len(given)}")
    ax = axes_or_new(ax)
    place = np.arange(count)
    if groups is not None:
        place[np.argsort(groups, kind="stable")] = np.arange(count)
        _name_groups(ax, np.asarray(groups))
    ax.axhline(0, color=GREY, linewidth=0.8)
    used = np.flatnonzero(found)
    ax.vlines(place[used], 0, found[used], color=COLOURS[5], linewidth=1)
    ax.errorbar(
        place[used],
        found[used],
        yerr=deviations * deviation[used],
        fmt="o",
        color=COLOURS[0],
        markersize=5,
        capsize=3,
        label=f"code ± {deviations:g} posterior sd",
    )
    if truth is not None:
        planted = np.flatnonzero(truth)
        ax.plot(
            place[planted],
            np.asarray(truth)[planted],
            "x",
            color=COLOURS[1],
            markersize=9,
            markeredgewidth=1.8,
            label="truth",
        )
    ax.set_xlim(-0.02 * count - 0.5, 1.02 * count - 0.5)
    ax.set_xlabel("atom" if groups is None else "atoms by group")
    ax.set_ylabel("coefficient")
    legend_above(ax, ax.get_legend_handles_labels()[0])
    return ax


def _name_groups(ax, groups):
    names, counts = np.unique(groups, return_counts=True)
    ends = np.cumsum(counts)
    for end in ends[:-1]:
        ax.axvline(end - 0.5, color=GREY, linewidth=0.5, linestyle=":")
    ax.set_xticks(ends - counts / 2 - 0.5, [str(name) for name in names])
    ax.tick_params(axis="x", length=0)
