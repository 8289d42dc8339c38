"""The data of the papers: files in `$ARDENT_DATA`, or in `../shared/data` beside the repository."""

import gzip
import os
import pathlib

import numpy as np
from sklearn.feature_extraction.text import TfidfTransformer

import ardent

ROOT = pathlib.Path(__file__).resolve().parents[1]

# Columns of the sets whose last ones are zero in every row.
COLUMNS = {"a1a": 123, "a2a": 123, "rcv1-sample": 47236}

# The paper's name of a set, the file here, and (where it is not the whole file) its labels.
SMALL_SETS = {
    "Adult1": ("a1a", None),
    "colon": ("colon-cancer", None),
    "breast": ("breast-cancer", None),
    "diabetes": ("diabetes", None),
    "german": ("german.numer", None),
    "a2a": ("a2a", None),
    "madelon": ("madelon.t", None),
    "usps.binary": ("usps", (1, 2)),
    "Iris": ("iris", None),
    "Wine": ("wine", None),
    "segment": ("segment", None),
    "satimage": ("satimage", None),
    "usps.all": ("usps", None),
}

# The originals, read where they are available, and what stands in for them.
TEXT_SETS = {
    "news20": ("news20.binary", "news20-bigram"),
    "real-sim": ("real-sim", "news20-bow"),
    "rcv1.binary.train": ("rcv1_train.binary", "rcv1-sample"),
    "url_combined": ("url_combined", "farm-ads"),
}


class Missing(Exception):
    """A file that is not available: the experiment is skipped, and the page has a dash."""


def folder():
    """Where the data lie."""
    given = os.environ.get("ARDENT_DATA")
    return pathlib.Path(given) if given else ROOT.parent / "shared" / "data"


def find(*names):
    """The first of the files that is there."""
    for name in names:
        path = folder() / name
        if path.exists():
            return path
    raise Missing(f"{names[0]} is not available")


def libsvm(name):
    """Rows and labels of a LIBSVM file, plain or compressed."""
    path = find(*(name + end for end in (".libsvm.xz", ".libsvm", ".xz", ".bz2", "")))
    return ardent.read_libsvm(path, n_features=COLUMNS.get(name, 0), n_jobs=1)


def dense(name, labels=None):
    """A small set as an array."""
    X, y = libsvm(name)
    X = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
    if labels is not None:
        kept = np.isin(y, labels)
        X, y = X[kept], y[kept]
    return X, y


def small(name):
    """A set of the DQN-SBL paper's tables, by the paper's name."""
    return dense(*SMALL_SETS[name])


def text(name):
    """A large sparse set by the paper's name: rows, labels, and the file that was read."""
    for file in TEXT_SETS[name]:
        try:
            return (*libsvm(file), file)
        except Missing:
            continue
    raise Missing(" or ".join(TEXT_SETS[name]) + " is not available")


def text_split(name, seed, weigh):
    """Three quarters to train, one to test; weighed as tf-idf by the training rows if asked."""
    X, y, file = text(name)
    order = np.random.default_rng(seed).permutation(X.shape[0])
    cut = 3 * X.shape[0] // 4
    train, test = np.sort(order[:cut]), np.sort(order[cut:])
    X_train, X_test = X[train], X[test]
    if weigh:
        tfidf = TfidfTransformer(sublinear_tf=True).fit(X_train)
        X_train, X_test = tfidf.transform(X_train), tfidf.transform(X_test)
    return X_train.astype(np.float32), y[train], X_test.astype(np.float32), y[test], file


def idx(path):
    """An IDX file of bytes (MNIST), compressed or not."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rb") as file:
        content = file.read()
    if content[:3] != b"\0\0\x08" or len(content) < 4 + 4 * content[3]:
        raise ValueError(f"{path.name} is not an IDX file of bytes")
    shape = np.frombuffer(content, ">u4", count=content[3], offset=4)
    return np.frombuffer(content, np.uint8, offset=4 + 4 * content[3]).reshape(shape)


def mnist(part):
    """Images of unit norm, one per row, and their digits; part: train or t10k."""
    arrays = []
    for kind in ("images-idx3-ubyte", "labels-idx1-ubyte"):
        arrays.append(idx(find(f"{part}-{kind}.gz", f"{part}-{kind}")))
    images = arrays[0].reshape(len(arrays[0]), -1).astype(np.float64)
    return images / np.linalg.norm(images, axis=1, keepdims=True), arrays[1].astype(int)


def mnist_dictionary(per_digit, seed):
    """So many training images of each digit, as the paper draws them."""
    images, digits = mnist("train")
    rng = np.random.default_rng(seed)
    chosen = [rng.choice(np.flatnonzero(digits == k), per_digit, replace=False) for k in range(10)]
    chosen = np.concatenate(chosen)
    return images[chosen], digits[chosen]


def bag_of_words(documents, words, seed):
    """tdt2 as the paper takes NYTimes: a random choice of documents and of words, unit norm."""
    X, _ = libsvm("tdt2")
    rng = np.random.default_rng(seed)
    X = X.tocsc()[:, np.sort(rng.permutation(X.shape[1])[:words])].tocsr().astype(np.float64)
    norms = np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())
    X, norms = X[norms > 0], norms[norms > 0]
    X = X.multiply(1 / norms[:, None]).tocsr()
    return X[rng.permutation(X.shape[0])[: min(documents, X.shape[0])]]
