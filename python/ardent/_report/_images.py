"""Point sources of an image."""

import numpy as np

from .. import plot
from .._astronomy import unpacked
from ._page import Page, number

_LISTED = 300
_FLAGS = {
    **{1: "at the border", 2: "missing pixels", 4: "saturated", 8: "blended"},
    **{16: "doubtful", 32: "joined"},
}


def sources_page(finder, image, title):
    image = np.asarray(unpacked(image)[0], dtype=float)
    found = finder.sources_
    count = len(found)
    page = Page(
        title or "Point sources",
        f"{number(count)} sources in an image of {image.shape[1]} × {image.shape[0]} pixels.",
    )
    page.card("sources", number(count), "of a probability of one half or more")
    page.card("noise", number(np.sqrt(finder.noise_variance_)), "standard deviation of a pixel")
    page.card("profile error", number(finder.profile_error_, 2), "of the light, beyond the noise")
    page.card(
        "pixels left out",
        number(finder.n_masked_ + int(finder.bad_pixels_.sum())),
        f"{number(finder.n_masked_)} masked, {number(int(finder.bad_pixels_.sum()))} bad",
    )
    page.section(
        "Image and what is left of it",
        "Circles have a radius of three standard deviations of a source's profile, dashed below a "
        f"probability of 0.9. Pixels count from {finder.origin}.",
    )
    tall = 4.9 * min(1.6, max(0.5, image.shape[0] / image.shape[1]))
    page.pictures(
        (
            "The sources over the image",
            lambda ax: plot.sources(image, found, origin=finder.origin, ax=ax),
            4.9,
            tall,
        ),
        (
            "What background and sources leave, in standard deviations of the noise",
            lambda ax: plot.residual(finder, image, ax=ax),
            4.9,
            tall * 0.87,
        ),
    )
    page.section("The sources, the brightest first")
    details = finder.details_
    names = [*found.dtype.names, "x_sd", "y_sd", "sky", "chi2"]
    on_sky = ["RA", "Dec"] if finder.wcs_ is not None else []
    sky = finder.to_table() if on_sky else None
    page.table(
        ["", *(name.replace("_", " ") for name in names), *on_sky, "to be wary of"],
        [
            [
                number(k + 1),
                *(_cell(n, (found if n in found.dtype.names else details)[n][k]) for n in names),
                *(f"{sky[n.lower()][k].value:.6f}°".replace("-", "−") for n in on_sky),
                ", ".join(w for bit, w in _FLAGS.items() if details["flags"][k] & bit),
            ]
            for k in range(min(count, _LISTED))
        ],
    )
    if count > _LISTED:
        page.text(f"The brightest {_LISTED} of {number(count)}.")
    return page


def _cell(name, value):
    if name in ("x", "y", "sigma", "probability", "x_sd", "y_sd"):
        return f"{value:.3f}"
    if name in ("snr", "chi2"):
        return f"{value:.2f}"
    return number(value) if np.isfinite(value) else ""
