"""docs/results: pages come from the JSON beside them, and from nothing else."""

import copy
import json
import pathlib
import re

import pytest
from printed_text import differences

from experiments import claims, front, pages, store

RESULTS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "results"
PAPERS = list(pages.EXPERIMENTS)


def content(paper):
    return json.loads((RESULTS / f"paper-{paper}.json").read_text())


@pytest.mark.parametrize("paper", PAPERS)
def test_a_page_is_derived_from_its_json(paper):
    assert (
        differences((RESULTS / f"paper-{paper}.md").read_text(), pages.page(content(paper))) == []
    )


def test_the_front_page_is_derived_from_the_json():
    derived = front.page({paper: content(paper) for paper in PAPERS})
    assert differences((RESULTS / "README.md").read_text(), derived) == []


@pytest.mark.parametrize("paper", PAPERS)
def test_every_picture_is_there(paper):
    named = re.findall(r"\(images/([^)]+)\)", (RESULTS / f"paper-{paper}.md").read_text())
    assert named
    assert set(named) <= {path.name for path in (RESULTS / "images").iterdir()}


def test_results_carry_no_ballast():
    assert {path.suffix for path in (RESULTS / "images").iterdir()} == {".png"}
    records = list(RESULTS.glob("*.json"))
    assert sum(path.stat().st_size for path in records) < 1_000_000


@pytest.mark.parametrize("paper", PAPERS)
def test_records_are_written_as_they_are_read(paper, tmp_path):
    store.write_content(tmp_path / "again.json", content(paper))
    again = (tmp_path / "again.json").read_text()
    assert json.loads(again) == content(paper)
    assert again == (RESULTS / f"paper-{paper}.json").read_text()
    empty = {**content(paper), "experiments": {}}
    store.write_content(tmp_path / "empty.json", empty)
    assert json.loads((tmp_path / "empty.json").read_text()) == empty


def test_another_number_in_the_json_is_another_number_on_the_page():
    changed = copy.deepcopy(content("000"))
    record = changed["experiments"]["tables_2_3_4"]["diabetes-lr"]
    record["result"]["trials"][0]["accuracy"] = [0.1234] * 3
    assert "12.3 ± 0.0" in pages.page(changed)


def test_verdicts_follow_the_records():
    changed = copy.deepcopy(content("001"))
    safe = "Screening leaves the solution as it is"
    before = {c.text: c.verdict for c in claims.of(changed)}
    next(iter(changed["experiments"]["figures_3_6"].values()))["result"]["difference"] = 0.5
    after = {c.text: c.verdict for c in claims.of(changed)}
    assert (before[safe], after[safe]) == (claims.YES, claims.NO)


@pytest.mark.parametrize("paper", PAPERS)
def test_a_page_without_any_data_says_so(paper):
    empty = {**content(paper), "experiments": {}, "skipped": ["a/b: no file"]}
    assert "Not run: no data available." in pages.page(empty)
    assert "a/b: no file" in pages.page(empty)
    assert claims.of(empty) == []


def test_a_record_is_found_again_only_with_its_configuration_and_build(tmp_path):
    records = store.Store(tmp_path, "build")
    point = store.Point("a", {"ratios": (0.1, 0.2)})
    assert records.get("one", point) is None
    written = records.put("one", point, {"value": float("nan")}, {"cpu": 1.0})
    assert records.get("one", point) == written
    assert written["result"] == {"value": None}
    assert records.get("one", store.Point("a", {"ratios": (0.1, 0.3)})) is None
    assert store.Store(tmp_path, "other").get("one", point) is None
    assert [path.name for path in (tmp_path / "one").iterdir()] == ["a.json"]


def test_half_a_record_is_no_record(tmp_path):
    records = store.Store(tmp_path, "build")
    point = store.Point("a", {"seed": 1})
    records.put("one", point, {"value": 1}, {})
    path = records.path("one", "a")
    path.write_text(path.read_text()[:20])
    assert records.get("one", point) is None


def test_times_are_no_difference_and_results_are():
    first = {"one": {"a": {"config": {}, "result": {"x": 1}, "timing": {"cpu": 1}}}}
    second = copy.deepcopy(first)
    second["one"]["a"]["timing"]["cpu"] = 2
    assert store.differences(first, second) == []
    second["one"]["a"]["result"]["x"] = 3
    assert store.differences(first, second) == ["one/a"]
    assert store.differences(first, {}) == ["one/a"]
