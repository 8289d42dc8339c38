"""What the documents show runs, and docstrings are whole."""

import doctest
import importlib
import inspect
import os
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest

import ardent

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = [module.name for module in pkgutil.iter_modules(ardent.__path__)]


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_examples_in_docstrings(name):
    assert doctest.testmod(importlib.import_module(f"ardent.{name}")).failed == 0


@pytest.mark.parametrize("name", [name for name in ardent.__all__ if name != "__version__"])
def test_every_public_name_has_an_example_and_tells_its_parameters(name):
    public = getattr(ardent, name)
    assert doctest.DocTestParser().get_examples(public.__doc__)
    assert "{parameters}" not in public.__doc__
    called = public.__init__ if inspect.isclass(public) else public
    for parameter in inspect.signature(called).parameters:
        if parameter != "self":
            assert re.search(rf"^\s*(\w+, )*{parameter}(, \w+)* :", public.__doc__, re.M), parameter


@pytest.mark.parametrize("document", ["README.md", "docs/python.md"])
def test_snippets_run(document, tmp_path, monkeypatch):
    snippets = re.findall(r"^```python\n(.*?)^```", (ROOT / document).read_text(), re.S | re.M)
    assert snippets
    os.symlink(ROOT / "data", tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    names = {}
    for snippet in snippets:  # each goes on from the one before
        exec(compile(snippet, document, "exec"), names)


def test_the_package_is_typed_and_has_a_version():
    folder = os.path.dirname(ardent.__file__)
    assert os.path.exists(os.path.join(folder, "py.typed"))
    stub = open(os.path.join(folder, "_core.pyi")).read()
    assert "class Model" in stub and "def train(" in stub
    project = re.search(
        r"project\(ardent VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()
    ).group(1)
    assert ardent.__version__ == project


def test_importing_leaves_scikit_learn_for_later():
    code = (
        "import ardent, sys; assert 'sklearn' not in sys.modules; "
        "assert 'ARDClassifier' in dir(ardent)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=os.path.dirname(__file__))


def test_a_processor_that_lacks_instructions_is_told_of_before_they_run():
    code = """
import sys, types
sys.modules["ardent._cpu"] = types.SimpleNamespace(missing=lambda: ["AVX512F"])
try:
    import ardent
except ImportError as error:
    assert "AVX512F" in str(error) and "ARDENT_NATIVE=OFF" in str(error)
    assert "ardent._core" not in sys.modules
else:
    raise SystemExit("imported all the same")
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=os.path.dirname(__file__))
