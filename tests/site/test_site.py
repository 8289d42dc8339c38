"""The documentation site in Chromium, opened from its files: `make test-docs`.

With KEEP_PAGES=FOLDER pictures of pages stay there to be looked at.
"""

import html
import json
import os
import pathlib
import re
import subprocess

import pytest

SITE = pathlib.Path(os.environ.get("ARDENT_SITE", "build/site/html")).resolve()
WIDE, PHONE = 1200, 360
PAGES = [
    "index.html",
    "ten-minutes.html",
    "tutorials/evidence.html",
    "api.html",
    "cpp-api.html",
    "options.html",
    "performance.html",
    "field.html",
]


def chromium(*options):
    """What the browser wrote: standard output, and its log."""
    run = [
        *("chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
        *("--enable-logging=stderr", "--allow-file-access-from-files", "--timeout=30000"),
        *("--virtual-time-budget=10000", "--host-resolver-rules=MAP * ~NOTFOUND"),  # no network
        *map(str, options),
    ]
    done = subprocess.run(run, capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_no_complaints_and_a_picture_of_it(page, tmp_path):
    kept = pathlib.Path(os.environ.get("KEEP_PAGES") or tmp_path)
    kept.mkdir(parents=True, exist_ok=True)
    picture = kept / f"{pathlib.Path(page).stem}.png"
    address = (SITE / page).as_uri()
    _, log = chromium(f"--screenshot={picture}", f"--window-size={WIDE},1600", address)
    said = [line for line in log.splitlines() if "CONSOLE" in line]
    assert [line for line in said if "[PST]" not in line] == []  # the theme says that it is light
    assert picture.stat().st_size > 20000


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_not_wider_than_a_phone(page, tmp_path):
    frame = SITE / f"frame-{pathlib.Path(page).stem}.html"
    frame.write_text(f"""<!DOCTYPE html><body>
<iframe style="width:{PHONE}px;height:900px" src="{page}"></iframe><p id=found></p><script>
onload = () => {{
  const inside = document.querySelector("iframe").contentDocument.documentElement;
  document.getElementById("found").textContent = JSON.stringify({{wide: inside.scrollWidth}});
}};
</script>""")
    try:
        out, _ = chromium("--dump-dom", frame.as_uri())
    finally:
        frame.unlink()
    assert json.loads(re.search(r"<p id=\"found\">(.*?)</p>", out).group(1))["wide"] <= PHONE


@pytest.mark.parametrize(
    "words, page",
    [("relevance vectors", "algorithms"), ("support-prior", "options"), ("FITS", "imaging")],
)
def test_the_search_finds_without_a_network(words, page):
    address = f"{(SITE / 'search.html').as_uri()}?q={words.replace(' ', '+')}"
    out, log = chromium("--dump-dom", address)
    found = re.findall(
        r'<a href="([\w/-]+)\.html', html.unescape(out.partition('id="search-results"')[2])
    )
    assert page in found, found


def test_tutorials_are_notebooks_that_were_run():
    tutorials = sorted((SITE.parent / "source/tutorials").glob("*.ipynb"))
    assert len(tutorials) == 3
    for path in tutorials:
        cells = json.loads(path.read_text())["cells"]
        code = [cell for cell in cells if cell["cell_type"] == "code"]
        assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
        assert sum(bool(cell["outputs"]) for cell in code) > len(code) / 3
