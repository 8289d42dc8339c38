"""Probabilities over a plane, with the relevance vectors."""

import numpy as np

from ._axes import COLOURS, axes_or_new, legend_above, matplotlib

_MARKS = "osD^vP*X"


def decision_surface(model, X, y, *, resolution=200, ax=None):
    """Where a classifier of two features puts its classes, and the training rows it rests on.

    With two classes the shades are probabilities, with lines at 0.1, 0.5 and 0.9; with more, each
    place has the colour of its likeliest class, the stronger the surer. Relevance vectors are
    ringed.

    Parameters
    ----------
    model : classifier with ``predict_proba``
        Fitted on two features; at most eight classes.
    X : array-like of shape (n_samples, 2)
        The training rows.
    y : array-like of shape (n_samples,)
    resolution : int, default=200
        Points of the grid along each axis.
    ax : matplotlib Axes or None, default=None
        None: a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from ardent import RVMClassifier, plot
    >>> X, y = make_moons(100, noise=0.2, random_state=0)
    >>> model = RVMClassifier(sigma=0.7).fit(X, y)
    >>> ax = plot.decision_surface(model, X, y, resolution=40)
    >>> ax.get_legend_handles_labels()[1]
    ['0', '1', 'relevance vectors']
    """
    names = getattr(X, "columns", ("feature 1", "feature 2"))
    rows, y = np.asarray(X, dtype=float), np.asarray(y)
    if rows.ndim != 2 or rows.shape[1] != 2:
        raise ValueError(f"a plane has two features: X must be (n, 2), not {rows.shape}")
    if len(model.classes_) > len(COLOURS):
        raise ValueError(f"at most {len(COLOURS)} classes can be distinguished by colour")
    ax = axes_or_new(ax)
    _shade(ax, model, X, rows, resolution)
    for c, name in enumerate(model.classes_):
        mine = rows[y == name]
        ax.plot(
            *mine.T,
            _MARKS[c],
            color=COLOURS[c],
            markersize=4.5,
            markeredgecolor="white",
            markeredgewidth=0.5,
            label=str(name),
        )
    vectors = getattr(model, "relevance_vectors_", None)
    if vectors is not None:
        kept = np.isin(
            model._origin(), model.active_
        )  # with keep_stages earlier ones are there, too
        ax.plot(
            *np.asarray(vectors)[kept].T,
            "o",
            markersize=11,
            fillstyle="none",
            color="black",
            markeredgewidth=1.6,
            label="relevance vectors",
        )
    ax.set_xlabel(str(names[0]))
    ax.set_ylabel(str(names[1]))
    legend_above(ax, ax.get_legend_handles_labels()[0])
    return ax


def _shade(ax, model, X, rows, resolution):
    low, high = rows.min(axis=0), rows.max(axis=0)
    margin = 0.08 * (high - low)
    across, up = np.linspace(low - margin, high + margin, resolution).T
    grid = np.stack(np.meshgrid(across, up), axis=-1)
    places = grid.reshape(-1, 2)
    if hasattr(X, "columns"):
        places = type(X)(places, columns=X.columns)
    probability = model.predict_proba(places).reshape(resolution, resolution, -1)
    colours = matplotlib().colors.to_rgba_array(COLOURS)[: probability.shape[-1], :3]
    # The likeliest class's colour, from white where the classes are a draw.
    chance = 1 / probability.shape[-1]
    best = probability.argmax(axis=-1)
    sure = (probability.max(axis=-1) - chance) / (1 - chance)
    image = 1 - 0.45 * sure[..., None] * (1 - colours[best])
    extent = (across[0], across[-1], up[0], up[-1])
    ax.imshow(image, extent=extent, origin="lower", aspect="auto", interpolation="bilinear")
    if probability.shape[-1] == 2:
        lines = ax.contour(
            across,
            up,
            probability[..., 1],
            levels=[0.1, 0.5, 0.9],
            colors="black",
            linewidths=[0.8, 1.5, 0.8],
            linestyles=["--", "-", "--"],
        )
        ax.clabel(lines, fmt="%g", fontsize="small")
