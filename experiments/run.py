"""python -m experiments.run [--quick] [--only NAME] [--jobs N] [--pages] [--compare FOLDER]

Runs every experiment whose data are available and writes docs/results. A point that was computed
before with the same configuration by the same build is not computed again: a run that was stopped
goes on. A change of an experiment's own code is not noticed: delete its records, build/reproduce.
"""

import argparse
import concurrent.futures
import importlib.metadata
import json
import multiprocessing
import os
import pathlib
import sys
import time
import traceback
import warnings

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import ardent  # noqa: E402
from experiments import data, front, pages, store  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[1]
PEERS = (
    "ardent",
    "numpy",
    "scikit-learn",
    "liblinear-official",
    "celer",
    "scikit-image",
    "PyWavelets",
    "photutils",
)


def compute(paper, name, config):
    """One point, in a worker: (result, timing), or the word why it was skipped."""
    warnings.simplefilter("ignore")  # not having converged is in the records
    try:
        return pages.module(paper, name).compute(config)
    except data.Missing as missing:
        return str(missing)


def versions():
    found = {}
    for name in PEERS:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def work_list(papers, only, quick):
    for paper in papers:
        for name in pages.EXPERIMENTS[paper]:
            found = pages.module(paper, name)
            if hasattr(found, "points") and only in f"paper_{paper}/{name}":
                for point in found.points(quick):
                    yield paper, name, point


def run(records, papers, only, quick, jobs):
    """Compute what is not there yet; gives the skipped by paper, and how many failed."""
    todo, skipped, failed = [], {p: [] for p in papers}, 0
    for paper, name, point in work_list(papers, only, quick):
        if records.get(f"paper_{paper}/{name}", point) is None:
            todo.append((paper, name, point))
    print(f"data in {data.folder()}; {len(todo)} points to compute", flush=True)
    start = time.monotonic()
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(jobs, mp_context=context) as pool:
        futures = {pool.submit(compute, p, n, point.config): (p, n, point) for p, n, point in todo}
        for count, future in enumerate(concurrent.futures.as_completed(futures), 1):
            paper, name, point = futures[future]
            line = (
                f"[{count}/{len(todo)} {time.monotonic() - start:.0f} s]"
                f" paper_{paper}/{name}/{point.key}"
            )
            try:
                outcome = future.result()
            except Exception:
                failed += 1
                print(f"{line} FAILED\n{traceback.format_exc()}", file=sys.stderr, flush=True)
                continue
            if isinstance(outcome, str):
                skipped[paper].append(f"{name}: {outcome}")
                print(f"{line} skipped: {outcome}", flush=True)
            else:
                records.put(f"paper_{paper}/{name}", point, *outcome)
                print(line, flush=True)
    return skipped, failed


def collect(records, paper, quick, skipped):
    """All records of a paper, as its page's JSON."""
    experiments = {}
    for _, name, point in work_list([paper], "", quick):
        record = records.get(f"paper_{paper}/{name}", point)
        if record is not None:
            del record["build"]  # of all the same
            experiments.setdefault(name, {})[point.key] = record
    return {
        "paper": paper,
        "mode": "quick" if quick else "full",
        "build": records.build,
        "software": versions(),
        "skipped": sorted(set(skipped)),
        "experiments": experiments,
    }


def write_pages(results):
    """Pictures and pages of all papers, out of the JSON in the folder; gives the JSON."""
    contents = {}
    for paper in pages.EXPERIMENTS:
        content = json.loads((results / f"paper-{paper}.json").read_text())
        pages.pictures(content, results / "images")
        (results / f"paper-{paper}.md").write_text(pages.page(content))
        contents[paper] = content
    (results / "README.md").write_text(front.page(contents))
    return contents


def compare(contents, folder):
    """Whether another run's JSON has the same figures, its times apart."""
    different = []
    for paper, content in contents.items():
        other = json.loads((folder / f"paper-{paper}.json").read_text())
        different += store.differences(content["experiments"], other["experiments"])
    for key in different:
        print(f"differs from {folder}: {key}", file=sys.stderr)
    return not different


def main():
    parser = argparse.ArgumentParser(prog="python -m experiments.run")
    parser.add_argument("--quick", action="store_true", help="the small version, minutes not hours")
    parser.add_argument("--only", default="", help="part of a name, such as paper_000/figures_1_4")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("--records", type=pathlib.Path, help="folder of the records of this run")
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "docs" / "results")
    parser.add_argument(
        "--pages",
        action="store_true",
        help="write the pages of the JSON files there are, run nothing",
    )
    parser.add_argument(
        "--compare", type=pathlib.Path, help="folder with the JSON of another run: same figures?"
    )
    given = parser.parse_args()
    folder = given.records or ROOT / "build" / "reproduce" / ("quick" if given.quick else "full")
    failed = 0
    if not given.pages:
        records = store.Store(folder, store.build_of(ardent))
        papers = list(pages.EXPERIMENTS)
        skipped, failed = run(records, papers, given.only, given.quick, given.jobs)
        given.results.mkdir(parents=True, exist_ok=True)
        for paper in papers:
            content = collect(records, paper, given.quick, skipped[paper])
            store.write_content(given.results / f"paper-{paper}.json", content)
    contents = write_pages(given.results)
    same = compare(contents, given.compare) if given.compare else True
    return 1 if failed or not same else 0


if __name__ == "__main__":
    sys.exit(main())
