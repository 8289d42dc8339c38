"""The keyword `device`: refused with a word on what to do where there is no card or no such engine."""

import numpy as np
import pytest

from ardent import ARDClassifier, ARDRegressor, RVMRegressor

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(60, 5))
Y = X[:, 0] - X[:, 1] + 0.3 * RANDOM.normal(size=60)


def has_card():
    try:
        ARDRegressor(engine="diagonal", device="cuda").fit(X, Y)
    except ValueError as error:
        assert "device" in str(error)
        return False
    return True


def test_auto_is_the_processor_where_there_is_no_card():
    if has_card():
        pytest.skip("there is a card")
    here = ARDClassifier(engine="diagonal").fit(X, Y > 0)
    anywhere = ARDClassifier(engine="diagonal", device="auto").fit(X, Y > 0)
    np.testing.assert_array_equal(anywhere.decision_function(X), here.decision_function(X))


@pytest.mark.parametrize("kind", [ARDRegressor, RVMRegressor])
def test_cuda_wants_an_engine_that_a_card_has(kind):
    with pytest.raises(ValueError, match="choose one by name"):
        kind(device="cuda").fit(X, Y)


def test_a_device_that_there_is_not():
    with pytest.raises(ValueError, match="device"):
        ARDRegressor(device="tpu").fit(X, Y)
