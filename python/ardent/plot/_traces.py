"""What the chains passed through."""

import numpy as np

from ._axes import COLOURS, axes_or_new, part_of

_NAMES = {
    "log_likelihood": "log likelihood",
    "features_on": "features on",
    "basis_on": "basis points on",
    "log_delta": "log δ",
    "log_xi": "log ξ",
    "log_noise": "log noise variance",
}


def traces(model, quantity="log_likelihood", *, part=0, ax=None):
    """A quantity along the sweeps of each chain, with R-hat and the effective number of draws.

    Chains that agree lie on top of each other and look like noise; levels and slopes are warnings.

    Parameters
    ----------
    model : DoublySparseClassifier or DoublySparseRegressor
        Fitted with the sampler collapsed; a model from a file has no chains.
    quantity : str, default='log_likelihood'
        Or features_on, basis_on, log_delta, log_xi, log_noise.
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
    >>> ax = plot.traces(model, "features_on")
    >>> len(ax.lines), ax.get_ylabel()
    (3, 'features on')
    """
    if quantity not in _NAMES:
        raise ValueError(f"quantity must be one of {', '.join(_NAMES)}, not {quantity!r}")
    reported = part_of(model.diagnostics_, part)
    values = reported["traces"][quantity]
    if values.size == 0:
        raise ValueError("there are no traces: the sampler is not 'collapsed', or few sweeps ran")
    ax = axes_or_new(ax)
    for chain, line in enumerate(values.T):
        ax.plot(
            np.arange(1, len(line) + 1),
            line,
            color=COLOURS[chain % len(COLOURS)],
            linewidth=0.9,
            alpha=0.9,
            label=f"chain {chain + 1}",
        )
    ax.set_xlabel("sweep after burn-in")
    ax.set_ylabel(_NAMES[quantity])
    summary = reported[quantity]
    ax.set_title(
        f"R-hat {summary['r_hat']:.2f}, effective draws {summary['effective']:.0f}",
        fontsize="medium",
        loc="right",
    )
    return ax
