"""What may be given as X and y: layouts, types, names, words, weights."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_iris, make_regression

import ardent
from ardent import _core
from ardent._tables import table

X, Y = load_breast_cancer(return_X_y=True)


def text_like(rows=120, columns=300, seed=0):
    features = sparse.random(rows, columns, 0.05, random_state=seed, format="csr", dtype=np.float32)
    return features, np.asarray(features[:, :10].sum(axis=1)).ravel() > 0.1


def test_every_layout_of_sparse_data_gives_one_model():
    features, y = text_like()
    reference = ardent.ARDClassifier().fit(features, y).model_.to_bytes()
    unsorted = features.copy()
    unsorted.indices = unsorted.indices[::-1].copy()
    unsorted.data = unsorted.data[::-1].copy()
    unsorted.indptr = (unsorted.nnz - unsorted.indptr)[::-1].copy()
    unsorted = sparse.csr_matrix((unsorted.data, unsorted.indices, unsorted.indptr))[::-1]
    assert not unsorted.has_sorted_indices
    wide = features.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    with_zeros = features.copy()
    with_zeros.data = np.append(with_zeros.data, np.float32(0))
    with_zeros.indices = np.append(with_zeros.indices, np.int32(299))
    with_zeros.indptr[-1] += 1
    for layout in (
        features.tocsc(),
        features.tocoo(),
        sparse.csr_array(features),
        features.astype(np.float64),
        unsorted,
        wide,
        with_zeros,
    ):
        before = layout.copy()
        assert ardent.ARDClassifier().fit(layout, y).model_.to_bytes() == reference
        assert (abs(layout - before)).nnz == 0 and layout.nnz == before.nnz  # left as it was


def test_dense_and_sparse_agree():
    features, y = text_like()
    there = ardent.ARDClassifier(scale="rms").fit(features, y)
    here = ardent.ARDClassifier(scale="rms").fit(features.toarray(), y)
    np.testing.assert_allclose(
        here.predict_proba(features.toarray()), there.predict_proba(features), atol=1e-4
    )


def prepared(atoms):
    return _core.dictionary(atoms, False, 1)


def test_float32_csr_is_looked_at_in_place():
    matrix = sparse.csr_matrix(np.eye(4, dtype=np.float32))
    atoms = table(matrix)
    matrix.data *= np.float32(2)  # seen only where the memory is the same
    found = _core.weighted_lasso(prepared(atoms), np.ones(4), np.zeros(4), 1.0, False, 1e-9, 1)
    np.testing.assert_allclose(found["theta"], 0.5)


def test_aligned_float64_rows_are_looked_at_in_place():
    memory = np.zeros(4 * 8 * 8 + 64, dtype=np.uint8)
    begin = -memory.ctypes.data % 64
    rows = memory[begin : begin + 4 * 8 * 8].view(np.float64).reshape(4, 8)
    rows[:] = np.eye(4, 8)
    atoms = table(rows)
    rows *= 2
    found = _core.weighted_lasso(prepared(atoms), np.ones(8), np.zeros(4), 1.0, False, 1e-9, 1)
    np.testing.assert_allclose(found["theta"], 0.5)


@pytest.mark.parametrize("scale", ["standard", "none"])
@pytest.mark.parametrize("kind", [ardent.ARDRegressor, ardent.RVMRegressor, ardent.SBELMRegressor])
def test_predictions_do_not_depend_on_the_address_of_the_rows(kind, scale):
    rng = np.random.default_rng(0)
    features = rng.normal(size=(120, 5))
    model = kind(scale=scale).fit(features, np.sin(features[:, 0]) + 0.1 * rng.normal(size=120))
    memory = np.zeros(9 * 5000 * 8 + 128, dtype=np.uint8)
    seen = []
    for shift in (0, 8, 24):
        begin = -memory.ctypes.data % 64 + shift
        rows = memory[begin : begin + 5 * 9000 * 8].view(np.float64).reshape(9000, 5)
        rows[:] = np.random.default_rng(1).normal(size=rows.shape)
        mean, std = model.predict(rows, return_std=True)
        np.testing.assert_array_equal(model.predict(rows), mean)
        seen.append((mean, std))
    for mean, std in seen[1:]:
        np.testing.assert_array_equal(mean, seen[0][0])
        np.testing.assert_array_equal(std, seen[0][1])


@pytest.mark.parametrize("layout", ["dense", "sparse"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_model_does_not_change_with_the_data_it_was_made_of(layout):
    memory = np.zeros(120 * 16 * 8 + 64, dtype=np.uint8)
    begin = -memory.ctypes.data % 64
    features = memory[begin : begin + 120 * 16 * 8].view(np.float64).reshape(120, 16)
    features[:] = np.random.default_rng(0).normal(size=(120, 16)).round(2)
    y = (features[:, 0] > 0).astype(int)
    given = features if layout == "dense" else sparse.csr_matrix(features.astype(np.float32))
    for estimator in (
        ardent.ARDClassifier(scale="none"),
        ardent.RVMClassifier(scale="none"),
        ardent.SparseRepresentationClassifier(scale="none"),
        ardent.DoublySparseClassifier(scale="none", chains=1, burn_in=5, sweeps=10),
    ):
        model = estimator.fit(given, y).model_
        before = model.to_bytes()
        values = given if layout == "dense" else given.data
        values *= 2
        assert model.to_bytes() == before
        values /= 2


@pytest.mark.parametrize(
    "indptr, indices, data",
    [
        ([0, 1, 2], [0, 9], [1, 1]),  # a column that is not there
        ([0, 1, 2], [0, -1], [1, 1]),
        ([0, 2, 2], [1, 0], [1, 1]),  # descending
        ([0, 2, 1], [0, 1], [1, 1]),  # rows that run backwards
        ([1, 1, 2], [0, 1], [1, 1]),
        ([0, 1], [0], [1]),  # a row too few
        ([0, 1, 3], [0, 1], [1, 1]),  # entries that are not there
    ],
)
def test_malformed_sparse_rows_are_refused(indptr, indices, data):
    arrays = np.array(indptr, np.int32), np.array(indices, np.int32), np.array(data, np.float32)
    with pytest.raises(ValueError, match="sparse row"):
        _core.csr_table(*arrays, 2, 3)


def test_values_beyond_float32_are_refused():
    features = sparse.csr_matrix(np.array([[1e300, 0.0], [0.0, 1.0]]))
    with pytest.raises(ValueError, match="float32"):
        ardent.ARDClassifier().fit(features, [0, 1])


def test_float32_and_column_major_arrays():
    exact = X.astype(np.float32)
    reference = ardent.ARDClassifier().fit(exact.astype(np.float64), Y).model_.to_bytes()
    assert ardent.ARDClassifier().fit(exact, Y).model_.to_bytes() == reference
    assert ardent.ARDClassifier().fit(np.asfortranarray(exact), Y).model_.to_bytes() == reference


def test_names_of_columns_are_kept_and_checked():
    frame = load_breast_cancer(as_frame=True)
    model = ardent.ARDClassifier().fit(frame.data, frame.target)
    assert list(model.feature_names_in_) == list(frame.data.columns)
    assert model.model_.feature_names == list(frame.data.columns[model.active_])
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame.data[frame.data.columns[::-1]])
    np.testing.assert_array_equal(
        ardent.ARDSelector().fit(frame.data, frame.target).get_feature_names_out(),
        frame.data.columns[model.active_],
    )


@pytest.mark.parametrize(
    "names",
    [
        ["setosa", "versicolor", "virginica"],
        [10, -3, 7],
        [1.0, 2.0, -1.0],
        np.array(["b", "c", "a"], dtype=object),
    ],
)
def test_labels_of_every_kind_come_back_as_they_were(names):
    features, ids = load_iris(return_X_y=True)
    y = np.asarray(names)[ids]
    model = ardent.ARDClassifier().fit(features, y)
    np.testing.assert_array_equal(model.classes_, np.unique(y))
    assert model.predict(features).dtype == y.dtype
    assert (model.predict(features) == y).mean() > 0.95
    probabilities = model.predict_proba(features)
    np.testing.assert_array_equal(
        model.classes_[probabilities.argmax(axis=1)], model.predict(features)
    )


@pytest.mark.parametrize(
    "labels",
    [
        np.array([False, True]),
        np.array([0.0, 1.0]),
        np.array([0, 1], dtype=np.int32),
        np.array([3, 7], dtype=np.uint8),
        np.array([1, 2], dtype=np.float32),
        np.array(["no", "yes"]),
        np.array(["no", "yes"], dtype="<U12"),
        np.array(["no", "yes"], dtype=object),
    ],
    ids=lambda labels: labels.dtype.str,
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_type_of_classes_survives_a_model_file(labels, tmp_path):
    y = labels[Y]
    for model in (
        ardent.ARDClassifier(),
        ardent.RVMClassifier(kernel="rbf"),
        ardent.SparseRepresentationClassifier(atoms=60),
        ardent.DoublySparseClassifier(chains=1, burn_in=2, sweeps=4),
    ):
        model.fit(X[:150], y[:150]).save(tmp_path / "first.model")
        again = ardent.load(tmp_path / "first.model")
        again.save(tmp_path / "second.model")
        for loaded in (again, ardent.load(tmp_path / "second.model")):
            assert loaded.classes_.dtype == model.classes_.dtype == labels.dtype
            np.testing.assert_array_equal(loaded.classes_, labels)
            np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
            assert loaded.predict(X).dtype == labels.dtype
            assert loaded.score(X, y) == model.score(X, y)


def test_a_label_type_that_makes_no_sense_is_not_used(tmp_path):
    model = ardent.ARDClassifier().fit(X, Y == 1)
    model.model_.label_type = "<M8[ns]"
    model.model_.save(str(tmp_path / "odd.model"))
    assert list(ardent.load(tmp_path / "odd.model").classes_) == ["False", "True"]


def test_truth_values_and_two_classes():
    model = ardent.ARDClassifier().fit(X, Y == 1)
    assert model.classes_.dtype == bool
    np.testing.assert_array_equal(
        model.predict_proba(X), ardent.ARDClassifier().fit(X, Y).predict_proba(X)
    )


def test_weights_by_class_are_weights_of_rows():
    by_class = ardent.ARDClassifier(class_weight={0: 3.0, 1: 0.5}).fit(X, Y)
    by_row = ardent.ARDClassifier().fit(X, Y, sample_weight=np.where(Y == 0, 3.0, 0.5))
    assert by_class.model_.to_bytes() == by_row.model_.to_bytes()
    plain = ardent.ARDClassifier().fit(X, Y)
    assert by_class.predict_proba(X)[:, 0].mean() > plain.predict_proba(X)[:, 0].mean()
    with pytest.raises(ValueError, match="class_weight names classes"):
        ardent.ARDClassifier(class_weight={2: 1.0}).fit(X, Y)


def test_a_class_without_weight_has_probability_zero():
    features, y = load_iris(return_X_y=True)
    model = ardent.ARDClassifier().fit(features, y, sample_weight=(y != 1).astype(float))
    probabilities = model.predict_proba(features)
    assert probabilities.shape == (150, 3)
    np.testing.assert_array_equal(probabilities[:, 1], 0)
    assert set(model.predict(features)) == {0, 2}


def test_the_same_bits_on_any_number_of_threads():
    features, y = make_regression(200, 30, noise=5, random_state=0)
    for kind in (ardent.ARDRegressor, ardent.RVMRegressor, ardent.SBELMRegressor):
        one = kind(n_jobs=1).fit(features, y).model_.to_bytes()
        assert one == kind(n_jobs=2).fit(features, y).model_.to_bytes()
        assert one == kind(n_jobs=-1).fit(features, y).model_.to_bytes()


def test_random_state_is_the_seed():
    one = ardent.SBELMClassifier(hidden=20, random_state=1).fit(X, Y)
    default = ardent.SBELMClassifier(hidden=20).fit(X, Y)
    other = ardent.SBELMClassifier(hidden=20, random_state=2).fit(X, Y)
    assert one.model_.to_bytes() == default.model_.to_bytes()
    assert not np.array_equal(one.predict_proba(X), other.predict_proba(X))


def test_pandas_series_and_lists():
    frame = pd.DataFrame({"a": [0.0, 1, 2, 3, 4, 5], "b": [1.0, 0, 1, 0, 1, 0]})
    model = ardent.ARDRegressor().fit(frame, pd.Series([0.0, 2, 4, 6, 8, 10], name="twice"))
    np.testing.assert_allclose(model.predict(frame), [0, 2, 4, 6, 8, 10], atol=1e-6)


@pytest.mark.parametrize("kernel", ["rbf", "laplacian"])
def test_a_row_given_twice_is_one_centre_and_active_counts_rows(kernel):
    rng = np.random.default_rng(3)
    X = np.repeat(rng.normal(size=(40, 2)), 2, axis=0)
    y = X[:, 0] * X[:, 1] > 0
    weights = np.tile([0.0, 1.0], 40)  # only the second copies count
    model = ardent.RVMClassifier(kernel=kernel, scale="none").fit(X, y, sample_weight=weights)
    assert len(model.active_) > 0 and np.all(model.active_ % 2 == 1)
    np.testing.assert_array_equal(X[model.active_], model.relevance_vectors_)
    twice = ardent.RVMClassifier(kernel=kernel, scale="none").fit(X, y)
    assert np.all(twice.active_ % 2 == 0)  # of copies the first
