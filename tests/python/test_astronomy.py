"""Images and tables of astropy: units, masks, uncertainties, places on the sky."""

import re
import subprocess

import numpy as np
import pytest
from astropy import units
from astropy.coordinates import SkyCoord
from astropy.io import fits
from astropy.nddata import CCDData, InverseVariance, StdDevUncertainty, VarianceUncertainty
from astropy.table import QTable, Table
from astropy.wcs import WCS

from ardent import SourceFinder

STARS = [(20.3, 9.6, 400.0), (45.2, 30.4, 250.0), (12.0, 40.7, 150.0)]  # x, y from 0, flux


@pytest.fixture(scope="module")
def image():
    pixels = np.random.default_rng(0).normal(5, 1, size=(50, 60))
    y, x = np.mgrid[:50, :60]
    for a, b, flux in STARS:
        profile = np.exp(-((x - a) ** 2 + (y - b) ** 2) / (2 * 1.5**2))
        pixels += flux / (2 * np.pi * 1.5**2) * profile
    return pixels


@pytest.fixture(scope="module")
def wcs():
    """Tangent plane, 0.5 arcseconds a pixel, turned by 30 degrees."""
    found = WCS(naxis=2)
    found.wcs.ctype = ["RA---TAN", "DEC--TAN"]
    found.wcs.crval = [150.0, 40.0]
    found.wcs.crpix = [30.5, 25.5]
    turn, scale = np.deg2rad(30), 0.5 / 3600
    found.wcs.cd = scale * np.array([[-np.cos(turn), np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return found


def test_details_are_those_of_the_command(image, command, tmp_path):
    finder = SourceFinder(sigma=1.5).fit(image)
    np.save(tmp_path / "i.npy", image)
    run = [command, "locate", "i.npy", "--sigma", "1.5", "--details", "on", "-o", "c.ecsv"]
    maps = ["--rms-map", "r.npy", "--background-map", "b.npy"]
    subprocess.run([*run, *maps], check=True, capture_output=True, cwd=tmp_path)
    table = Table.read(tmp_path / "c.ecsv")
    for name in finder.details_.dtype.names:
        np.testing.assert_array_equal(table[name], finder.details_[name], err_msg=name)
    assert table["x_sd"].unit == units.pix
    np.testing.assert_array_equal(np.load(tmp_path / "r.npy"), finder.rms_)
    np.testing.assert_array_equal(np.load(tmp_path / "b.npy"), finder.background_)


def test_the_command_writes_a_votable_that_astropy_reads(image, command, tmp_path):
    np.save(tmp_path / "i.npy", image)
    run = [command, "locate", "i.npy", "--sigma", "1.5", "--zero-point", "25", "-o", "c.vot"]
    subprocess.run(run, check=True, capture_output=True, cwd=tmp_path)
    table = Table.read(tmp_path / "c.vot", format="votable")
    found = SourceFinder(sigma=1.5).find(image)
    np.testing.assert_array_equal(table["flux"], found["flux"])
    np.testing.assert_allclose(table["mag"], 25 - 2.5 * np.log10(found["flux"]), rtol=1e-14)
    assert table["mag"].unit == units.mag and table["x"].unit == units.pix


def test_ccd_data_bring_mask_uncertainty_and_unit(image):
    mask = np.zeros(image.shape, dtype=bool)
    mask[28:33, 43:48] = True  # the second star
    deviation = np.full(image.shape, 1.0)
    deviation[:, 30:] = 1.5
    plain = SourceFinder(sigma=1.5, mask=mask, error_map=deviation).fit(image)
    kinds = {
        StdDevUncertainty: deviation,
        VarianceUncertainty: deviation**2,
        InverseVariance: 1 / deviation**2,
    }
    for kind, values in kinds.items():
        ccd = CCDData(image, unit="adu", mask=mask, uncertainty=kind(values))
        finder = SourceFinder(sigma=1.5).fit(ccd)
        assert len(finder.sources_) == len(plain.sources_)
        for name in plain.sources_.dtype.names:
            np.testing.assert_allclose(finder.sources_[name], plain.sources_[name], rtol=1e-9)
        assert finder.unit_ == units.adu
    weighted = SourceFinder(sigma=1.5, mask=mask, weight_map=1 / deviation**2).fit(ccd)
    np.testing.assert_allclose(weighted.sources_["flux"], plain.sources_["flux"], rtol=1e-9)
    table = finder.to_table()
    assert isinstance(table, QTable)
    assert table["flux"].unit == units.adu and table["sky"].unit == units.adu
    assert table["cov_x_flux"].unit == units.pix * units.adu
    assert "ra" not in table.colnames


def test_a_quantity_has_a_unit(image):
    table = SourceFinder(sigma=1.5).fit(image * units.Jy).to_table(zero_point=8.9 * units.mag)
    assert table["flux"].unit == units.Jy
    np.testing.assert_allclose(table["mag"].value, 8.9 - 2.5 * np.log10(table["flux"].value))
    expected = 2.5 / np.log(10) / table["snr"]
    np.testing.assert_allclose(table["mag_sd"].value, expected)


@pytest.mark.parametrize("origin", [0, 1])
def test_places_on_the_sky_are_the_wcs_s(image, wcs, origin):
    finder = SourceFinder(sigma=1.5, origin=origin).fit(CCDData(image, unit="adu", wcs=wcs))
    table = finder.to_table()
    assert table.meta["PIXORIG"] == origin
    true = wcs.pixel_to_world([s[0] for s in STARS], [s[1] for s in STARS])
    found = SkyCoord(table["ra"], table["dec"])
    # Half an arcsecond a pixel; the brightest come first, as in STARS.
    apart = true.separation(found[:3]).arcsec
    assert np.all(apart < 4 * 0.5 * finder.details_["x_sd"][:3])
    # The turn leaves an even error as it is.
    x_sd = finder.details_["x_sd"] * 0.5
    np.testing.assert_allclose(table["ra_sd"].to_value("arcsec"), x_sd, rtol=0.05)
    np.testing.assert_allclose(table["dec_sd"].to_value("arcsec"), x_sd, rtol=0.05)


def test_errors_on_the_sky_are_the_covariance_turned(image, wcs):
    finder = SourceFinder(sigma=1.5).fit(CCDData(image, unit="adu", wcs=wcs))
    finder.details_["x_sd"][:], finder.details_["y_sd"][:] = 0.2, 0.1
    finder.details_["cov_xy"][:] = 0.01
    table = finder.to_table()
    cov = np.array([[0.04, 0.01], [0.01, 0.01]])
    # Away from the middle of the projection north turns a little.
    turned = wcs.wcs.cd @ cov @ wcs.wcs.cd.T * 3600**2
    np.testing.assert_allclose(table["ra_sd"].to_value("arcsec"), np.sqrt(turned[0, 0]), rtol=1e-4)
    np.testing.assert_allclose(table["dec_sd"].to_value("arcsec"), np.sqrt(turned[1, 1]), rtol=1e-4)


@pytest.mark.parametrize("name", ["t.ecsv", "t.fits", "t.vot"])
def test_tables_are_written_and_read_by_astropy(image, wcs, tmp_path, name):
    table = SourceFinder(sigma=1.5).fit(image).to_table(zero_point=25, wcs=wcs)
    how = {"format": "votable"} if name.endswith("vot") else {}
    table.write(tmp_path / name, **how)
    again = QTable.read(tmp_path / name, **how)
    assert again["ra"].unit == units.deg
    np.testing.assert_allclose(again["ra"].value, table["ra"].value, rtol=1e-15)


def test_regions_are_circles_in_pixels_or_on_the_sky(image, wcs, tmp_path, command):
    finder = SourceFinder(sigma=1.5, origin=0).fit(image)
    finder.write_regions(tmp_path / "pixels.reg")
    np.save(tmp_path / "i.npy", image)
    run = [command, "locate", "i.npy", "--sigma", "1.5", "-o", "there.reg"]
    subprocess.run(run, check=True, capture_output=True, cwd=tmp_path)
    assert (tmp_path / "pixels.reg").read_text() == (tmp_path / "there.reg").read_text()
    finder.write_regions(tmp_path / "sky.reg", wcs=wcs)
    lines = (tmp_path / "sky.reg").read_text().splitlines()
    assert lines[2] == "icrs" and len(lines) == 3 + len(finder.sources_)
    ra, dec, radius = re.match(r"circle\((.*),(.*),(.*)\"\)", lines[3]).groups()
    brightest = wcs.world_to_pixel(SkyCoord(float(ra), float(dec), unit="deg"))
    np.testing.assert_allclose(brightest, STARS[0][:2], atol=0.2)
    assert float(radius) == pytest.approx(2 * 1.5 * 0.5, rel=1e-4)


def test_a_report_has_places_on_the_sky(image, wcs):
    ccd = CCDData(image, unit="adu", wcs=wcs)
    finder = SourceFinder(sigma=1.5).fit(ccd)
    assert f"{finder.to_table()['ra'][0].value:.6f}°" in finder.report(ccd)


def test_what_is_no_sky_and_no_deviation_is_refused(image):
    finder = SourceFinder(sigma=1.5).fit(image)
    with pytest.raises(ValueError, match="not a celestial"):
        finder.to_table(wcs=WCS(naxis=2))
    from astropy.nddata import UnknownUncertainty

    ccd = CCDData(image, unit="adu", uncertainty=UnknownUncertainty(image))
    with pytest.raises(ValueError, match="std, var or ivar"):
        finder.fit(ccd)


def test_the_extension_is_found_by_its_name(image, command, tmp_path):
    parts = [
        fits.PrimaryHDU(),
        fits.ImageHDU(image, name="SCI"),
        fits.ImageHDU(image * 0 + 1, name="ERR"),
    ]
    fits.HDUList(parts).writeto(tmp_path / "two.fits")
    run = [command, "locate", "two.fits", "--sigma", "1.5", "--extension", "SCI"]
    more = ["--error-map", "two.fits[ERR]", "-o", "c.ecsv"]
    subprocess.run([*run, *more], check=True, capture_output=True, cwd=tmp_path)
    here = SourceFinder(sigma=1.5, error_map=np.ones(image.shape)).find(image)
    np.testing.assert_allclose(Table.read(tmp_path / "c.ecsv")["flux"], here["flux"], rtol=1e-6)


def test_without_astropy_the_table_says_what_to_install(image, monkeypatch):
    finder = SourceFinder(sigma=1.5).fit(image)
    monkeypatch.setitem(__import__("sys").modules, "astropy.table", None)
    with pytest.raises(ImportError, match=r"pip install ardent-sbl\[astro\]"):
        finder.to_table()
