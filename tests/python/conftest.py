import os
import pathlib
import sys

# scikit-learn skips one of its checks without this; SciPy reads it when it is imported.
os.environ.setdefault("SCIPY_ARRAY_API", "1")
os.environ["MPLBACKEND"] = "Agg"  # pictures without a screen

import pytest  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def no_figures_left():
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(scope="session")
def command():
    """The command line of the same build: the package must do as it does."""
    path = pathlib.Path(os.environ.get("ARDENT_COMMAND", ROOT / "build/bin/ardent"))
    if not path.exists():
        pytest.fail(f"{path} is not there: run `make build`, or set ARDENT_COMMAND")
    return path
