"""The experiments' loaders, on small samples of what the papers used."""

import bz2
import gzip
import struct

import numpy as np
import pytest

from experiments import data

SAMPLE = "".join(f"{1 if k % 2 else -1} {1 + k % 3}:1 {5 + k % 4}:2.5\n" for k in range(12))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ARDENT_DATA", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("paper", data.TEXT_SETS)
def test_an_original_goes_before_its_stand_in(folder, paper):
    original, stand_in = data.TEXT_SETS[paper]
    (folder / f"{stand_in}.libsvm").write_text(SAMPLE)
    assert data.text(paper)[2] == stand_in
    (folder / f"{original}.bz2").write_bytes(bz2.compress(SAMPLE.encode()))
    X, y, file = data.text(paper)
    assert file == original
    assert X.shape == (12, 8)
    assert sorted(set(y)) == [-1, 1]


def test_a_split_keeps_every_row_once_and_weighs_by_the_training_rows(folder):
    wide = "".join(f"{1 if k % 2 else -1} {1 + k}:1 {40 + k % 4}:2\n" for k in range(20))
    (folder / "farm-ads.libsvm").write_text(wide)
    X, y, X_test, y_test, _ = data.text_split("url_combined", 1, weigh=True)
    assert (X.shape[0], X_test.shape[0], len(y), len(y_test)) == (15, 5, 15, 5)
    assert np.allclose(np.sqrt(X.multiply(X).sum(axis=1)), 1)
    again = data.text_split("url_combined", 1, weigh=True)
    assert (again[0] != X).nnz == 0


def test_the_two_digits_of_usps(folder):
    (folder / "usps.libsvm").write_text("".join(f"{1 + k % 10} 1:{k} 2:1\n" for k in range(40)))
    X, y = data.small("usps.binary")
    assert sorted(set(y)) == [1, 2]
    assert X.shape == (8, 2)


def test_mnist_is_read_and_scaled(folder):
    pixels = np.arange(1, 1 + 20 * 28 * 28, dtype=np.uint32).astype(np.uint8) | 1
    head = struct.pack(">BBBB3I", 0, 0, 8, 3, 20, 28, 28)
    with gzip.open(folder / "train-images-idx3-ubyte.gz", "wb") as file:
        file.write(head + pixels.tobytes())
    labels = bytes(k % 10 for k in range(20))
    (folder / "train-labels-idx1-ubyte").write_bytes(struct.pack(">BBBBI", 0, 0, 8, 1, 20) + labels)
    images, digits = data.mnist_dictionary(2, seed=1)
    assert images.shape == (20, 784)
    assert np.allclose(np.linalg.norm(images, axis=1), 1)
    assert np.bincount(digits).tolist() == [2] * 10


def test_a_file_that_is_no_idx_file(folder):
    (folder / "junk").write_bytes(b"no images here")
    with pytest.raises(ValueError, match="junk is not an IDX file"):
        data.idx(folder / "junk")


def test_what_is_not_there_is_named(folder):
    with pytest.raises(data.Missing, match="heart"):
        data.dense("heart")
    with pytest.raises(data.Missing, match="url_combined or farm-ads"):
        data.text("url_combined")


def test_bag_of_words_has_unit_columns(folder):
    (folder / "tdt2.libsvm").write_text(
        "".join(f"1 {1 + k % 7}:3 {9 + k % 20}:4 {60 + k}:1\n" for k in range(30))
    )
    rows = data.bag_of_words(10, 80, seed=1)
    assert rows.shape[0] == 10
    assert np.allclose(np.sqrt(rows.multiply(rows).sum(axis=1)), 1)
