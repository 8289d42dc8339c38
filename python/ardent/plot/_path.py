"""How good is the model as it gets sparser?"""

import numpy as np
from sklearn.base import is_classifier

from ._axes import COLOURS, axes_or_new, matplotlib


def path(model, X, y, *, scoring=None, ax=None, **style):
    """Score against weights kept, stage by stage: what does sparsity cost?

    Training begins at the right, with all weights, and goes left. A ring marks the fitted model.

    Parameters
    ----------
    model : estimator
        Fitted with ``keep_stages=True``.
    X, y : array-like
        Rows to score, best not those of training.
    scoring : callable or None, default=None
        ``scoring(model, X, y)``; None: the estimator's own (accuracy or R²).
    ax : matplotlib Axes or None, default=None
        None: a new figure.
    style : keywords
        Of ``Axes.plot``: colour, label, ...

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from ardent import ARDClassifier, plot
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = ARDClassifier(keep_stages=True).fit(X[:400], y[:400])
    >>> ax = plot.path(model, X[400:], y[400:])
    >>> ax.get_ylabel()
    'accuracy'
    """
    if model.model_.path_stages == 0:
        raise ValueError("the model knows its last stage only: fit it with keep_stages=True")
    ax = axes_or_new(ax)
    score = scoring if scoring is not None else lambda stage, X, y: stage.score(X, y)
    stages = [model.at_stage(k) for k in range(1, model.n_iter_ + 1)]
    kept = np.array([len(stage.active_) for stage in stages])
    scores = np.array([score(stage, X, y) for stage in stages])
    style = {"color": COLOURS[0], "marker": "o", "markersize": 4, **style}
    (line,) = ax.plot(kept, scores, **style)
    ax.plot(kept[-1:], scores[-1:], "o", markersize=11, fillstyle="none", color=line.get_color())
    if kept.max() > 20 * max(1, kept.min()):
        ax.set_xscale("log")
        plain = matplotlib().ticker.StrMethodFormatter("{x:g}")
        ax.xaxis.set_major_formatter(plain)
    ax.set_xlabel("weights kept")
    own = "accuracy" if is_classifier(model) else "R²"
    ax.set_ylabel(own if scoring is None else getattr(scoring, "__name__", "score"))
    return ax
