"""Files about the project are whole, and say what is so."""

import importlib.machinery
import pathlib
import re
import subprocess
import sys
import tomllib
import types

import pytest
import yaml
from packaging.requirements import Requirement

import ardent

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = re.search(r"project\(ardent VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(
    1
)


def test_the_citation_has_what_the_format_needs_and_no_version_of_its_own():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert {"cff-version", "message", "title", "authors"} <= set(cited)
    assert cited["license"] in (ROOT / "pyproject.toml").read_text()
    assert "version" not in cited


@pytest.mark.parametrize("path", sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml")), ids=str)
def test_issue_templates_are_forms(path):
    form = yaml.safe_load(path.read_text())
    if path.name == "config.yml":
        return
    assert {"name", "description", "body"} <= set(form)
    names = [field["id"] for field in form["body"]]
    assert len(names) == len(set(names))
    assert all(field["attributes"]["label"] for field in form["body"])


# What programs are made of; documents say which version figures were measured with.
SOURCES = (
    "ardent include cli c cmake python examples scripts packaging bench experiments tests docs/site Makefile "
    "pyproject.toml CITATION.cff CMakePresets.json .ci .github"
)


def test_the_version_is_written_in_one_place():
    """CMakeLists.txt: all else reads it from there."""
    written = re.compile(rf"(?<![\d.]){re.escape(VERSION)}(?![\d.])")
    found = []
    for source in SOURCES.split():
        path = ROOT / source
        for file in [path] if path.is_file() else path.rglob("*"):
            of_others = "requirements" in file.parts or "models" in file.parts
            if file.is_file() and not of_others and file.suffix not in (".pyc", ".json"):
                if written.search(file.read_text(errors="ignore")):
                    found.append(str(file.relative_to(ROOT)))
    assert found == []
    assert len(written.findall((ROOT / "CMakeLists.txt").read_text())) == 1


def test_everything_says_the_same_version(command):
    said = subprocess.run([command, "--version"], check=True, capture_output=True, text=True)
    assert said.stdout.split()[1] == VERSION == ardent.__version__
    recipe = (ROOT / "packaging/conda/meta.yaml").read_text()
    pattern = re.search(r'regex_pattern="(.*?)"', recipe).group(1).replace("\\\\", "\\")
    assert re.search(pattern, (ROOT / "CMakeLists.txt").read_text()).group(1) == VERSION
    with open(ROOT / "pyproject.toml", "rb") as file:
        metadata = tomllib.load(file)["tool"]["scikit-build"]["metadata"]["version"]
    found = re.search(metadata["regex"], (ROOT / metadata["input"]).read_text())
    assert found["value"] == VERSION


def test_files_of_this_version_are_kept():
    """Later versions are held to them: docs/releasing.md."""
    kept = ROOT / "tests/models" / VERSION.rpartition(".")[0]
    kinds = {path.suffix for path in kept.iterdir()}
    assert {".model", ".predicted", ".cache", ".checkpoint"} <= kinds


def test_the_distribution_has_one_name():
    """On PyPI `ardent` is another project: nothing may tell users to install that."""
    with open(ROOT / "pyproject.toml", "rb") as file:
        name = tomllib.load(file)["project"]["name"]
    assert name != "ardent"
    recipe = (ROOT / "packaging/conda/meta.yaml").read_text()
    assert re.search(r"^  name: (\S+)$", recipe, re.M).group(1) == name
    another = re.compile(r"\bardent\[\w+\]|pip install ardent(?![\w-])(?!` installs another)")
    told = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("python/**/*.py")]
    told += [*ROOT.glob("cli/*.cpp"), ROOT / "pyproject.toml"]
    assert [str(path) for path in told if another.search(path.read_text())] == []


def test_the_conda_recipe_needs_what_the_package_needs():
    recipe = (ROOT / "packaging/conda/meta.yaml").read_text()
    run = [sys.executable, ROOT / "scripts/list-requirements", "build", "package"]
    asked = subprocess.run(run, check=True, capture_output=True, text=True).stdout.split()
    for requirement in map(Requirement, asked):
        assert f"{requirement.name} {requirement.specifier}" in recipe, str(requirement)


@pytest.mark.parametrize("extra", ["wheel", "docs", "onnx", "devices", "bench", "integration"])
def test_extras_of_the_tools_are_locked(extra):
    run = [sys.executable, ROOT / "scripts/list-requirements", extra]
    asked = subprocess.run(run, check=True, capture_output=True, text=True).stdout.splitlines()
    lock = (ROOT / f"python/requirements/{extra}.txt").read_text()
    for requirement in map(Requirement, asked):
        versions = re.findall(rf"^{requirement.name}==(\S+)", lock, re.M | re.I)
        assert versions and all(map(requirement.specifier.contains, versions)), str(requirement)


def script(name):
    """A script of Python, as a module."""
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(ROOT / "scripts" / name))
    module = types.ModuleType(loader.name)
    module.__file__ = loader.path
    loader.exec_module(module)
    return module


def test_licences_that_are_unknown_or_not_allowed_are_refused(monkeypatch):
    sbom = script("make-sbom")
    assert not any(re.match(r"A?GPL", licence) and "exception" not in licence for licence in sbom.ALLOWED)
    monkeypatch.setattr(sbom, "packages_of", lambda program: {"libreadline8"})
    with pytest.raises(SystemExit, match="no licence that is known here: libreadline8"):
        sbom.parts_of("program")
    monkeypatch.setitem(sbom.LINKED, "libreadline", "GPL-3.0-or-later")
    with pytest.raises(SystemExit, match="need a look: libreadline8"):
        sbom.parts_of("program")


def test_every_document_is_on_the_site():
    module = script("make-docs")
    listed = [page for _, pages in module.SECTIONS.values() for page in pages.split()]
    documents = {
        str(path.relative_to(ROOT / "docs").with_suffix("")) for path in ROOT.glob("docs/**/*.md")
    }
    assert set(listed) == documents | {"api", "cpp-api", "changelog"}
    assert len(listed) == len(set(listed))
    for name in module.ardent.__all__[1:]:
        assert f".. autoclass:: ardent.{name}" in module.reference() or (
            f".. autofunction:: ardent.{name}" in module.reference()
        )
