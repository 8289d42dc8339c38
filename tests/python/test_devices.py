"""Exported C code, compiled as strictly as a user may, predicts what the estimators predict."""

import ctypes
import inspect
import subprocess

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine

import ardent
from ardent import _core
from ardent._options import option_value

STRICT = (
    "-std=c99 -ffreestanding -pedantic -Wall -Wextra -Werror -Wconversion -Wdouble-promotion"
    " -Wshadow"
).split()
REALS = {"double": (np.float64, 1e-12), "float": (np.float32, 1e-6)}


def compiled(codes, folder):
    """A library of several exported models, with functions that Python can call by name."""
    source = folder / "all.c"
    text = ""
    for name, (code, kind) in codes.items():
        (folder / f"{name}.h").write_text(code)
        text += f'#include "{name}.h"\n'
        text += f"void {name}_all(const {name}_real *x, int rows, {name}_real *out)\n{{\n"
        text += (
            f"    int i;\n    for (i = 0; i < rows; ++i, x += {name.upper()}_FEATURES)\n        "
        )
        text += {
            "classes": f"{name}_probabilities(x, out + i * {name.upper()}_CLASSES);\n}}\n",
            "mean": f"out[i] = {name}_predict(x);\n}}\n",
            "moments": f"out[2 * i] = {name}_moments(x, &out[2 * i + 1]);\n}}\n",
        }[kind]
    source.write_text(text)
    library = folder / "all.so"
    subprocess.run(
        ["cc", *STRICT, "-O1", "-shared", "-fPIC", source, "-o", library, "-lm"], check=True
    )
    return ctypes.CDLL(str(library))


def called(library, name, real, X, width):
    X = np.ascontiguousarray(X, dtype=REALS[real][0])
    out = np.full((len(X), width), -1, dtype=REALS[real][0])
    pointer = ctypes.c_void_p
    getattr(library, f"{name}_all")(pointer(X.ctypes.data), len(X), pointer(out.ctypes.data))
    return out.astype(np.float64)


CLASSIFIERS = {
    "iris_pairs": (ardent.RVMClassifier, load_iris, {}),
    "iris_rest": (ardent.SBELMClassifier, load_iris, {"multiclass": "ovr", "hidden": 50}),
    "iris_folds": (ardent.ARDClassifier, load_iris, {"multiclass": "folds"}),
    "wine": (ardent.SBELMClassifier, load_wine, {"hidden": 60}),
    "tumour": (ardent.ARDClassifier, load_breast_cancer, {}),
    "tumour_rbf": (ardent.RVMClassifier, load_breast_cancer, {}),
    "wine_rbf": (ardent.RVMClassifier, load_wine, {}),
    "tumour_elm": (ardent.SBELMClassifier, load_breast_cancer, {"hidden": 50}),
    "digits": (ardent.ARDClassifier, load_digits, {"engine": "diagonal", "max_iter": 20}),
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_classifiers_on_real_data(tmp_path):
    codes, wanted = {}, {}
    for name, (kind, load, options) in CLASSIFIERS.items():
        X, y = load(return_X_y=True)
        X = X.astype(np.float32).astype(np.float64)  # the same rows in both precisions
        model = kind(random_state=1, **options).fit(X, y)
        order = [int(label) for label in model.model_.class_names]
        wanted[name] = X, model.predict_proba(X)[:, order]
        for real in REALS:
            exp = "own" if name == "wine" else "auto"
            code = model.export_c(name=f"{name}_{real}", real=real, exp=exp)
            codes[f"{name}_{real}"] = code, "classes"
    library = compiled(codes, tmp_path)
    too_far = []
    for name, (X, p) in wanted.items():
        for real, (_, error) in REALS.items():
            found = called(library, f"{name}_{real}", real, X, p.shape[1])
            off = np.abs(found - p).max()
            print(f"{name} {real}: {off:.1e}")
            if off > error:
                too_far.append((name, real, off))
    assert too_far == []


def test_regressions_on_real_data_with_every_variance(tmp_path):
    X, y = load_diabetes(return_X_y=True, scaled=False)
    X = X.astype(np.float32).astype(np.float64)
    spread = y.std()
    codes, wanted = {}, {}
    for name, kind in {
        "linear": ardent.ARDRegressor,
        "rbf": ardent.RVMRegressor,
        "elm": ardent.SBELMRegressor,
    }.items():
        model = kind(random_state=1).fit(X[:150], y[:150])
        mean, std = model.predict(X, return_std=True)
        wanted[name] = np.column_stack([mean, std**2])
        for real in REALS:
            code = model.export_c(name=f"{name}_{real}", real=real, variance="full")
            codes[f"{name}_{real}"] = code, "moments"
    codes["mean"] = ardent.export_c(model, name="mean", variance=None), "mean"
    library = compiled(codes, tmp_path)
    too_far = []
    for name, moments in wanted.items():
        for real, (_, error) in REALS.items():
            found = called(library, f"{name}_{real}", real, X, 2)
            off = np.abs(found - moments).max(axis=0) / [spread, spread**2]
            print(f"{name} {real}: mean {off[0]:.1e}, variance {off[1]:.1e}")
            if off.max() > error:
                too_far.append((name, real, off))
    assert too_far == []
    np.testing.assert_allclose(
        called(library, "mean", "double", X, 1)[:, 0], wanted["elm"][:, 0], rtol=1e-12
    )


def test_keywords_are_those_of_the_schema():
    signature = inspect.signature(ardent.export_c).parameters
    for option in _core.options("export"):
        if option["name"] in ("to", "name", "probability"):
            continue
        assert signature[option["keyword"]].default == option_value(option, option["default"])
    text = ardent.export_c.__doc__
    for option in _core.options("export"):
        for choice in option["choices"] if option["name"] != "to" else ():
            assert choice in text or choice == "none"


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_what_cannot_be_exported_is_refused(tmp_path):
    X, y = load_iris(return_X_y=True)
    model = ardent.RVMClassifier(kernel="laplacian").fit(X, y)
    with pytest.raises(ValueError, match="'laplacian', which Python computes, cannot be exported"):
        model.export_c()
    masks = ardent.DoublySparseClassifier(burn_in=2, sweeps=3, chains=1).fit(X[:100], y[:100])
    with pytest.raises(ValueError, match="map doubly-sparse cannot be exported"):
        masks.export_c(tmp_path / "no.h")
    assert not (tmp_path / "no.h").exists()
    with pytest.raises(ValueError, match="real= must be one of double, float"):
        ardent.ARDClassifier().fit(X, y).export_c(real="half")


def test_a_file_names_the_functions_and_the_probability_is_the_estimators(tmp_path):
    X, y = load_breast_cancer(return_X_y=True)
    model = ardent.ARDClassifier(moderated=False).fit(X, y)
    code = model.export_c(tmp_path / "of tumours.h")
    assert (tmp_path / "of tumours.h").read_text() == code
    assert "int of_tumours_predict(" in code and "covariance" not in code
    assert "covariance" in ardent.export_c(model, probability="auto")
