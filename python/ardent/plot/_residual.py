"""What the sources leave of an image."""

import numpy as np

from .._astronomy import unpacked
from ._axes import axes_or_new


def residual(finder, image, *, ax=None):
    """An image less background and sources, in standard deviations of the noise between sources.

    Where the model holds, what is left looks like noise between −3 and 3.

    Parameters
    ----------
    finder : SourceFinder
        Fitted to the image.
    image : array-like of shape (height, width)
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
    >>> finder = SourceFinder(sigma=1.5).fit(image)
    >>> ax = plot.residual(finder, image)
    >>> bool(abs(ax.images[0].get_array().std() - 1) < 0.1)
    True
    """
    pixels = np.asarray(unpacked(image)[0], dtype=float)
    if pixels.shape != finder.model_image_.shape:
        raise ValueError(f"fitted to the shape {finder.model_image_.shape}, not {pixels.shape}")
    left = pixels - finder.background_ - finder.model_image_
    first = finder.origin - 0.5
    height, width = left.shape
    ax = axes_or_new(ax)
    picture = ax.imshow(
        left / np.sqrt(max(finder.noise_variance_, 1e-300)),
        cmap="RdBu_r",
        vmin=-5,
        vmax=5,
        origin="lower",
        extent=(first, first + width, first, first + height),
        interpolation="nearest",
    )
    ax.figure.colorbar(picture, ax=ax, label="standard deviations")
    ax.set_xlabel("x (pixels)")
    ax.set_ylabel("y (pixels)")
    return ax
