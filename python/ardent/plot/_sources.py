"""Point sources over their image."""

import numpy as np

from .._imaging import _places
from .._astronomy import unpacked
from ._axes import COLOURS, axes_or_new, legend_above, matplotlib


def sources(image, found, *, truth=None, origin=1, ax=None):
    """Sources over the image they were found in.

    The image is drawn with y upwards; the first pixel's centre is (origin, origin), (1, 1) as in
    FITS unless told otherwise.
    Circles have a radius of three standard deviations of a source's profile (or three pixels where
    none is given) and are dashed for sources of a probability below 0.9.

    Parameters
    ----------
    image : array-like of shape (height, width)
    found : structured ndarray, or array-like of shape (n, 2)
        What ``SourceFinder.find`` gives, or places x and y.
    truth : structured ndarray, array-like of shape (n, 2) or None, default=None
        Where sources really are, drawn as crosses.
    origin : {1, 0}, default=1
        Number of the first pixel in ``found`` and ``truth``: that of the ``SourceFinder``.
    ax : matplotlib Axes or None, default=None
        None: a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import numpy as np
    >>> from ardent import SourceFinder, plot
    >>> y, x = np.mgrid[:32, :32]
    >>> image = 20 * np.exp(-((x - 20) ** 2 + (y - 9) ** 2) / (2 * 1.5**2))
    >>> image += np.random.default_rng(0).normal(size=image.shape)
    >>> ax = plot.sources(image, SourceFinder(sigma=1.5).find(image))
    >>> len(ax.patches)
    1
    """
    image = np.asarray(unpacked(image)[0], dtype=float)
    if image.ndim != 2:
        raise ValueError(f"an image has two axes, not the shape {image.shape}")
    ax = axes_or_new(ax)
    height, width = image.shape
    first = origin - 0.5
    low, high = np.nanpercentile(image, [1, 99.7])
    ax.imshow(
        image,
        cmap="gray_r",
        vmin=low,
        vmax=high,
        origin="lower",
        extent=(first, first + width, first, first + height),
        interpolation="nearest",
    )
    places = _places(found)
    fields = np.asarray(found).dtype.names or ()
    radii = 3 * found["sigma"] if "sigma" in fields else np.full(len(places), 3.0)
    sure = found["probability"] >= 0.9 if "probability" in fields else np.full(len(places), True)
    for place, radius, certain in zip(places, radii, sure):
        ax.add_patch(
            matplotlib().patches.Circle(
                place,
                radius,
                fill=False,
                edgecolor=COLOURS[0],
                linewidth=1.6,
                linestyle="-" if certain else "--",
            )
        )
    handles = []
    if len(places):
        (ring,) = ax.plot(
            [], [], "o", markersize=10, fillstyle="none", color=COLOURS[0], label="found"
        )
        handles.append(ring)
    if truth is not None:
        (cross,) = ax.plot(*_places(truth).T, "+", color=COLOURS[1], markersize=8, label="truth")
        handles.append(cross)
    if truth is not None and handles:
        legend_above(ax, handles)
    ax.set_xlim(first, first + width)
    ax.set_ylim(first, first + height)
    ax.set_xlabel("x (pixels)")
    ax.set_ylabel("y (pixels)")
    return ax
