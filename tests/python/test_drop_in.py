"""scikit-learn's own tests of ARDRegression, those of the release installed, pass with ARDRegressor."""

import importlib.util
import os
import re
import subprocess
import sys

import pytest

SWAP = """
import sklearn.linear_model

import ardent

sklearn.linear_model.ARDRegression = ardent.ARDRegressor
"""


def test_scikit_learns_tests_of_ard_regression(tmp_path):
    if importlib.util.find_spec("sklearn.linear_model.tests") is None:
        pytest.skip("this scikit-learn was installed without its tests")
    (tmp_path / "swap_ard.py").write_text(SWAP)
    run = [sys.executable, "-m", "pytest", "--pyargs", "sklearn.linear_model.tests.test_bayes"]
    run += ["-p", "swap_ard", "-p", "no:cacheprovider", "-q", "-rf"]
    run += ["-k", "not test_update_sigma"]  # private members of scikit-learn's class
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    settings = {**os.environ, "PYTHONPATH": path, "SKLEARN_TESTS_GLOBAL_RANDOM_SEED": "40-44"}
    done = subprocess.run(run, cwd=tmp_path, env=settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    passed = int(re.search(r"(\d+) passed", done.stdout).group(1))
    assert passed >= 50 and "failed" not in done.stdout and "skipped" not in done.stdout
