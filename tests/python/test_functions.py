"""weighted_lasso, screen, read_libsvm, group_iou, psnr."""

import gzip
import pickle

import numpy as np
import pytest
from scipy import sparse

import ardent


def problem(rows=40, columns=200, seed=0):
    rng = np.random.default_rng(seed)
    Phi = rng.normal(size=(rows, columns))
    y = Phi[:, :4] @ [3.0, -2.0, 1.5, 1.0] + 0.1 * rng.normal(size=rows)
    weights = rng.uniform(0.5, 2, size=columns)
    lam = 0.3 * np.max(np.abs(Phi.T @ y) / weights)
    return Phi, y, weights, lam


@pytest.mark.parametrize("nonnegative", [False, True])
def test_lasso_meets_its_optimality_conditions(nonnegative):
    Phi, y, weights, lam = problem()
    theta = ardent.weighted_lasso(Phi, y, weights, lam, nonnegative=nonnegative, tol=1e-12)
    pull = Phi.T @ (y - Phi @ theta)
    active = theta != 0
    assert 0 < active.sum() < 20
    np.testing.assert_allclose(pull[active], (lam * weights * np.sign(theta))[active], rtol=1e-5)
    assert ((pull if nonnegative else np.abs(pull)) <= lam * weights * (1 + 1e-6)).all()
    assert not nonnegative or (theta >= 0).all()


def test_lasso_of_sparse_columns_is_that_of_dense_ones():
    Phi, y, weights, lam = problem()
    Phi[np.abs(Phi) < 1] = 0
    Phi = Phi.astype(np.float32).astype(np.float64)
    dense = ardent.weighted_lasso(Phi, y, weights, lam, tol=1e-12)
    for layout in (sparse.csc_matrix, sparse.csr_matrix):
        other = ardent.weighted_lasso(layout(Phi), y, weights, lam, tol=1e-12)
        np.testing.assert_allclose(other, dense, atol=1e-8)
    np.testing.assert_allclose(
        ardent.weighted_lasso(np.asfortranarray(Phi), y, weights, lam, tol=1e-12), dense, atol=1e-8
    )


@pytest.mark.parametrize("layout", [np.asarray, np.asfortranarray, sparse.csc_matrix])
def test_a_prepared_dictionary_gives_the_bits_of_an_array(layout):
    Phi, y, weights, lam = problem()
    Phi = layout(Phi.astype(np.float32).astype(np.float64))
    prepared = ardent.Dictionary(Phi)
    assert prepared.shape == Phi.shape and "40 x 200" in repr(prepared)
    theta = ardent.weighted_lasso(Phi, y, weights, lam)
    rejected = ardent.screen(Phi, y, weights, lam)
    Phi *= 3  # it has a copy
    np.testing.assert_array_equal(ardent.weighted_lasso(prepared, y, weights, lam), theta)
    np.testing.assert_array_equal(ardent.screen(prepared, y, weights, lam), rejected)
    with pytest.raises(ValueError, match="needs y of shape"):
        ardent.weighted_lasso(prepared, y[1:], weights, lam)


def test_a_fitted_coder_keeps_its_dictionary():
    rng = np.random.default_rng(0)
    atoms, signals = rng.normal(size=(80, 16)), rng.normal(size=(5, 16))
    memory = np.zeros(80 * 16 + 8)
    begin = -memory.ctypes.data % 64 // 8
    rows = memory[begin : begin + 80 * 16].reshape(80, 16)  # aligned: the core could look in place
    rows[:] = atoms
    coder = ardent.SparseCoder(method="lasso", lambda_ratio=0.2, sparse_output=False).fit(rows)
    codes = coder.transform(signals)
    rows *= -1
    np.testing.assert_array_equal(coder.transform(signals), codes)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(coder)).transform(signals), codes)
    scaled = coder.set_params(unit_norm=True).transform(signals)
    fresh = ardent.SparseCoder(
        method="lasso", lambda_ratio=0.2, sparse_output=False, unit_norm=True
    )
    np.testing.assert_array_equal(scaled, fresh.fit(atoms).transform(signals))
    assert not np.array_equal(scaled, codes)


def test_free_and_forbidden_coefficients():
    Phi, y, weights, lam = problem()
    weights[0], weights[1] = 0, np.inf
    theta = ardent.weighted_lasso(Phi, y, weights, lam)
    assert theta[1] == 0
    assert abs(Phi[:, 0] @ (y - Phi @ theta)) < 1e-6 * abs(Phi[:, 0] @ y)


@pytest.mark.parametrize("test", ["sphere", "dome", "tht"])
@pytest.mark.parametrize("ball", ["half", "paper"])
def test_screening_rejects_only_what_is_zero(test, ball):
    rejected_in_all = 0
    for seed in range(5):
        Phi, y, weights, lam = problem(seed=seed)
        lam *= 3  # 0.9 of the largest: tests reject something
        rejected = ardent.screen(Phi, y, weights, lam, test=test, ball=ball)
        assert rejected.dtype == bool and rejected.shape == (200,)
        theta = ardent.weighted_lasso(Phi, y, weights, lam, tol=1e-12)
        assert not (rejected & (theta != 0)).any()
        rejected_in_all += rejected.sum()
    assert rejected_in_all > 0


def test_more_hyperplanes_reject_more():
    Phi, y, weights, lam = problem()
    counts = [ardent.screen(Phi, y, weights, 1.5 * lam, test=t).sum() for t in ("sphere", "tht")]
    assert counts[0] < counts[1]
    assert not ardent.screen(Phi, y, weights, lam, test="none").any()


def test_shapes_are_named_in_refusals():
    with pytest.raises(ValueError, match=r"\(3, 2\) needs y of shape \(3,\)"):
        ardent.weighted_lasso(np.ones((3, 2)), [1.0, 2.0], None, 1.0)
    with pytest.raises(ValueError):
        ardent.screen(np.ones((3, 2)), [1.0, 2.0, 3.0], None, 1.0, test="guess")


def test_libsvm_files_sparse_dense_compressed_and_wrong(tmp_path):
    path = tmp_path / "a.libsvm"
    path.write_text("1 1:0.5 90:2\n-1 2:1 # so\n")
    X, y = ardent.read_libsvm(path)
    assert sparse.issparse(X) and X.shape == (2, 90) and X.dtype == np.float32
    assert X[0, 89] == 2
    np.testing.assert_array_equal(y, [1, -1])
    assert ardent.read_libsvm(path, n_features=100)[0].shape == (2, 100)
    with gzip.open(tmp_path / "b.libsvm.gz", "wt") as file:
        file.write("cat 1:1 2:0.1\ndog 2:1\n")
    X, y = ardent.read_libsvm(tmp_path / "b.libsvm.gz")
    np.testing.assert_array_equal(X, [[1, 0.1], [0, 1]])
    assert list(y) == ["cat", "dog"]
    path.write_text("1 1:0.5\n1 2:x\n")
    with pytest.raises(ValueError, match=r"a\.libsvm:2:5"):
        ardent.read_libsvm(path)


def test_group_iou_of_shifted_boxes():
    truth = np.array([[10.0, 10.0], [30.0, 12.0]])
    assert ardent.group_iou(truth, truth) == 1
    # Boxes of side 5 shifted by 1 overlap in 20 of 30 units of area.
    assert ardent.group_iou(truth + [1, 0], truth) == pytest.approx(20 / 30)
    assert ardent.group_iou([], truth) == 0 and ardent.group_iou([], []) == 1
    named = np.array([(10.0, 10.0), (30.0, 12.0)], dtype=[("x", float), ("y", float)])
    assert ardent.group_iou(named, truth) == 1
    with pytest.raises(ValueError, match="columns x and y"):
        ardent.group_iou([1.0, 2.0], truth)


def test_psnr_by_its_formula():
    rng = np.random.default_rng(0)
    reference = rng.uniform(size=(8, 9))
    image = reference + 0.1 * rng.normal(size=(8, 9))
    mse = np.mean((reference - image) ** 2)
    expected = 20 * np.log10(reference.max() / np.sqrt(mse))
    assert ardent.psnr(reference, image) == pytest.approx(expected, rel=1e-12)
    assert ardent.psnr(reference, reference) == np.inf


def test_source_finder_finds_what_was_planted():
    rng = np.random.default_rng(1)
    y, x = np.mgrid[1:49, 1:65]
    places = np.array([[12.3, 20.7], [40.0, 30.5], [55.2, 10.1]])
    image = 5 + rng.normal(size=x.shape)
    for px, py in places:
        image += 30 * np.exp(-((x - px) ** 2 + (y - py) ** 2) / (2 * 1.5**2))
    image[5, 5] = np.nan  # a missing pixel
    finder = ardent.SourceFinder(sigma=1.5).fit(image)
    found = finder.sources_
    assert found.dtype.names == ("x", "y", "sigma", "flux", "flux_sd", "probability", "snr")
    assert len(found) == 3 and ardent.group_iou(found, places) > 0.9
    assert finder.model_image_.shape == finder.background_.shape == image.shape
    assert abs(finder.background_.mean() - 5) < 0.5 and 0.7 < finder.noise_variance_ < 1.4
    np.testing.assert_array_equal(finder.find(image), found)
