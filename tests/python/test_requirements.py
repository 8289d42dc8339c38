"""The environment of the tests: locked versions, and nothing of the user's own."""

import os
import pathlib
import re
import subprocess
import sys

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOCKS = ROOT / "python" / "requirements"


def locked(lock):
    """Name and version of every package of a lock file that this Python gets."""
    lines = re.sub(r"\\\n", "", (LOCKS / f"{lock}.txt").read_text()).splitlines()
    asked = [Requirement(line.split("--hash")[0]) for line in lines if line and line[0] != "#"]
    return {
        canonicalize_name(each.name): next(iter(each.specifier)).version
        for each in asked
        if each.marker is None or each.marker.evaluate()
    }


@pytest.mark.parametrize(
    "lock, names", [("test", "build package test"), ("reproduce", "reproduce")]
)
def test_a_lock_has_what_pyproject_asks_for(lock, names):
    run = [sys.executable, ROOT / "scripts/list-requirements", *names.split()]
    asked = subprocess.run(run, check=True, capture_output=True, text=True).stdout.splitlines()
    assert len(asked) > 5
    versions = locked(lock)
    for requirement in map(Requirement, asked):
        version = versions[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), f"{requirement}: run `make lock`"


def test_the_locks_agree():
    test, reproduce = locked("test"), locked("reproduce")
    assert set(test) & set(reproduce)
    assert [name for name in set(test) & set(reproduce) if test[name] != reproduce[name]] == []


@pytest.mark.parametrize("lock", sorted(path.name for path in LOCKS.glob("*.txt")))
def test_every_locked_package_has_a_version_and_hashes_and_names_no_index(lock):
    text = (LOCKS / lock).read_text()
    packages = re.sub(r"\\\n", "", text).splitlines()[1:]
    assert packages
    for package in packages:
        assert re.match(r"[\w.-]+==[\w.]+ .*--hash=sha256:[0-9a-f]{64}", package), package
    assert "://" not in text and "index" not in text


def test_what_is_set_for_other_work_does_not_reach_the_environment():
    theirs = {
        "PYTHONPATH": "/elsewhere",
        "PYTHONHOME": "/elsewhere",
        "VIRTUAL_ENV": "/elsewhere",
        "PIP_TARGET": "/elsewhere",
        "PIP_USER": "1",
    }
    index = {"PIP_INDEX_URL": "https://index.example/simple"}
    run = ["make", "--no-print-directory", "-C", ROOT, "--eval", "show: ; @env", "show"]
    printed = subprocess.run(
        run, check=True, capture_output=True, text=True, env={**os.environ, **theirs, **index}
    ).stdout
    seen = dict(line.split("=", 1) for line in printed.splitlines() if "=" in line)
    assert not {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PIP_TARGET"} & set(seen)
    assert (seen["PIP_USER"], seen["PYTHONNOUSERSITE"]) == ("0", "1")
    assert seen["PIP_INDEX_URL"] == index["PIP_INDEX_URL"]
