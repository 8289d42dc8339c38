"""Keywords, defaults and docstrings are those of the core's schemas; what does nothing is refused."""

import inspect

import numpy as np
import pytest
from sklearn.base import clone

import ardent
from ardent import _core
from ardent._options import option_text, option_value, seed_texts, thread_count

TRAINED = [
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
RUN = {"n_jobs", "verbose", "callback"}
X, Y = np.random.default_rng(0).normal(size=(30, 3)), np.arange(30) % 2


def keywords(kind):
    return {k: p for k, p in inspect.signature(kind).parameters.items()}


def test_values_of_every_kind():
    whole, number, word = {"kind": "whole"}, {"kind": "number", "separator": ""}, {"kind": "choice"}
    assert option_value(whole, "3") == 3
    assert option_value(number, "3") == 3.0 and isinstance(option_value(number, "3"), float)
    assert option_value(number, "auto") == "auto"
    assert option_value({"kind": "on_off"}, "off") is False
    assert option_value(word, "none") is None
    assert option_value({"kind": "number", "separator": ":"}, "1:3") == (1.0, 3.0)


@pytest.mark.parametrize("what", ["train", "code", "locate"])
def test_values_survive_the_way_to_text_and_back(what):
    for option in _core.options(what):
        value = option_value(option, option["default"])
        again = option_value(option, option_text(option, value))
        assert again == value and type(again) is type(value), option["name"]


@pytest.mark.parametrize("name", [*TRAINED, "SparseCoder", "SourceFinder"])
def test_signature_defaults_and_docstring_are_those_of_the_schema(name):
    kind = getattr(ardent, name)
    what = {"SparseCoder": "code", "SourceFinder": "locate"}.get(name, "train")
    fixed = {"map": kind._map} if what == "train" else {}
    if what == "train" and kind._task != "auto":
        fixed["task"] = kind._task
    schema = {o["keyword"]: o for o in _core.options(what, fixed)}
    signature = keywords(kind)
    assert set(schema) <= set(signature)
    assert RUN <= set(signature)
    for keyword, option in schema.items():
        parameter = signature[keyword]
        assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
        if keyword != "random_state":  # scikit-learn's None
            assert parameter.default == option_value(option, option["default"]), keyword
    for keyword in signature:
        assert f"\n    {keyword} : " in kind.__doc__, keyword
    assert "{parameters}" not in kind.__doc__
    assert kind().get_params() == {k: p.default for k, p in signature.items()}


def test_keywords_are_those_that_have_an_effect():
    assert "sigma" in keywords(ardent.RVMClassifier)
    assert "sigma" not in keywords(ardent.ARDClassifier)
    assert "multiclass" not in keywords(ardent.ARDRegressor)
    assert "task" in keywords(ardent.ARDSelector)
    assert not {"map", "task", "engine", "atoms"} & set(keywords(ardent.DoublySparseClassifier))
    with pytest.raises(TypeError, match="ARDClassifier takes no keyword hidden, sigma"):
        ardent.ARDClassifier(sigma=2, hidden=3)
    with pytest.raises(TypeError):
        ardent.ARDClassifier("exact")


def test_every_option_is_a_keyword_somewhere():
    of_training = {o["keyword"] for o in _core.options("train")}
    used = {k for name in TRAINED for k in keywords(getattr(ardent, name))}
    assert of_training - used == {"map"}  # the class says it


def test_parameters_are_kept_as_they_are_given():
    classes = {0: 1.0, 1: 2.0}
    model = ardent.ARDClassifier(class_weight=classes, alpha_max=10, engine="exact")
    assert model.class_weight is classes and model.alpha_max == 10
    copy = clone(model).set_params(fit_intercept=False)
    assert (
        copy.get_params()["alpha_max"] == 10
        and copy.fit_intercept is False
        and model.fit_intercept is True
    )
    assert "alpha_max=10" in repr(model) and "tol=" not in repr(model)


def refusal(model, *data):
    with pytest.raises(ValueError) as error:
        model.fit(*data)
    return str(error.value)


def test_wrong_values_are_refused_in_the_words_of_python():
    assert refusal(ardent.ARDRegressor(engine="steam"), X, Y).startswith(
        "engine= must be one of auto, exact, diagonal"
    )
    assert refusal(ardent.ARDRegressor(tol=-1.0), X, Y) == (
        "tol= must be auto or a number > 0, not '-1.0'"
    )
    assert refusal(ardent.RVMRegressor(sigma=0), X, Y) == (
        "sigma= must be auto or a number > 0, not '0'"
    )
    assert refusal(ardent.ARDRegressor(fit_intercept="yes"), X, Y) == (
        "fit_intercept= must be True or False, not 'yes'"
    )
    assert refusal(ardent.SourceFinder(lam="soon"), X).startswith("lam= must be auto, sweep")
    assert refusal(ardent.SourceFinder(sigma=(3, 1)), X).startswith("sigma= must be a number > 0")


def test_what_does_nothing_is_refused_at_fit():
    assert refusal(ardent.ARDClassifier(probes=5), X, Y) == (
        "probes= belongs to the engine probes; the engine is auto"
    )
    assert refusal(ardent.ARDRegressor(engine="exact", second_start=False), X, Y) == (
        "second_start= belongs to the engine sequential; the engine is exact"
    )
    assert refusal(ardent.ARDClassifier(engine="diagonal", warm_b=True), X, Y) == (
        "warm_b= belongs to the engine dqn; the engine is diagonal"
    )
    assert refusal(ardent.ARDSelector(task="regression", class_weight="balanced"), X, Y) == (
        "class_weight= belongs to the task auto or classification; the task is regression"
    )
    assert refusal(ardent.DoublySparseClassifier(sampler="paper", chains=2), X, Y) == (
        "chains= belongs to the sampler collapsed; the sampler is paper"
    )
    assert "checkpoint belongs to the sampler collapsed" in refusal(
        ardent.DoublySparseClassifier(sampler="paper", checkpoint="c"), X, Y
    )
    assert refusal(ardent.SparseRepresentationClassifier(lam=1.0, noise_factor=2.0), X, Y) == (
        "noise_factor= belongs to lam= auto; lam= is 1"
    )
    assert refusal(ardent.SourceFinder(sweep_count=5), X) == (
        "sweep_count= belongs to lam= sweep; lam= is auto"
    )
    assert refusal(ardent.SourceFinder(atoms=50), X) == (
        "atoms= belongs to the dictionary uniform or normal; the dictionary is grid"
    )
    psf = np.pad(np.outer([1.0, 2.0, 1.0], [1.0, 2.0, 1.0]), 3)
    assert "belongs to psf= none" in refusal(ardent.SourceFinder(psf=psf, sigma=2.0), X)
    coder = ardent.SparseCoder(method="lasso", lam=1.0, code_start="ones").fit(X)
    with pytest.raises(ValueError, match="code_start= belongs to the method sbl"):
        coder.transform(X)


def test_kernels_of_python_refuse_what_the_core_would_use():
    assert refusal(ardent.RVMClassifier(kernel="linear", sigma=2.0), X, Y) == (
        "sigma= belongs to the kernel 'rbf'; the kernel is 'linear'"
    )
    assert "scale= belongs to" in refusal(
        ardent.RVMClassifier(kernel="precomputed", scale="rms"), X @ X.T, Y
    )
    assert "kernel_params= belongs to other kernels" in refusal(
        ardent.RVMRegressor(kernel_params={"gamma": 1.0}), X, Y
    )


def test_a_keyword_at_its_default_is_not_given():
    ardent.ARDRegressor(engine="exact", probes=20, second_start=True).fit(X, Y)
    ardent.ARDRegressor(engine="exact", alpha_max=1e6).fit(X, Y)


def test_seeds_and_threads():
    assert seed_texts(None) == {}
    assert seed_texts(7) == {"seed": "7"}
    assert seed_texts(np.random.RandomState(0)) == seed_texts(np.random.RandomState(0))
    assert seed_texts(np.random.RandomState(0)) != seed_texts(np.random.RandomState(1))
    assert (thread_count(None), thread_count(-1), thread_count(3)) == (0, 0, 3)
    with pytest.raises(ValueError, match="n_jobs"):
        thread_count(0)


def test_docstrings_speak_python():
    """Types and words are Python's, whatever the command line calls them."""
    for name in [*TRAINED, "SparseCoder", "SourceFinder"]:
        text = getattr(ardent, name).__doc__
        for word in ("a number >", "a whole number", "auto or", ": off)", "off:", "; none:", "--"):
            assert word not in text.replace("----------", "").replace("--------", ""), (name, word)
    document = ardent.RVMClassifier.__doc__
    assert "tol : 'auto' or float > 0, default='auto'\n" in document
    assert "max_iter : int >= 0, default=0\n" in document
    assert "        exact: Laplace" in document  # a value is spelt as it is given
    assert "that repeat the selection:" in document
    assert "False: several times faster" in document
