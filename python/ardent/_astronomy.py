"""Images and catalogues of astropy: units, masks, uncertainties, places on the sky."""

import numpy as np

from ._masked import with_nan

# Columns of a catalogue: unit as powers of a pixel and of the image's unit, meaning.
_COLUMNS = {
    "x": (1, 0, "place along x"),
    "y": (1, 0, "place along y"),
    "x_sd": (1, 0, "standard deviation of x"),
    "y_sd": (1, 0, "standard deviation of y"),
    "cov_xy": (2, 0, "covariance of x and y"),
    "sigma": (1, 0, "standard deviation of the profile"),
    "sigma_sd": (1, 0, "standard deviation of sigma; 0: it is known"),
    "flux": (0, 1, "sum of the light over all pixels"),
    "flux_sd": (0, 1, "standard deviation of the flux"),
    "cov_x_flux": (1, 1, "covariance of x and flux"),
    "cov_y_flux": (1, 1, "covariance of y and flux"),
    "snr": (0, 0, "flux over its standard deviation"),
    "probability": (0, 0, "of presence"),
    "sky": (0, 1, "background at the source"),
    "chi2": (0, 0, "chi square per degree of freedom within 2 sigma"),
    "pixels": (0, 0, "known pixels within 2 sigma"),
    "flags": (0, 0, "1 border, 2 missing pixels, 4 saturated, 8 blended, 16 doubtful, 32 joined"),
}


def unpacked(image):
    """Pixels (NaN where masked), standard deviations, unit and WCS, None where there are none."""
    if hasattr(image, "uncertainty") and hasattr(image, "wcs"):  # NDData, CCDData
        pixels = np.array(image.data, dtype=np.float64)
        if image.mask is not None:
            pixels[np.broadcast_to(np.asarray(image.mask) != 0, pixels.shape)] = np.nan
        return pixels, _deviations(image), image.unit, image.wcs
    if hasattr(image, "unit") and hasattr(image, "value"):  # Quantity
        return np.asarray(image.value, dtype=np.float64), None, image.unit, None
    return with_nan(image), None, None, None


def _deviations(image):
    """Standard deviations of the pixels, in the unit of the image."""
    given = image.uncertainty
    if given is None or given.array is None:
        return None
    kind = given.uncertainty_type
    array = np.asarray(given.array, dtype=np.float64)
    power = {"std": 1, "var": 2, "ivar": -2}.get(kind)
    if power is None:
        raise ValueError(f"the uncertainty of an image must be std, var or ivar, not {kind!r}")
    if given.unit is not None and image.unit is not None:
        array = (array * given.unit).to_value(image.unit**power)
    with np.errstate(divide="ignore", invalid="ignore"):
        deviations = array ** (1 / power)
    return np.where(np.isfinite(deviations), deviations, np.nan)


def catalogue_table(finder, zero_point, wcs):
    """The sources of a fitted ``SourceFinder`` as an astropy QTable."""
    try:
        from astropy import units
        from astropy.table import Column, QTable
    except ImportError as error:
        raise ImportError(
            "tables with units are astropy's, which is not installed: pip install ardent-sbl[astro]"
        ) from error
    fields = {name: finder.sources_[name] for name in finder.sources_.dtype.names}
    fields.update({name: finder.details_[name] for name in finder.details_.dtype.names})
    table = QTable(meta={"PIXORIG": finder.origin, "NOISEVAR": finder.noise_variance_})
    of_image = finder.unit_ or units.dimensionless_unscaled
    for name, (pixels, fluxes, meaning) in _COLUMNS.items():
        unit = units.pix**pixels * of_image**fluxes
        plain = unit == units.dimensionless_unscaled
        table[name] = Column(fields[name]) if plain else fields[name] * unit
        table[name].info.description = meaning
    if zero_point is not None:
        _add_magnitudes(table, fields, zero_point, units)
    wcs = finder.wcs_ if wcs is None else wcs
    if wcs is not None:
        _add_sky(table, fields, wcs, finder.origin, units)
    return table


def _add_magnitudes(table, fields, zero_point, units):
    zero = getattr(zero_point, "value", zero_point)
    with np.errstate(divide="ignore", invalid="ignore"):
        magnitude = np.where(fields["flux"] > 0, zero - 2.5 * np.log10(fields["flux"]), np.nan)
        error = 2.5 / np.log(10) * fields["flux_sd"] / np.abs(fields["flux"])
    table["mag"] = magnitude * units.mag
    table["mag_sd"] = np.where(np.isfinite(magnitude), error, np.nan) * units.mag
    table["mag"].info.description = "zero point - 2.5 log10(flux)"
    table["mag_sd"].info.description = "standard deviation of the magnitude"


def _add_sky(table, fields, wcs, origin, units):
    """ICRS places; their errors through the slopes of the WCS there."""
    x, y = fields["x"] - origin, fields["y"] - origin

    def places(dx, dy):
        sky = wcs.pixel_to_world(x + dx, y + dy)
        if not hasattr(sky, "icrs"):
            raise ValueError("the WCS gives no place on the sky: it is not a celestial one")
        return sky.icrs

    middle = places(0, 0)

    def slope(dx, dy):
        a, b = places(-dx, -dy), places(dx, dy)
        across = (b.ra - a.ra).wrap_at(180 * units.deg) * np.cos(middle.dec.rad)
        return np.array([across.to_value("arcsec"), (b.dec - a.dec).to_value("arcsec")])

    by_x, by_y = slope(0.5, 0), slope(0, 0.5)
    variance = (
        by_x**2 * fields["x_sd"] ** 2
        + by_y**2 * fields["y_sd"] ** 2
        + 2 * by_x * by_y * fields["cov_xy"]
    )
    deviation = np.sqrt(np.maximum(0, variance)) * units.arcsec
    table["ra"], table["dec"] = middle.ra.to(units.deg), middle.dec.to(units.deg)
    table["ra_sd"], table["dec_sd"] = deviation
    table["ra"].info.description = "right ascension (ICRS)"
    table["dec"].info.description = "declination (ICRS)"
    table["ra_sd"].info.description = "standard deviation of ra, times cos(dec)"
    table["dec_sd"].info.description = "standard deviation of dec"


def region_text(finder, wcs):
    """A DS9 region file: circles of radius 2 sigma, on the sky (ICRS) where there is a WCS."""
    wcs = finder.wcs_ if wcs is None else wcs
    sources = finder.sources_
    head = "# Region file format: DS9 version 4.1\nglobal color=green\n"
    if wcs is None:
        lines = [
            f"circle({one['x'] + 1 - finder.origin:.4f},{one['y'] + 1 - finder.origin:.4f},"
            f"{2 * one['sigma']:.4f}) # text={{{one['flux']:.4g}}}"
            for one in sources
        ]
        return "\n".join([head + "image", *lines, ""])
    from astropy.wcs.utils import proj_plane_pixel_area

    table = catalogue_table(finder, None, wcs)
    scale = 3600 * np.sqrt(proj_plane_pixel_area(wcs.celestial))  # arcseconds a pixel
    lines = [
        f"circle({ra:.7f},{dec:.7f},{2 * scale * one['sigma']:.4f}\") # text={{{one['flux']:.4g}}}"
        for one, ra, dec in zip(sources, table["ra"].value, table["dec"].value)
    ]
    return "\n".join([head + "icrs", *lines, ""])
