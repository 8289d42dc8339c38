"""Predictions of a regression against what was observed."""

import numpy as np

from ._axes import COLOURS, GREY, axes_or_new


def predictions(model, X, y, *, deviations=2.0, most=300, ax=None):
    """Observations against predictions, with the standard deviations of new observations.

    The title has the share of all rows within one and two standard deviations: 68% and 95% for a
    model whose intervals hold.

    Parameters
    ----------
    model : regressor whose ``predict`` takes ``return_std``
        Fitted.
    X, y : array-like
        Rows with their targets, best not those of training.
    deviations : float, default=2.0
        Length of a bar to each side, in standard deviations.
    most : int, default=300
        Rows drawn: of more, evenly chosen ones.
    ax : matplotlib Axes or None, default=None
        None: a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from ardent import ARDRegressor, plot
    >>> X, y = load_diabetes(return_X_y=True)
    >>> ax = plot.predictions(ARDRegressor().fit(X[:300], y[:300]), X[300:], y[300:])
    >>> ax.get_xlabel()
    'predicted ± 2 sd'
    """
    mean, deviation = model.predict(X, return_std=True)
    y = np.asarray(y, float)
    size = np.abs(y - mean) / np.maximum(deviation, 1e-300)
    ax = axes_or_new(ax)
    ends = min(mean.min(), y.min()), max(mean.max(), y.max())
    ax.plot(ends, ends, color=GREY, linewidth=0.8, linestyle=":")
    shown = np.unique(np.linspace(0, len(y) - 1, min(most, len(y))).round().astype(int))
    ax.errorbar(
        mean[shown],
        y[shown],
        xerr=deviations * deviation[shown],
        fmt="o",
        markersize=3.5,
        color=COLOURS[0],
        ecolor=COLOURS[5],
        elinewidth=0.6,
    )
    ax.set_xlabel(f"predicted ± {deviations:g} sd")
    ax.set_ylabel("observed")
    ax.set_title(
        f"within 1 sd {np.mean(size <= 1):.0%}, within 2 sd {np.mean(size <= 2):.0%}",
        fontsize="medium",
        loc="right",
    )
    return ax
