"""Reports in a real browser (Chromium): no complaints, nothing too wide, light and dark.

`make test-browser` runs it. With KEEP_PAGES=FOLDER the pages and their pictures stay there to be looked at.
"""

import json
import os
import pathlib
import re
import subprocess

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_digits, load_iris, make_moons

import ardent

WIDE, PHONE = 1200, 360


def linear():
    rows, digits = load_digits(return_X_y=True)
    model = ardent.ARDClassifier(engine="diagonal").fit(rows[:600], digits[:600])
    return model, rows[600:900], digits[600:900]


def moons():
    rows, classes = make_moons(200, noise=0.25, random_state=0)
    model = ardent.RVMClassifier(keep_stages=True).fit(rows[:100], classes[:100])
    return model, rows[100:], classes[100:]


def regression():
    rows, target = load_diabetes(return_X_y=True, as_frame=True)
    return ardent.ARDRegressor().fit(rows[:300], target[:300]), rows[300:], target[300:]


def masks():
    iris = load_iris(as_frame=True)
    model = ardent.DoublySparseClassifier(burn_in=20, sweeps=40).fit(iris.data, iris.target)
    return model, iris.data, iris.target


def sources():
    rng = np.random.default_rng(5)
    image = rng.normal(size=(48, 64)) + 100
    rows, columns = np.mgrid[:48, :64]
    for x, y in rng.uniform(4, 44, size=(9, 2)):
        image += 20 * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * 1.5**2))
    return ardent.SourceFinder(sigma=1.5).fit(image), image, None


def codes():
    rows, _ = load_digits(return_X_y=True)
    return ardent.SparseCoder(nonnegative=True).fit(rows[:200]), rows[1000:1003], None


KINDS = [linear, moons, regression, masks, sources, codes]


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    kept = os.environ.get("KEEP_PAGES")
    path = pathlib.Path(kept) if kept else tmp_path_factory.mktemp("pages")
    path.mkdir(parents=True, exist_ok=True)
    for kind in KINDS:
        model, X, y = kind()
        model.report(X, y, path / f"{kind.__name__}.html")
    return path


def chromium(page, *options, dark=False):
    """What the browser wrote: standard output, and its log."""
    run = [
        *("chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
        *("--enable-logging=stderr", "--allow-file-access-from-files", "--timeout=20000"),
        *(["--blink-settings=preferredColorScheme=0"] if dark else []),
        *options,
        page.as_uri(),
    ]
    done = subprocess.run(run, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def console(log):
    return [line for line in log.splitlines() if "CONSOLE" in line]


def measured(page, width, dark=False):
    """What a script of another page finds in a frame of that width."""
    frame = page.with_name(f"frame-{page.stem}.html")
    frame.write_text(f"""<!DOCTYPE html><body>
<iframe style="width:{width}px;height:900px" src="{page.name}"></iframe><p id=found></p><script>
onload = () => {{
  const inside = document.querySelector("iframe").contentDocument, all = inside.documentElement;
  const body = inside.defaultView.getComputedStyle(inside.body);
  document.getElementById("found").textContent = JSON.stringify({{
    wide: all.scrollWidth, paper: body.backgroundColor, ink: body.color,
    pictures: [...inside.querySelectorAll("svg")].map(svg => svg.getBoundingClientRect().width),
    texts: [...inside.querySelectorAll("svg text")].map(
      text => text.getBoundingClientRect().height).filter(height => height > 0)}});
}};
</script>""")
    out, _ = chromium(frame, "--dump-dom", dark=dark)
    frame.unlink()
    return json.loads(re.search(r"<p id=\"found\">(.*?)</p>", out).group(1))


def brightness(colour):
    return sum(map(int, re.findall(r"\d+", colour)[:3])) / 3


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_a_page_fits_its_window_in_light_and_dark(kind, width, folder):
    page = folder / f"{kind.__name__}.html"
    light, dark = measured(page, width), measured(page, width, dark=True)
    for seen in (light, dark):
        assert seen["wide"] <= width
        assert seen["pictures"] and min(seen["pictures"]) > 200
        assert min(seen["texts"]) > 7  # pixels: small print can be read on a phone
    assert brightness(light["paper"]) > 200 > 100 > brightness(light["ink"])
    assert brightness(dark["paper"]) < 60 < 180 < brightness(dark["ink"])


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_console_is_empty(kind, folder):
    page = folder / f"{kind.__name__}.html"
    for dark in (False, True):
        picture = folder / f"{kind.__name__}-{'dark' if dark else 'light'}.png"
        _, log = chromium(page, f"--screenshot={picture}", f"--window-size={WIDE},2400", dark=dark)
        assert console(log) == []
        assert picture.stat().st_size > 20000
    _, log = chromium(page, f"--print-to-pdf={picture.with_suffix('.pdf')}")
    assert console(log) == []
    assert picture.with_suffix(".pdf").read_bytes().startswith(b"%PDF")


def test_a_page_that_complains_is_noticed(tmp_path):
    page = tmp_path / "bad.html"
    page.write_text("<!DOCTYPE html><script>console.error('no')</script><img src=missing.png>")
    _, log = chromium(page, f"--screenshot={tmp_path / 'bad.png'}")
    assert any("no" in line for line in console(log))
