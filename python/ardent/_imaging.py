"""Point sources in images."""

import pathlib
import warnings

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core
from ._astronomy import catalogue_table, region_text, unpacked
from ._masked import with_nan
from ._options import option_texts, seed_texts, thread_count
from ._progress import progress
from ._reporting import Reporting
from ._schema import from_schema

_FIELDS = ("x", "y", "sigma", "flux", "flux_sd", "probability", "snr")
_DETAILS = (
    *("x_sd", "y_sd", "sigma_sd", "cov_xy", "cov_x_flux", "cov_y_flux", "sky", "chi2"),
    *("pixels", "flags"),
)


@from_schema("locate")
class SourceFinder(Reporting, BaseEstimator):
    """Find point sources in an image: positions, widths, fluxes with errors, probabilities.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    sources_ : structured ndarray
        Fields x, y, sigma, flux, flux_sd, probability, snr; the brightest first. Places count
        pixels from ``origin``: by default from 1 as FITS does, so that a source at (x, y) is at
        ``image[y - 1, x - 1]``; with ``origin=0`` at ``image[y, x]``.
    details_ : structured ndarray
        For each source the standard deviations x_sd, y_sd and sigma_sd (0: the width is known),
        covariances cov_xy, cov_x_flux and cov_y_flux, the local sky, chi2 per degree of freedom
        over the known pixels within 2 sigma, and flags: 1 border, 2 missing pixels, 4 saturated,
        8 blended, 16 doubtful (probability below 0.9), 32 joined of several.
    model_image_, background_, rms_ : ndarray of the image's shape
        Light of the sources, the background beneath them, and the standard deviation of each pixel.
    unit_, wcs_ : astropy unit and WCS, or None
        Of the image, where it is astropy's and has them.
    noise_variance_ : float
        Of a typical pixel without sources.
    profile_error_ : float
    width_noise_ : ndarray of shape (n_widths, 2)
        Widths of sources, and the noise on their scale over that of independent pixels (ratio of
        standard deviations), by which sources are judged. No rows: 1 at every width.
    bad_pixels_ : ndarray of bool of the image's shape
        Pixels that were rejected: too bright or too dark for the ones around them.
    n_masked_ : int
        Pixels left out by ``mask``, ``error_map`` and ``weight_map``.
    sweep_ : list of dict
        Only where ``lam`` is a sweep: for each value ``lam``, its ``ratio`` to the largest,
        ``bic``, ``chosen`` and the ``sources``.
    n_features_in_ : int
        Width of the image.

    Examples
    --------
    >>> import numpy as np
    >>> from ardent import SourceFinder
    >>> y, x = np.mgrid[:32, :32]
    >>> image = 20 * np.exp(-((x - 20) ** 2 + (y - 9) ** 2) / (2 * 1.5**2))
    >>> image += np.random.default_rng(0).normal(size=image.shape)
    >>> sources = SourceFinder(sigma=1.5).find(image)
    >>> len(sources), int(sources["x"][0].round()), int(sources["y"][0].round())
    (1, 21, 10)
    >>> sources = SourceFinder(sigma=1.5, origin=0).find(image)
    >>> int(sources["x"][0].round()), int(sources["y"][0].round())
    (20, 9)
    """

    def _request(self, deviations=None):
        """Options of the core as texts, and those that are images."""
        texts = option_texts(self)
        has_errors = self.error_map is not None or self.weight_map is not None
        given = {
            "psf": self.psf,
            "error-map": self.error_map if has_errors else deviations,
            "weight-map": self.weight_map,
            "mask": self.mask,
        }
        for name in given:
            del texts[name]
        if self.dictionary != "grid":  # nothing else is random
            texts.update(seed_texts(self.random_state))
        return texts, {name: _pixels(image) for name, image in given.items() if image is not None}

    def fit(self, X, y=None):
        """Find the sources of an image.

        Parameters
        ----------
        X : array-like, Quantity or NDData of shape (height, width)
            Pixels; NaN where one is missing. What a masked array masks is missing. Of astropy's
            ``CCDData`` the mask, the uncertainty (unless ``error_map`` or ``weight_map`` is given),
            the unit and the WCS are taken.
        y : ignored

        Returns
        -------
        self
        """
        X, deviations, self.unit_, self.wcs_ = unpacked(X)
        image = validate_data(self, X, dtype=np.float64, order="C", ensure_all_finite="allow-nan")
        request = self._request(deviations)
        found = (
            self._swept(image, request)
            if self._sweeps()
            else self._run(_core.locate, image, request)
        )
        for text in found["warnings"]:
            warnings.warn(text, UserWarning, stacklevel=2)
        self.sources_ = _catalogue(found["sources"])
        self.details_ = _catalogue(found["details"], _DETAILS, whole=("pixels", "flags"))
        self.rms_ = found["rms"].reshape(image.shape)
        self.model_image_ = found["model"].reshape(image.shape)
        self.background_ = found["background"].reshape(image.shape)
        self.noise_variance_ = found["noise_variance"]
        self.profile_error_ = found["profile_error"]
        self.width_noise_ = found["width_noise"][:, [0, 2]]
        self.bad_pixels_ = np.zeros(image.shape, dtype=bool)
        self.bad_pixels_.flat[found["bad_pixels"]] = True
        self.n_masked_ = found["masked_pixels"]
        return self

    def _sweeps(self):
        return isinstance(self.lam, (list, tuple, np.ndarray)) or self.lam == "sweep"

    def _run(self, search, image, request):
        with progress(self.verbose, self.callback) as report:
            return search(image, *request, thread_count(self.n_jobs), report)

    def _swept(self, image, request):
        steps = self._run(_core.locate_sweep, image, request)
        self.sweep_ = [
            {
                **{name: step[name] for name in ("lam", "ratio", "bic", "chosen")},
                "sources": _catalogue(step["sources"]),
            }
            for step in steps
        ]
        return next(step for step in steps if step["chosen"])

    def find(self, X):
        """Return the sources of an image, which ``fit`` keeps as ``sources_``.

        Parameters
        ----------
        X : array-like, Quantity or NDData of shape (height, width)

        Returns
        -------
        structured ndarray
            Places count pixels from ``origin``: from 1 unless it is 0.
        """
        return self.fit(X).sources_

    def to_table(self, *, zero_point=None, wcs=None):
        """The sources as an astropy ``QTable``, with units, errors and flags.

        Its ``write`` has VOTable, FITS, ECSV and more. Needs astropy (``pip install
        ardent-sbl[astro]``).

        Parameters
        ----------
        zero_point : float, Quantity or None, default=None
            Magnitude of a flux of 1: columns mag and mag_sd.
        wcs : astropy.wcs.WCS or None, default=None
            Columns ra and dec (ICRS) with ra_sd and dec_sd; None: that of the image, if it has one.

        Returns
        -------
        astropy.table.QTable
            The brightest source first; ``meta["PIXORIG"]`` is the number of the first pixel.
        """
        check_is_fitted(self, "sources_")
        return catalogue_table(self, zero_point, wcs)

    def write_regions(self, path, *, wcs=None):
        """Write a region file for DS9: a circle of radius 2 sigma around each source.

        Parameters
        ----------
        path : str or path-like
        wcs : astropy.wcs.WCS or None, default=None
            Circles on the sky (ICRS, arcseconds); None: those of the image's WCS, or in pixels where
            it has none.
        """
        check_is_fitted(self, "sources_")
        pathlib.Path(path).write_text(region_text(self, wcs), encoding="utf-8")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _catalogue(rows, names=_FIELDS, whole=()):
    """A structured array of rows of the fields, some of them whole numbers."""
    columns = [
        column.astype(np.int64) if name in whole else np.ascontiguousarray(column)
        for name, column in zip(names, rows.T)
    ]
    return np.rec.fromarrays(columns, names=",".join(names)).view(np.ndarray)


def _pixels(image):
    """An image as the core takes it; NaN where it is masked."""
    return np.ascontiguousarray(np.atleast_2d(with_nan(image)), dtype=np.float64)


def _places(sources):
    """Columns x and y of a structured array, or the first two columns of a plain one."""
    sources = np.asarray(sources)
    if sources.dtype.names is not None:
        sources = np.stack([sources["x"], sources["y"]], axis=-1)
    sources = np.asarray(sources, dtype=np.float64)
    if sources.size == 0:
        return np.zeros((0, 2))
    if sources.ndim != 2 or sources.shape[1] < 2:
        raise ValueError(f"sources need columns x and y, not the shape {sources.shape}")
    return np.ascontiguousarray(sources[:, :2])


def group_iou(found, truth, box=5.0):
    """Measure how well sources were found: mean overlap of boxes around them (definition 5.1).

    Parameters
    ----------
    found, truth : array-like of shape (n, 2), or structured arrays with fields x and y
    box : float, default=5.0
        Side of the box around each position.

    Returns
    -------
    float
        1 if all positions agree (or there are no sources at all), 0 if no boxes overlap.

    Examples
    --------
    >>> from ardent import group_iou
    >>> group_iou([[10, 10]], [[10, 10]])
    1.0
    """
    return _core.group_iou(_places(found), _places(truth), float(box))


def psnr(reference, image):
    """Peak signal-to-noise ratio in decibels: ``20 log10(max(reference)/sqrt(MSE))``.

    Parameters
    ----------
    reference, image : array-like of shape (height, width)
        NaN and masked pixels of either are left out.

    Returns
    -------
    float
        Infinite for equal images.

    Examples
    --------
    >>> from ardent import psnr
    >>> psnr([[1.0, 0.0]], [[1.0, 0.1]]).__round__(2)
    23.01
    """
    return _core.psnr(_pixels(reference), _pixels(image))
