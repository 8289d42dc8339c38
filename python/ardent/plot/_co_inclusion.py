"""Features that stand in for each other."""

import numpy as np

from ._axes import axes_or_new, feature_names, matplotlib, named_rows


def co_inclusion(model, *, names=None, most=20, part=0, ax=None):
    """Correlations between the masks of features of a doubly sparse model.

    Two features that stand in for each other are rarely on together: their masks have a negative
    correlation (red). Features that are only useful together have a positive one (blue).

    Parameters
    ----------
    model : DoublySparseClassifier or DoublySparseRegressor
        Fitted with the sampler collapsed; a model from a file has no chains.
    names : sequence of str or None, default=None
        Of the features; None: the model's, or numbers.
    most : int, default=20
        So many features at most: those in most doubt, in the order of the data.
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
    >>> X[:, 3] = X[:, 1]
    >>> model = DoublySparseClassifier(burn_in=50, sweeps=100).fit(X, X[:, 1] ** 2 > 0.5)
    >>> ax = plot.co_inclusion(model, names=["age", "size", "mass", "again"])
    >>> ax.get_yticklabels()[1].get_text()
    'size'
    """
    together = model.co_inclusion(part)
    labels = feature_names(model, names)
    share = np.diag(together)
    deviation = np.sqrt(share * (1 - share))
    shown = np.sort(np.argsort(-deviation, kind="stable")[:most])
    covariance = (together - np.outer(share, share))[np.ix_(shown, shown)]
    scale = np.outer(deviation[shown], deviation[shown])
    # A mask that never changed is correlated with nothing.
    correlation = np.divide(covariance, scale, out=np.zeros_like(scale), where=scale > 0)
    np.fill_diagonal(correlation, np.nan)
    ax = axes_or_new(ax)
    picture = ax.imshow(correlation, cmap="RdBu", vmin=-1, vmax=1)
    ax.set_xticks(np.arange(len(shown)), labels[shown], rotation=90)
    named_rows(ax, labels[shown])
    ax.set_xlabel("feature")
    matplotlib().pyplot.colorbar(picture, ax=ax, label="correlation of the masks")
    return ax
