"""Features that are in together, or instead of each other."""

import numpy as np

from ._axes import axes_or_new, feature_names, matplotlib


def co_inclusion(model, *, names=None, most=12, part=0, ax=None):
    """How often two features of a doubly sparse model are on in the same sampled state.

    The diagonal has the inclusion probabilities of single features; shares are those of the states
    that the model keeps (100 unless ``draws`` says). A pair that is on together less often than its
    single shares say is one of which either will do.

    Parameters
    ----------
    model : DoublySparseClassifier or DoublySparseRegressor
        Fitted, or from a file.
    names : sequence of str or None, default=None
        Of the features; None: the model's.
    most : int, default=12
        So many at most, those of the highest inclusion.
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
    >>> ax = plot.co_inclusion(model)
    >>> float(ax.images[0].get_array()[0, 0]) > 0.9
    True
    """
    masks = model.model_.masks(part)
    if masks.size == 0:
        raise ValueError("the model has no sampled states: it is not doubly sparse")
    shares = masks.T @ masks / len(masks)
    order = np.argsort(-np.diag(shares), kind="stable")[:most]
    shares = shares[np.ix_(order, order)]
    labels = feature_names(model, names)[model.model_.inputs[order]]
    ax = axes_or_new(ax)
    blues = matplotlib().colors.LinearSegmentedColormap.from_list("", ["#f4f8fb", "#0072B2"])
    ax.imshow(shares, cmap=blues, vmin=0, vmax=1, aspect="auto")
    for (i, j), share in np.ndenumerate(shares):
        colour = "#fefefe" if share > 0.55 else "#111111"
        text = f"{share:.2f}".removeprefix("0")
        ax.text(j, i, text, ha="center", va="center", color=colour, fontsize="small")
    places = np.arange(len(order))
    ax.set_xticks(places, labels, rotation=90)
    ax.set_yticks(places, labels)
    ax.tick_params(length=0)
    return ax
