"""Which classes are taken for which."""

import numpy as np

from ._axes import axes_or_new, matplotlib

_WRITTEN = 15  # classes up to which the counts are written into the cells


def confusion(model, X, y, *, ax=None):
    """Rows of each true class by the class predicted; shades are shares of the true class.

    Parameters
    ----------
    model : classifier
        Fitted.
    X, y : array-like
        Rows with their classes, best not those of training.
    ax : matplotlib Axes or None, default=None
        None: a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from ardent import ARDClassifier, plot
    >>> X, y = load_iris(return_X_y=True)
    >>> ax = plot.confusion(ARDClassifier().fit(X, y), X, y)
    >>> ax.texts[0].get_text()
    '50'
    """
    from sklearn.metrics import confusion_matrix

    classes = model.classes_
    counts = confusion_matrix(np.asarray(y), model.predict(X), labels=classes)
    shares = counts / np.maximum(1, counts.sum(axis=1, keepdims=True))
    ax = axes_or_new(ax)
    blues = matplotlib().colors.LinearSegmentedColormap.from_list("", ["#f4f8fb", "#0072B2"])
    ax.imshow(shares, cmap=blues, vmin=0, vmax=1, aspect="auto")
    if len(classes) <= _WRITTEN:
        for (i, j), count in np.ndenumerate(counts):
            # Dark on pale and white on dark, whatever the page around the picture.
            colour = "#fefefe" if shares[i, j] > 0.55 else "#111111"
            ax.text(j, i, str(count), ha="center", va="center", color=colour)
    names = [str(name) for name in classes]
    long = max(map(len, names)) > 6 and len(names) > 3
    ax.set_xticks(range(len(names)), names, rotation=45 if long else 0)
    ax.set_yticks(range(len(names)), names)
    ax.tick_params(length=0)
    ax.set_xlabel("predicted")
    ax.set_ylabel("true")
    return ax
