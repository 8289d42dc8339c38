"""Inclusion probabilities with their Monte-Carlo error."""

import numpy as np

from ._axes import COLOURS, GREY, axes_or_new, feature_names, legend_above, named_rows, part_of


def inclusion(model, *, of="features", names=None, most=20, errors=2.0, part=0, ax=None):
    """Inclusion probabilities of a doubly sparse model, the likeliest on top.

    Bars are Monte-Carlo error: what other chains of the same length might have said. Open marks are
    probabilities on which the chains disagree (R-hat above 1.1).

    Parameters
    ----------
    model : DoublySparseClassifier or DoublySparseRegressor
        Fitted; of a model from a file the errors are not known.
    of : {'features', 'basis'}, default='features'
        basis: of the training rows.
    names : sequence of str or None, default=None
        Of the features, or of the training rows; None: the model's, or numbers.
    most : int, default=20
        So many at most.
    errors : float, default=2.0
        Length of a bar to each side, in Monte-Carlo standard errors.
    part : int, default=0
        Which of several binary models.
    ax : matplotlib Axes or None, default=None
        None: a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import numpy as np
    >>> from ardent import DoublySparseClassifier, plot
    >>> X = np.random.default_rng(0).normal(size=(80, 4))
    >>> model = DoublySparseClassifier(burn_in=50, sweeps=100).fit(X, X[:, 1] ** 2 > 0.5)
    >>> ax = plot.inclusion(model, names=["age", "size", "mass", "hue"])
    >>> ax.get_yticklabels()[0].get_text()
    'size'
    """
    if of not in ("features", "basis"):
        raise ValueError(f"of must be 'features' or 'basis', not {of!r}")
    reported = part_of(model.diagnostics_, part)
    places = reported["columns" if of == "features" else "candidates"]
    if of == "features":
        labels = feature_names(model, names)[places]
    else:
        labels = np.asarray([str(p) if names is None else names[p] for p in places])
    mean, error, r_hat = (reported[of][key] for key in ("mean", "error", "r_hat"))
    ax = axes_or_new(ax)
    order = np.argsort(-mean, kind="stable")[:most]
    height = np.arange(len(order))
    ax.axvline(0.5, color=GREY, linewidth=0.8, linestyle=":")
    ax.errorbar(
        mean[order], height, xerr=errors * error[order], fmt="none", color=COLOURS[0], capsize=3
    )
    agree = ~(r_hat[order] > 1.1)
    for mask, fill, label in ((agree, COLOURS[0], None), (~agree, "white", "R-hat above 1.1")):
        if mask.any():
            ax.plot(
                mean[order][mask],
                height[mask],
                "o",
                color=COLOURS[0],
                markerfacecolor=fill,
                label=label,
            )
    if not agree.all():
        legend_above(ax, ax.get_legend_handles_labels()[0])
    named_rows(ax, labels[order])
    ax.set_xlim(-0.03, 1.03)
    ax.set_xlabel(f"inclusion probability ± {errors:g} Monte-Carlo errors")
    if of == "basis":
        ax.set_ylabel("training row")
    return ax
