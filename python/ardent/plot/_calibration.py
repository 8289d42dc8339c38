"""Do probabilities say how often?"""

import numpy as np

from ._axes import COLOURS, GREY, axes_or_new, legend_above


def reliability(probability, happened, bins=10):
    """Of groups of equally many rows, in the order of their probability: mean probability, share
    that happened, and Wilson's 95% interval of that share."""
    probability, happened = np.asarray(probability, float), np.asarray(happened, float)
    order = np.argsort(probability, kind="stable")
    groups = [g for g in np.array_split(order, min(bins, len(order))) if len(g)]
    mean = np.array([probability[g].mean() for g in groups])
    share = np.array([happened[g].mean() for g in groups])
    count = np.array([len(g) for g in groups])
    z = 1.959964
    middle = (share + z**2 / (2 * count)) / (1 + z**2 / count)
    half = z * np.sqrt(share * (1 - share) / count + z**2 / (4 * count**2)) / (1 + z**2 / count)
    return mean, share, np.maximum(0, middle - half), np.minimum(1, middle + half)


def calibration(model, X, y, *, bins=10, ax=None):
    """How often what the model gave a probability came true, by groups of equally many rows.

    For two classes it is the probability of the second, for more that of the class predicted. Bars
    are 95% intervals of the share (Wilson's); a calibrated model lies on the diagonal, within them.

    Parameters
    ----------
    model : classifier with ``predict_proba``
        Fitted.
    X, y : array-like
        Rows with their classes, best not those of training.
    bins : int, default=10
        Groups of rows.
    ax : matplotlib Axes or None, default=None
        None: a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from ardent import ARDClassifier, plot
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> ax = plot.calibration(ARDClassifier().fit(X[:400], y[:400]), X[400:], y[400:], bins=5)
    >>> len(ax.containers[0].lines[0].get_xdata())
    5
    """
    probabilities, y = np.asarray(model.predict_proba(X)), np.asarray(y)
    if probabilities.shape[1] == 2:
        asked, happened = probabilities[:, 1], y == model.classes_[1]
        what = f"probability of {model.classes_[1]}"
    else:
        best = probabilities.argmax(axis=1)
        asked, happened = probabilities.max(axis=1), y == model.classes_[best]
        what = "probability of the class predicted"
    mean, share, low, high = reliability(asked, happened, bins)
    ax = axes_or_new(ax)
    ax.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, linestyle=":")
    ax.errorbar(
        mean,
        share,
        # Wilson's interval of a share of 0 or 1 begins at it, but for rounding.
        yerr=np.maximum(0, [share - low, high - share]),
        fmt="o",
        color=COLOURS[0],
        capsize=3,
        label="share that came true, 95% interval",
    )
    ax.set_xlim(-0.03, 1.03)
    ax.set_ylim(-0.03, 1.03)
    ax.set_xlabel(what)
    ax.set_ylabel("share that came true")
    legend_above(ax, ax.get_legend_handles_labels()[0])
    return ax
