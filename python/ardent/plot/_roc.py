"""True positives against false ones."""

import numpy as np

from ._axes import COLOURS, GREY, axes_or_new


def roc(model, X, y, *, ax=None):
    """Share of a class that is found against the share of the others taken for it, at every limit.

    For two classes the second's curve; for more, a curve for each against the rest (at most eight).
    The legend has the areas below the curves: 1 is perfect, 0.5 chance.

    Parameters
    ----------
    model : classifier with ``predict_proba``
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
    >>> from sklearn.datasets import load_breast_cancer
    >>> from ardent import ARDClassifier, plot
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> ax = plot.roc(ARDClassifier().fit(X[:400], y[:400]), X[400:], y[400:])
    >>> ax.get_legend().get_texts()[0].get_text()[:12]
    '1: area 0.99'
    """
    from sklearn.metrics import auc, roc_curve

    probabilities, y = np.asarray(model.predict_proba(X)), np.asarray(y)
    shown = [1] if probabilities.shape[1] == 2 else range(min(probabilities.shape[1], 8))
    shown = [c for c in shown if 0 < np.sum(y == model.classes_[c]) < len(y)]
    if not shown:
        raise ValueError("the rows are all of one class: there is no curve")
    ax = axes_or_new(ax)
    ax.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, linestyle=":")
    for k, c in enumerate(shown):
        false, true, _ = roc_curve(y == model.classes_[c], probabilities[:, c])
        ax.plot(
            false,
            true,
            color=COLOURS[k % len(COLOURS)],
            label=f"{model.classes_[c]}: area {auc(false, true):.3f}",
        )
    ax.set_xlim(-0.03, 1.03)
    ax.set_ylim(-0.03, 1.03)
    ax.set_xlabel("share of the others taken for it")
    ax.set_ylabel("share of the class found")
    ax.legend(loc="lower right", frameon=False)
    return ax
