"""Point sources in images."""

import numbers

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from . import _core
from ._options import seed_text, thread_count
from ._progress import progress

_FIELDS = ("x", "y", "sigma", "flux", "flux_sd", "probability", "snr")
_SWEEP_COUNT = 20  # values of lambda, as on the command line


class SourceFinder(BaseEstimator):
    """Find point sources in an image: places, widths, fluxes with errors, probabilities.

    Parameters
    ----------
    sigma : float or (float, float), default=(1.0, 3.0)
        Standard deviation of the sources in pixels, or its range.
    psf : array-like of shape (h, w) or None, default=None
        The image of a point source, instead of Gaussians; sources then have its width.
    dictionary : {'grid', 'uniform', 'normal'}, default='grid'
        Places and widths of the atoms: a regular grid, or drawn uniformly or from a normal prior.
    atoms : int, default=10000
        Atoms of a drawn dictionary, on each tile.
    background : {'constant', 'map', 'none'}, default='constant'
        constant: the median after clipping; map: that of cells, interpolated.
    background_cell : int, default=64
        Pixels of a cell of the map.
    noise : float or 'auto', default='auto'
        Noise variance; auto: from second differences of the pixels.
    saturation : float or None, default=None
        Pixels from this value on are saturated.
    profile_error : float or 'auto', default='auto'
        Part of its light that a PSF misses; auto: from what bright sources leave.
    lam : float, 'auto', 'sweep' or list of floats, default='auto'
        lambda of the sparse code; auto: lambda_factor times the noise variance; sweep or a list:
        the value of least BIC, see ``sweep_``.
    lambda_factor : float, default=10.0
    nonnegative : bool, default=True
        False: sources may be dark.
    refine : bool, default=True
        Fit places, widths and fluxes off the grid; False leaves sources on the grid, without a
        threshold of probability.
    merge : float, default=2.0
        Atoms nearer than so many pixels are one source.
    probability : float, default=0.5
        Sources are kept from this probability of presence on.
    core : int, default=20
        Pixels of a tile's core; a larger image is solved in overlapping tiles.
    random_state : int, RandomState instance or None, default=None
        Of a drawn dictionary; None: 1.
    n_jobs : int or None, default=None
        Threads; None and -1: all cores. Results are the same bits whatever the number.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: a line a tile on standard error.
    callback : callable or None, default=None
        Called after each tile with a dict (task, done, total, ...); False stops the work.

    Attributes
    ----------
    sources_ : structured ndarray
        Fields x, y, sigma, flux, flux_sd, probability, snr; the brightest first. Places count
        pixels from 1 as FITS does: a source at (x, y) is at ``image[y - 1, x - 1]``.
    model_image_, background_ : ndarray of the image's shape
        Light of the sources, and what lies under it.
    noise_variance_ : float
    profile_error_ : float
    sweep_ : list of dict
        Where ``lam`` is a sweep: for each value ``lam``, its part ``ratio`` of the largest, ``bic``,
        ``chosen`` and the ``sources``.
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
    """

    def __init__(
        self,
        *,
        sigma=(1.0, 3.0),
        psf=None,
        dictionary="grid",
        atoms=10000,
        background="constant",
        background_cell=64,
        noise="auto",
        saturation=None,
        profile_error="auto",
        lam="auto",
        lambda_factor=10.0,
        nonnegative=True,
        refine=True,
        merge=2.0,
        probability=0.5,
        core=20,
        random_state=None,
        n_jobs=None,
        verbose=0,
        callback=None,
    ):
        self.sigma = sigma
        self.psf = psf
        self.dictionary = dictionary
        self.atoms = atoms
        self.background = background
        self.background_cell = background_cell
        self.noise = noise
        self.saturation = saturation
        self.profile_error = profile_error
        self.lam = lam
        self.lambda_factor = lambda_factor
        self.nonnegative = nonnegative
        self.refine = refine
        self.merge = merge
        self.probability = probability
        self.core = core
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.callback = callback

    def _options(self):
        options = _core.LocateOptions()
        one_width = isinstance(self.sigma, numbers.Real)
        options.sigma_low, options.sigma_high = (self.sigma,) * 2 if one_width else self.sigma
        options.background = self.background
        options.background_cell = self.background_cell
        options.noise = 0.0 if self.noise == "auto" else self.noise
        options.lam = self.lam if isinstance(self.lam, numbers.Real) else 0.0
        options.saturation = np.inf if self.saturation is None else self.saturation
        options.profile_error = -1.0 if self.profile_error == "auto" else self.profile_error
        options.seed = int(seed_text(self.random_state))
        if self.psf is not None:
            if self.dictionary != "grid":
                raise ValueError("a psf lies on a grid: leave out dictionary")
            options.set_psf(np.ascontiguousarray(np.atleast_2d(self.psf), dtype=np.float64))
        options.dictionary = self.dictionary
        options.atoms = self.atoms
        for name in ("lambda_factor", "nonnegative", "refine", "merge", "probability", "core"):
            setattr(options, name, getattr(self, name))
        return options

    def fit(self, X, y=None):
        """Find the sources of an image and keep them.

        Parameters
        ----------
        X : array-like of shape (height, width)
            Pixels; NaN where one is missing.
        y : ignored

        Returns
        -------
        self
        """
        image = validate_data(self, X, dtype=np.float64, order="C", ensure_all_finite="allow-nan")
        found = self._swept(image) if self._sweeps() else self._located(image)
        self.sources_ = _catalogue(found["sources"])
        self.model_image_ = found["model"].reshape(image.shape)
        self.background_ = found["background"].reshape(image.shape)
        self.noise_variance_ = found["noise_variance"]
        self.profile_error_ = found["profile_error"]
        return self

    def _sweeps(self):
        return self.lam != "auto" and not isinstance(self.lam, numbers.Real)

    def _located(self, image):
        with progress(self.verbose, self.callback) as told:
            return _core.locate(image, self._options(), thread_count(self.n_jobs), told)

    def _swept(self, image):
        if isinstance(self.lam, str) and self.lam != "sweep":
            raise ValueError(f"lam is a number, 'auto', 'sweep' or a list, not {self.lam!r}")
        lambdas = [] if isinstance(self.lam, str) else [float(value) for value in self.lam]
        with progress(self.verbose, self.callback) as told:
            steps = _core.locate_sweep(
                image, self._options(), lambdas, _SWEEP_COUNT, thread_count(self.n_jobs), told
            )
        self.sweep_ = [
            {
                **{name: step[name] for name in ("lam", "ratio", "bic", "chosen")},
                "sources": _catalogue(step["sources"]),
            }
            for step in steps
        ]
        return next(step for step in steps if step["chosen"])

    def find(self, X):
        """The sources of an image: what ``fit`` keeps as ``sources_``.

        Parameters
        ----------
        X : array-like of shape (height, width)

        Returns
        -------
        structured ndarray
        """
        return self.fit(X).sources_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _catalogue(rows):
    """A structured array of rows of the fields."""
    return np.rec.fromarrays(np.ascontiguousarray(rows.T), names=_FIELDS).view(np.ndarray)


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
    """How well sources were found: the mean overlap of boxes around them (paper, definition 5.1).

    Parameters
    ----------
    found, truth : array-like of shape (n, 2), or structured arrays with fields x and y
    box : float, default=5.0
        Side of the box around each place.

    Returns
    -------
    float
        1 if the places agree (or there are none of either), 0 if no box overlaps.

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
        NaN pixels of either are left out.

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
    return _core.psnr(
        np.ascontiguousarray(np.atleast_2d(reference), dtype=np.float64),
        np.ascontiguousarray(np.atleast_2d(image), dtype=np.float64),
    )
