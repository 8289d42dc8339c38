"""Images as users have them: masked arrays, photons, bad pixels, and what a pixel's number is."""

import numpy as np
import pytest
from scipy.special import erf

import ardent
from ardent import SourceFinder


def star(shape, x, y, sigma, flux):
    """An erf-integrated Gaussian; pixels count from 1."""

    def along(middle, count):
        t = np.arange(1, count + 1) - middle
        edges = np.sqrt(2) * sigma
        return 0.5 * (erf((t + 0.5) / edges) - erf((t - 0.5) / edges))

    return flux * np.outer(along(y, shape[0]), along(x, shape[1]))


SHAPE = (48, 64)
PLACES = [(12.3, 10.7), (33.1, 11.2), (54.6, 9.8), (11.9, 36.2), (31.5, 37.4), (53.3, 35.8)]
CLEAN = sum(star(SHAPE, x, y, 1.5, 100) for x, y in PLACES)
IMAGE = CLEAN + 5 + 0.3 * np.random.default_rng(0).normal(size=SHAPE)


def test_masked_pixels_are_missing():
    masked = np.ma.array(IMAGE, mask=np.zeros(SHAPE, bool))
    masked.mask[:24] = True
    found = SourceFinder(sigma=1.5).find(masked)
    assert len(found) == 3 and found["y"].min() > 24
    by_nan = SourceFinder(sigma=1.5).find(masked.filled(np.nan))
    np.testing.assert_array_equal(found, by_nan)
    by_mask = SourceFinder(sigma=1.5, mask=masked.mask).fit(IMAGE)
    np.testing.assert_array_equal(by_mask.sources_, found)
    assert by_mask.n_masked_ == 24 * 64
    whole = np.ma.array((10 * IMAGE).astype(np.int16))  # a masked array that masks nothing
    assert len(SourceFinder(sigma=1.5).find(whole)) == 6


def test_masked_pixels_do_not_count_elsewhere_either():
    other = np.ma.array(IMAGE.copy(), mask=np.zeros(SHAPE, bool))
    other[3, 3] = 1e6
    other.mask[3, 3] = True
    assert ardent.psnr(CLEAN, other) == ardent.psnr(CLEAN, other.filled(np.nan))
    psf = np.ma.array(star((25, 25), 13, 13, 1.5, 1.0), mask=np.zeros((25, 25), bool))
    psf.mask[0, 0] = True
    with pytest.raises(ValueError, match="1 missing"):
        SourceFinder(psf=psf).fit(IMAGE)
    errors = np.ma.array(np.full(SHAPE, 0.3), mask=np.zeros(SHAPE, bool))
    errors.mask[:24] = True
    assert SourceFinder(sigma=1.5, error_map=errors).fit(IMAGE).n_masked_ == 24 * 64


ROWS, TARGET = np.random.default_rng(1).normal(size=(2, 40, 3))
TARGET = TARGET[:, 0]
CLASSES = (TARGET > 0).astype(int)
SUPERVISED = [
    "ARDClassifier",
    "ARDRegressor",
    "RVMClassifier",
    "RVMRegressor",
    "SBELMClassifier",
    "SBELMRegressor",
    "SparseRepresentationClassifier",
    "DoublySparseClassifier",
    "DoublySparseRegressor",
    "ARDSelector",
]


def hidden(array):
    """A masked array with one value masked."""
    masked = np.ma.array(array, mask=np.zeros(np.shape(array), bool))
    masked.mask.flat[7] = True
    return masked


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", SUPERVISED)
def test_rows_with_masked_values_are_refused(name):
    keywords = {"chains": 1, "burn_in": 5, "sweeps": 10} if name.startswith("Doubly") else {}
    estimator = getattr(ardent, name)(**keywords)
    y = TARGET if name.endswith("Regressor") else CLASSES
    with pytest.raises(ValueError, match=r"X is a masked array: 1 of its values.*\[2, 1\]"):
        estimator.fit(hidden(ROWS), y)
    with pytest.raises(ValueError, match="y is a masked array: 1 of"):
        estimator.fit(ROWS, hidden(y))
    estimator.fit(np.ma.array(ROWS), y)  # it masks nothing
    use = estimator.transform if name == "ARDSelector" else estimator.predict
    use(np.ma.array(ROWS))
    with pytest.raises(ValueError, match="SimpleImputer"):
        use(hidden(ROWS))


def test_weights_dictionaries_and_signals_with_masked_values_are_refused():
    weights = np.ones(40)
    for estimator in (ardent.ARDClassifier(), ardent.ARDRegressor()):
        with pytest.raises(ValueError, match="sample_weight is a masked array"):
            estimator.fit(ROWS, CLASSES, sample_weight=hidden(weights))
    with pytest.raises(ValueError, match="X is a masked array"):
        ardent.SparseCoder().fit(hidden(ROWS))
    with pytest.raises(ValueError, match="X is a masked array"):
        ardent.SparseCoder().fit(ROWS).transform(hidden(ROWS))
    for function in (ardent.weighted_lasso, ardent.screen):
        with pytest.raises(ValueError, match="Phi is a masked array"):
            function(hidden(ROWS), TARGET, None, 1.0)
        with pytest.raises(ValueError, match="y is a masked array"):
            function(ROWS, hidden(TARGET), None, 1.0)


def test_places_count_from_the_origin():
    from_1, from_0 = (SourceFinder(sigma=1.5, origin=k).find(IMAGE) for k in (1, 0))
    np.testing.assert_allclose(from_0["x"], from_1["x"] - 1)
    np.testing.assert_allclose(from_0["y"], from_1["y"] - 1)
    np.testing.assert_array_equal(from_0["flux"], from_1["flux"])
    for source in from_0:  # where NumPy finds it
        y, x = int(round(source["y"])), int(round(source["x"]))
        assert CLEAN[y, x] == CLEAN[y - 2 : y + 3, x - 2 : x + 3].max()
    with pytest.raises(ValueError, match="origin= must be 0 or 1"):
        SourceFinder(origin=2).fit(IMAGE)


def test_a_sky_under_the_psf_is_taken_off_with_a_warning():
    psf = star((25, 25), 13, 13, 1.5, 1.0)
    clean = SourceFinder(psf=psf).find(IMAGE)
    with pytest.warns(UserWarning, match="was taken off every pixel of the PSF"):
        found = SourceFinder(psf=psf + 0.05 * psf.max()).find(IMAGE)
    np.testing.assert_allclose(found["flux"], clean["flux"], rtol=1e-3)
    with pytest.raises(ValueError, match="shows no point source"):
        SourceFinder(psf=np.ones((25, 25))).fit(IMAGE)


def test_bad_pixels_are_rejected_and_shown():
    image, bad = IMAGE.copy(), np.zeros(SHAPE, bool)
    bad[5, 40] = bad[20, 20] = bad[35, 31] = bad[44, 60] = True
    image[5, 40], image[20, 20], image[35, 31], image[44, 60] = 900, 300, 700, 0
    model = SourceFinder(sigma=1.5).fit(image)
    np.testing.assert_array_equal(model.bad_pixels_, bad)
    assert len(model.sources_) == 6
    assert not SourceFinder(sigma=1.5).fit(IMAGE).bad_pixels_.any()
    kept = SourceFinder(sigma=1.5, bad_pixels="keep").fit(image)
    assert not kept.bad_pixels_.any() and len(kept.sources_) != 6


def test_photons_widen_the_errors_of_bright_stars():
    rng = np.random.default_rng(2)
    counts = rng.poisson(20 + 50 * CLEAN).astype(float)
    plain = SourceFinder(sigma=1.5, profile_error=0).find(counts)
    known = SourceFinder(sigma=1.5, profile_error=0, gain=1).find(counts)
    assert np.all(known["flux_sd"] > 1.5 * plain["flux_sd"])
    # A star of 5,000 photons alone has an error of at least their root.
    assert np.all(known["flux_sd"] > np.sqrt(5000))
    read = SourceFinder(sigma=1.5, gain=1, read_noise=3).fit(counts)
    np.testing.assert_allclose(read.noise_variance_, 20 + 9, rtol=0.1)
    with pytest.raises(ValueError, match="read_noise= needs gain=, which is none"):
        SourceFinder(read_noise=3).fit(counts)


def test_bits_of_a_mask():
    flags = np.zeros(SHAPE, dtype=np.uint8)
    flags[:24], flags[24:] = 4, 2
    assert SourceFinder(sigma=1.5, mask=flags, mask_bits=4).find(IMAGE)["y"].min() > 24
    assert SourceFinder(sigma=1.5, mask=flags, mask_bits=2).find(IMAGE)["y"].max() < 24
    assert len(SourceFinder(sigma=1.5, mask=flags, mask_bits=8).find(IMAGE)) == 6
    with pytest.raises(ValueError, match="mask has 3 × 2 pixels, and the image 64 × 48"):
        SourceFinder(mask=np.zeros((2, 3))).fit(IMAGE)


def test_progress_counts_sources():
    events = []
    SourceFinder(sigma=1.5, core=8, callback=events.append).fit(IMAGE)
    tasks = [event["task"] for event in events]
    assert tasks[0].startswith("sky: tiles")
    assert any(task.startswith("search 1: tiles") for task in tasks)
    assert events[-1]["objective_name"] == "" and events[-1]["active_name"] == "sources"
    assert events[-1]["active"] >= 6
