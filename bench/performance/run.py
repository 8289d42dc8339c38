#!/usr/bin/env python3
"""Every job with its peers in one run, written as docs/performance.md and docs/performance.json.

    .venv/bin/python bench/performance/run.py BUILD [--only text,dense,signals,planted,floors,growth]

BUILD is a build folder with -DARDENT_BENCH=ON. With --only the other parts stay as the JSON has them; --only= writes the page alone.
"""

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse
import datetime
import json
import multiprocessing
import pathlib
import sys
import warnings
from types import SimpleNamespace

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import page  # noqa: E402
from timing import command  # noqa: E402

JOBS = ("text", "dense", "signals", "planted")
PARTS = (*JOBS, "floors", "growth")


def settings_of(build):
    programs = pathlib.Path(build).resolve() / "bin"
    dlib = programs / "dlib_rvm"
    return SimpleNamespace(
        ardent=programs / "ardent",
        sparse_coding=str(programs / "sparse_coding"),
        sparse_products=programs / "sparse_products",
        dlib=dlib if dlib.exists() else None,
        data=pathlib.Path(os.environ.get("ARDENT_DATA", ROOT.parent / "shared" / "data")),
    )


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown processor"


def jobs_of(part, settings):
    if part == "dense":
        import dense_jobs

        return dense_jobs.rows(settings)
    if part == "signals":
        import signal_jobs

        return signal_jobs.rows(settings)
    import text_jobs

    return text_jobs.rows(settings) if part == "text" else text_jobs.planted(settings)


def measure(part, settings):
    if part == "floors":
        import floors

        return {"machine": floors.machine(), "loops": floors.loops(settings)}
    if part == "growth":
        import growth

        # A child's most memory counts what its parent had: a small one.
        with multiprocessing.get_context("spawn").Pool(1) as small:
            return small.apply(growth.measured, (settings,))
    found = []
    for row in jobs_of(part, settings):
        found.append(row.as_json())
        print("\n".join(page.job_table(found[-1:])[2:]), flush=True)
    return found


def report_of(parts, settings, skipped):
    version = command(settings.ardent, "--version")[1].split()[1]
    return {
        "processor": processor(),
        "date": datetime.date.today().isoformat(),
        "version": version,
        "jobs": [row for name in JOBS for row in parts.get(name, [])],
        "floors": parts.get("floors", {"machine": {}, "loops": []}),
        "growth": parts.get("growth", []),
        "skipped": skipped,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build")
    parser.add_argument("--only", default=",".join(PARTS), help="parts, with commas")
    parser.add_argument("--page", default=ROOT / "docs" / "performance.md", type=pathlib.Path)
    given = parser.parse_args()
    warnings.filterwarnings("ignore")
    settings = settings_of(given.build)
    record = given.page.with_suffix(".json")
    parts = json.loads(record.read_text())["parts"] if record.exists() else {}
    skipped = []
    if not (settings.data / "news20-bow.libsvm.xz").exists():
        sys.exit("skipped: no data sets in $ARDENT_DATA or ../shared/data")
    for name, there in (("dlib", settings.dlib),):
        if not there:
            skipped.append(f"{name} (not installed)")
    for part in filter(None, given.only.split(",")):
        parts[part] = measure(part, settings)
        record.write_text(json.dumps({"parts": parts}, indent=1) + "\n")
    skipped += [f"{part} (not run)" for part in PARTS if part not in parts]
    given.page.write_text(page.page(report_of(parts, settings, skipped)))


if __name__ == "__main__":
    main()
