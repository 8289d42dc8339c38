"""Weights with error bars."""

import numpy as np

from ._axes import COLOURS, GREY, axes_or_new, feature_names, named_rows, part_of


def weights(model, *, X=None, scaled=False, names=None, most=20, deviations=2.0, part=0, ax=None):
    """Weights that the evidence keeps, the largest on top, with their posterior deviations.

    Parameters
    ----------
    model : ARDClassifier, ARDRegressor or another estimator with weights
        Fitted. Of kernel and hidden-layer models the weights are those of training rows and nodes.
    X : array-like of shape (n_samples, n_features) or None, default=None
        Weights of linear models are in the units of the features. Given rows, each is multiplied
        by the standard deviation of its feature in them, so that sizes can be compared.
    scaled : bool, default=False
        Weights of linear models as the model has them: of the features as it scales them, which
        needs no rows.
    names : sequence of str or None, default=None
        Of the features; None: the model's.
    most : int, default=20
        So many at most.
    deviations : float, default=2.0
        Length of a bar to each side, in posterior standard deviations.
    part : int, default=0
        Which of several binary models.
    ax : matplotlib Axes or None, default=None
        None: a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from ardent import ARDRegressor, plot
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> ax = plot.weights(ARDRegressor().fit(X, y), X=X)
    >>> ax.get_yticklabels()[0].get_text()
    's5'
    """
    linear = model.model_.map == "linear" and model._map == "linear"
    if X is not None and not linear:
        raise ValueError("X is for linear models, whose weights have the units of the features")
    if X is not None and scaled:
        raise ValueError("weights are either those of scaled features or by the spread of X")
    posterior = part_of(model.model_.posteriors, part)
    places = model._origin()[posterior["active"]]
    mean, deviation = posterior["mean"], np.sqrt(posterior["variance"][: len(places)])
    if linear:
        units = 1.0 if scaled else model.model_.factor[posterior["active"]]
        if X is not None:
            units = units * np.std(np.asarray(X, dtype=float)[:, places], axis=0)
        mean, deviation = mean * units, deviation * units
        labels = feature_names(model, names)[places]
    else:
        labels = np.asarray([f"{place}" for place in places])
    ax = axes_or_new(ax)
    order = np.argsort(-np.abs(mean), kind="stable")[:most]
    ax.axvline(0, color=GREY, linewidth=0.8)
    ax.errorbar(
        mean[order],
        np.arange(len(order)),
        xerr=deviations * deviation[order],
        fmt="o",
        color=COLOURS[0],
        capsize=3,
    )
    named_rows(ax, labels[order])
    unit = " per standard deviation" if X is not None else " of the scaled feature" * scaled
    ax.set_xlabel(f"weight{unit} ± {deviations:g} posterior sd")
    if not linear:
        ax.set_ylabel("basis function")
    return ax
