"""Reports show the numbers of the model, need nothing else, and are whole pages."""

import html
import json
import pathlib
import re
import subprocess
import sys
from html.parser import HTMLParser

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.metrics import log_loss, roc_auc_score

import ardent
from ardent._report._command import main
from ardent._report._page import number

DATA = pathlib.Path(__file__).resolve().parents[2] / "data"

X, Y = load_breast_cancer(return_X_y=True, as_frame=True)
Y = np.where(Y == 1, "benign", "malignant")


class Whole(HTMLParser):
    """Elements are closed in order, and what they name is there."""

    VOID = {"meta", "link", "br", "img"}

    def __init__(self, page):
        super().__init__()
        self.open, self.ids, self.uses, self.outside = [], [], [], []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            if name in ("src", "href", "xlink:href"):
                (self.uses if value.startswith("#") else self.outside).append(value)
            self.uses += re.findall(r"url\((#[^)]+)\)", value or "")

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def checked(page):
    """The page as text without marks, after a check that it is whole and needs nothing else."""
    seen = Whole(page)
    assert len(seen.ids) == len(set(seen.ids))
    assert {use[1:] for use in seen.uses} <= set(seen.ids)
    assert all(link.startswith("data:") for link in seen.outside)
    assert (
        "<script" not in page
        and "@import" not in page
        and "nan" not in re.findall(r">(.*?)<", page)
    )
    return html.unescape(re.sub(r"<style>.*?</style>|<[^>]+>", " ", page, flags=re.S))


@pytest.fixture(scope="module")
def linear():
    return ardent.ARDClassifier(keep_stages=True).fit(X[:400], Y[:400])


def test_a_classifier_s_page_has_its_weights_and_scores(linear, tmp_path):
    linear.report(X[400:], Y[400:], tmp_path / "page.html", title="Tumours <1>")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    text = checked(page)
    assert "Tumours <1>" in text and "<h1>Tumours &lt;1&gt;</h1>" in page
    for name in X.columns[linear.active_]:
        assert name in text
    posterior = linear.model_.posteriors[0]
    for mean, variance in zip(posterior["mean"], posterior["variance"]):
        assert number(mean) in text and number(np.sqrt(variance), 3) in text
    p = linear.predict_proba(X[400:])
    assert f"{100 * np.mean(linear.predict(X[400:]) == Y[400:]):.1f}%" in text
    assert number(log_loss(Y[400:], p)) in text
    assert number(roc_auc_score(Y[400:] == "malignant", p[:, 1])) in text
    for caption in ("Calibration", "ROC", "true class", "two standard", "by stage", "sparsity"):
        assert caption in text
    assert page.count("<svg") == 6


def test_the_same_model_and_rows_give_the_same_bytes(linear):
    assert linear.report(X[400:], Y[400:]) == linear.report(X[400:], Y[400:])


def test_a_model_from_a_file_has_the_names_that_the_file_has(linear, tmp_path):
    linear.save(tmp_path / "a.model")
    text = checked(ardent.load(tmp_path / "a.model").report())
    for name in X.columns[linear.active_]:
        assert name in text
    assert "--keep-stages" in text


def test_pages_follow_the_colours_of_the_reader(linear):
    page = linear.report()
    assert "prefers-color-scheme: dark" in page and "@media print" in page
    drawing = "".join(re.findall(r"<svg.*?</svg>", page, re.S))
    assert "var(--c0)" in drawing and "var(--ink)" in drawing
    assert "#0072b2" not in drawing.lower() and "#1a1b1c" not in drawing


def test_a_regression_s_page_has_the_coverage_of_its_intervals():
    rows, target = load_diabetes(return_X_y=True)
    model = ardent.RVMRegressor(sigma=2).fit(rows[:300], target[:300])
    text = checked(model.report(rows[300:], target[300:]))
    low, high = model.predict_interval(rows[300:], 0.95)
    covered = np.mean((low <= target[300:]) & (target[300:] <= high))
    assert f"95% intervals cover {100 * covered:.1f}%" in re.sub(r"\s+", " ", text)
    assert number(model.score(rows[300:], target[300:])) in text


def test_several_binary_models_and_a_surface_of_two_features():
    iris = load_iris()
    rows, words = iris.data[:, 2:], iris.target_names[iris.target]
    text = checked(ardent.ARDClassifier().fit(rows, words).report(rows, words))
    assert "setosa against versicolor" in text or "versicolor against setosa" in text
    assert "Probabilities over the plane" in text


def test_models_at_the_edge_have_pages():
    rng = np.random.default_rng(0)
    few = rng.normal(size=(40, 3))
    up = few[:, 0] > 0
    thin = sparse.random(100, 60, density=0.1, random_state=0, format="csr")
    many = ardent.ARDClassifier(engine="shrinkage").fit(thin, np.arange(100) % 2)
    checked(many.report(thin, np.arange(100) % 2))
    none = ardent.ARDClassifier(engine="sequential").fit(thin, np.arange(100) % 2)
    assert len(none.active_) == 0
    assert "no weight is kept" in checked(none.report(thin, np.arange(100) % 2))
    one_class = ardent.RVMClassifier(kernel="laplacian").fit(few, up)
    assert "ROC" not in checked(one_class.report(few[up], up[up]))
    published = ardent.DoublySparseClassifier(sampler="paper-basis").fit(few, up)
    checked(published.report(few, up))
    checked(ardent.ARDSelector().fit(few, few[:, 1]).report())


def test_masks_show_inclusion_pairs_and_chains(tmp_path):
    rows, target = load_diabetes(return_X_y=True, as_frame=True)
    model = ardent.DoublySparseRegressor(burn_in=20, sweeps=40).fit(rows[:100], target[:100])
    text = checked(model.report())
    reported = model.diagnostics_[0]["features"]
    for name, mean in zip(rows.columns, reported["mean"]):
        assert re.search(rf"\b{name}\s+{mean:.3f}\s", text), name
    for caption in ("R-hat", "on together", "by sweep"):
        assert caption in text
    # What is on together in the states that the model file keeps.
    masks = model.model_.masks(0)
    assert masks.shape == (len(masks), len(model.model_.inputs)) and set(np.unique(masks)) <= {0, 1}
    shares = ardent.plot.co_inclusion(model).images[0].get_array()
    assert float(shares[0, 0]) == masks.mean(axis=0).max()
    model.save(tmp_path / "m.model")
    loaded = ardent.load(tmp_path / "m.model")
    np.testing.assert_array_equal(loaded.model_.masks(0), masks)
    assert "on together" in checked(loaded.report())


def test_sources_and_codes_need_what_they_are_applied_to():
    rng = np.random.default_rng(0)
    rows, columns = np.mgrid[:32, :40]
    image = rng.normal(size=(32, 40))
    image += 30 * np.exp(-((columns - 20) ** 2 + (rows - 9) ** 2) / (2 * 1.5**2))
    finder = ardent.SourceFinder(sigma=1.5).fit(image)
    text = checked(finder.report(image))
    assert f"{finder.sources_['x'][0]:.3f}" in text and number(finder.sources_["flux"][0]) in text
    coder = ardent.SparseCoder().fit(rng.normal(size=(50, 20)))
    assert "Signal 1" in checked(coder.report(coder.dictionary_[:2]))
    for model in (finder, coder):
        with pytest.raises(ValueError, match="needs what it is applied to"):
            model.report()


def test_rows_without_labels_and_unknown_classes_are_refused(linear):
    with pytest.raises(ValueError, match="come together"):
        linear.report(X)
    with pytest.raises(ValueError, match="does not know"):
        linear.report(X[:2], ["benign", "none"])


def test_from_the_command_line(command, tmp_path, monkeypatch):
    data = DATA / "breast_cancer.csv"
    subprocess.run([command, "train", data, "-o", tmp_path / "a.model"], check=True)
    monkeypatch.setenv("ARDENT_PYTHON", sys.executable)
    run = [
        command,
        "report",
        tmp_path / "a.model",
        data,
        "--title",
        "By hand",
        "--label",
        "class",
    ]
    done = subprocess.run([*run, "-o", tmp_path / "r.html"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    text = checked((tmp_path / "r.html").read_text(encoding="utf-8"))
    assert "By hand" in text and "569 rows" in text
    measured = [command, "evaluate", tmp_path / "a.model", data, "--json"]
    found = json.loads(subprocess.run(measured, check=True, capture_output=True).stdout)
    assert f"accuracy {100 * found['accuracy']:.1f}%" in re.sub(r"\s+", " ", text)
    assert number(found["log_loss"]) in text


def test_wrong_requests_leave_no_page(command, tmp_path, capsys):
    subprocess.run([command, "train", DATA / "wine.csv", "-o", tmp_path / "w.model"], check=True)
    model, page = str(tmp_path / "w.model"), str(tmp_path / "w.html")
    for request, words in {
        ("report", model, "-o", model): "does not replace an input",
        ("report", str(tmp_path / "no.model"), "-o", page): "no.model",
        ("report", model, "-o", page, "--label", "y"): "of which there is none",
        ("report", model, str(DATA / "digits.libsvm"), "-o", page): "does not know",
    }.items():
        assert main(request) == 2
        assert words in capsys.readouterr().err
    assert not (tmp_path / "w.html").exists()


def test_an_image_from_the_command_line(command, tmp_path, capsys, monkeypatch):
    scene = [command, "scene", "-o", tmp_path / "s.npy", "--sources", "3", "--sigma", "1.5"]
    subprocess.run(scene, check=True, capture_output=True)
    monkeypatch.chdir(tmp_path)
    assert main(["report", "s.npy", "--sigma", "1.5", "-o", "s.html"]) == 0
    assert "report written to s.html" in capsys.readouterr().out
    assert "28 × 28 pixels" in checked((tmp_path / "s.html").read_text(encoding="utf-8"))


def test_without_the_package_the_command_says_what_to_do(command, tmp_path, monkeypatch):
    subprocess.run([command, "train", DATA / "wine.csv", "-o", tmp_path / "w.model"], check=True)
    run = [command, "report", tmp_path / "w.model", "-o", tmp_path / "w.html"]
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S -E "$@"\n')
    bare.chmod(0o755)
    for chosen, words in ((bare, "pip install 'ardent-sbl[plot]'"), ("/nowhere", "cannot be run")):
        monkeypatch.setenv("ARDENT_PYTHON", str(chosen))
        done = subprocess.run(run, capture_output=True, text=True)
        assert done.returncode != 0 and words in done.stderr
