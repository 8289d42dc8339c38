"""Keywords and defaults are those of the core's option table, and none is left out."""

import inspect

import pytest

import ardent
from ardent import _core
from ardent._options import (
    keyword_of,
    option_name,
    option_text,
    option_value,
    seed_text,
    thread_count,
)

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


def defaults(table):
    return {option["name"]: option["default"] for option in table}


@pytest.mark.parametrize("name", [*TRAINED, "SparseCoder"])
def test_defaults_are_those_of_the_table(name):
    kind = getattr(ardent, name)
    coder = name == "SparseCoder"
    table = defaults(_core.coder_options() if coder else _core.train_options())
    signature = inspect.signature(kind.__init__).parameters
    for keyword in kind._option_keywords:
        value = signature[keyword].default
        expected = option_value(table[option_name(keyword)])
        assert value == expected and isinstance(value, bool) == isinstance(expected, bool), keyword


def test_every_option_is_a_keyword_somewhere():
    keywords = {k for name in TRAINED for k in getattr(ardent, name)._option_keywords}
    options = {keyword_of(name) for name in defaults(_core.train_options())}
    assert options - keywords == {"map", "seed"}  # the class says the one, random_state the other
    coding = {keyword_of(name) for name in defaults(_core.coder_options())}
    assert coding == set(ardent.SparseCoder._option_keywords)


def test_source_finder_has_the_defaults_of_the_command_line():
    options = _core.LocateOptions()
    asked = ardent.SourceFinder()._options()
    fields = [name for name in dir(options) if not name.startswith("_") and name != "set_psf"]
    assert len(fields) == 17
    for field in fields:
        assert getattr(asked, field) == getattr(options, field), field


def test_values_survive_the_way_to_text_and_back():
    for value in (True, False, None, 3, 0.1, 1e-300, "auto"):
        assert option_value(option_text(value)) == value


def test_wrong_values_are_refused_with_the_text_of_the_command_line():
    with pytest.raises(ValueError, match="--engine must be one of auto, exact"):
        ardent.ARDRegressor(engine="steam").fit([[0.0], [1.0]], [0.0, 1.0])
    with pytest.raises(ValueError, match=r"--tolerance must be auto or a number > 0, not '-1.0'"):
        ardent.ARDRegressor(tolerance=-1.0).fit([[0.0], [1.0]], [0.0, 1.0])


def test_seeds_and_threads():
    import numpy as np

    assert seed_text(None) == defaults(_core.train_options())["seed"]
    assert seed_text(7) == "7"
    assert seed_text(np.random.RandomState(0)) == seed_text(np.random.RandomState(0))
    assert seed_text(np.random.RandomState(0)) != seed_text(np.random.RandomState(1))
    assert (thread_count(None), thread_count(-1), thread_count(3)) == (0, 0, 3)
    with pytest.raises(ValueError, match="n_jobs"):
        thread_count(0)
