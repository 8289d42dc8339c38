"""What the documents show runs, and docstrings are whole."""

import doctest
import importlib
import importlib.machinery
import inspect
import os
import pathlib
import pkgutil
import re
import subprocess
import sys
import types

import pytest
from printed_text import NumericChecker, differences, lines_agree

import ardent

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = [module.name for module in pkgutil.walk_packages(ardent.__path__, "ardent.")]
PUBLIC = [
    *(getattr(ardent, name) for name in ardent.__all__ if name != "__version__"),
    *(getattr(ardent.plot, name) for name in ardent.plot.__all__),
]
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
TUTORIALS = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/tutorials/*.md"))


def script(name):
    """A script of the tree, as a module."""
    loader = importlib.machinery.SourceFileLoader(
        name.replace("-", "_"), str(ROOT / "scripts" / name)
    )
    module = types.ModuleType(loader.name)
    module.__file__ = loader.path
    loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_examples_in_docstrings(name):
    if "onnx" in name:  # an extra of its own
        pytest.importorskip("skl2onnx", reason="skl2onnx is not installed: make test-onnx")
        pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: make test-onnx")
    if name.startswith("ardent.dask"):  # another
        pytest.importorskip("dask", reason="Dask is not installed: make test-dask")
    module = importlib.import_module(name)
    runner = doctest.DocTestRunner(checker=NumericChecker())
    for example in doctest.DocTestFinder().find(module):
        runner.run(example)
    assert runner.failures == 0


@pytest.mark.parametrize("public", PUBLIC, ids=lambda public: public.__name__)
def test_every_public_name_has_an_example_and_tells_its_parameters(public):
    assert doctest.DocTestParser().get_examples(public.__doc__)
    assert "{parameters}" not in public.__doc__
    called = public.__init__ if inspect.isclass(public) else public
    for parameter in inspect.signature(called).parameters:
        if parameter != "self":
            assert re.search(rf"^\s*(\w+, )*{parameter}(, \w+)* :", public.__doc__, re.M), parameter


def test_an_option_of_several_schemas_is_documented_as_the_class_s_own():
    def reported(kind):
        return re.search(r"^ +nonnegative : bool, .*\n(.*)", kind.__doc__, re.M).group(1)

    assert "Coefficients" in reported(ardent.SparseCoder)
    assert "dark" in reported(ardent.SourceFinder)


def test_the_page_of_options_is_that_of_the_schemas():
    made = script("make-options").document()
    assert (ROOT / "docs" / "options.md").read_text() == made, "run scripts/make-options"


@pytest.mark.parametrize(
    "document", ["README.md", "docs/python.md", "docs/ten-minutes.md", *TUTORIALS]
)
def test_documents_print_what_they_say(document, tmp_path, monkeypatch):
    os.symlink(ROOT / "data", tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    text = (ROOT / document).read_text()
    assert differences(text, script("run-document").executed(text, document)) == []
    if document in TUTORIALS:  # every picture that is drawn is shown
        shown = re.findall(r"\]\(\.\./images/tutorials/(.*?)\)", text)
        assert sorted(shown) == sorted(path.name for path in tmp_path.glob("*.png"))


def test_the_demo_prints_what_the_readme_shows(command, tmp_path):
    readme = (ROOT / "README.md").read_text()
    shown = re.search(r"`make demo` ends like this:\n\n```\n(.*?)```", readme, re.S).group(1)
    run = [command, "demo", "-o", tmp_path / "demo.model"]
    printed = iter(
        subprocess.run(run, check=True, capture_output=True, text=True).stdout.splitlines()
    )
    for line in shown.splitlines():  # in the demo's order; what lies between them is not shown
        if line.strip() != "…":
            assert any(lines_agree(line, now) for now in printed), line


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_to_files(document):
    links = re.findall(r"\]\((?!https?:)([^)#\s]+)", document.read_text())
    assert links or document.parent.name != "tutorials"
    assert [link for link in links if not (document.parent / link).exists()] == []


def test_there_is_a_tutorial_for_each_method():
    assert [pathlib.Path(path).stem for path in TUTORIALS] == [
        "doubly-sparse",
        "evidence",
        "sparse-codes",
    ]


def test_what_code_prints_is_written_into_a_document():
    document = "a\n```python\nx = 2\n```\nb\n```python\nprint(x)\n```\n\n```text\n3\n```\nc\n"
    assert script("run-document").executed(document, "d") == document.replace("3", "2")


def test_commands_run_where_a_document_says_what_they_print():
    run = script("run-document").executed
    document = "```sh\nexit 3\n```\nb\n```sh\necho $((1 + 1))\n```\n\n```text\n3\n```\nc\n```python\nx = 1\n```\n"
    assert run(document, "d") == document.replace("```text\n3", "```text\n2")
    with pytest.raises(RuntimeError, match="exit 7"):
        run("```sh\nexit 7\n```\n\n```text\n```\n", "d")


def test_the_gallery_is_what_its_script_makes(tmp_path):
    script("make-gallery").main(tmp_path)
    assert (tmp_path / "gallery.md").read_text() == (ROOT / "docs/gallery.md").read_text()
    drawn = {path.name for path in (tmp_path / "images/gallery").iterdir()}
    assert drawn == {path.name for path in (ROOT / "docs/images/gallery").iterdir()}


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
sys.modules["ardent._cpu"] = types.SimpleNamespace(missing=lambda: "AVX512F")
try:
    import ardent
except ImportError as error:
    assert "AVX512F" in str(error) and "ARDENT_PORTABLE=ON" in str(error)
    assert "ardent._core" not in sys.modules
else:
    raise SystemExit("imported all the same")
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=os.path.dirname(__file__))
