#!/usr/bin/env python3
"""How closely 2 and 4 processes agree with one, and what each of them holds.

    bench/agreement.py BUILD DATA [--rows N] [--columns M] [--only WORD]

DATA has news20-bow.libsvm.xz. Beside it rows of a dense regression and planted text of N × M are fitted by
one process and by several (real mpiruns of this machine); printed are the largest difference of any
predicted number and the memory of the process that has most. Where one process is not sure either, its
difference from itself with the rows in another order stands beside it.
"""

import argparse
import json
import lzma
import pathlib
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SOURCE / "tests/mpi"))
import ranks as ranks_script  # noqa: E402
from ranks import Ranks, reorder, spread, write_regression  # noqa: E402

MEBIBYTE = 2**20


def train(ranks, count, data, model, options):
    """What `train --json` says."""
    words = ["train", data, "-o", model, *options, "--json"]
    done = ranks.alone(*words) if count == 1 else ranks.mpirun(count, *words)
    return json.loads(ranks.checked(done))


def compare(ranks, name, data, options, by_order=False):
    print(f"| {name}, {' '.join(options)} ", end="", flush=True)
    fit = train(ranks, 1, data, "one.model", options)
    wanted = ranks.predictions("one.model", data)
    cells = [f"{fit['peak_bytes'] / MEBIBYTE:.0f}", ""]
    for count in (2, 4):
        fit = train(ranks, count, data, "several.model", options)
        worst = spread(ranks.predictions("several.model", data), wanted)
        cells[-1] += f"{' and ' if cells[-1] else ''}{worst:.1e}"
        cells.insert(-1, f"{fit['peak_bytes'] / MEBIBYTE:.0f}")
    if by_order:
        reorder(ranks.folder / data, ranks.folder / "reordered.svm")
        train(ranks, 1, "reordered.svm", "reordered.model", options)
        cells.append(f"{spread(ranks.predictions('reordered.model', data), wanted):.1e}")
    else:
        cells.append("")
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--columns", type=int, default=3_200_000)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    ranks_script.LONGEST = 3600
    with tempfile.TemporaryDirectory() as folder:
        arguments.ardent = arguments.build / "bin/ardent"
        arguments.ardent_mpi = arguments.build / "bin/ardent-mpi"
        arguments.source, arguments.scratch = SOURCE, pathlib.Path(folder, "rows")
        ranks = Ranks(arguments)
        text = lzma.decompress((arguments.data / "news20-bow.libsvm.xz").read_bytes())
        (ranks.folder / "news20.svm").write_bytes(text)
        write_regression(ranks.folder / "dense.svm", 20_000, 50, 1)
        planted = ["--rows", arguments.rows, "--columns", arguments.columns, "--nonzeros", 50]
        jobs = [
            ("dense regression", "dense.svm", ["--engine", "diagonal"], False),
            ("news20-bow", "news20.svm", [], False),
            ("news20-bow", "news20.svm", ["--engine", "path", "--ridge", "off"], False),
            ("news20-bow", "news20.svm", ["--engine", "diagonal"], True),
            ("planted", "planted.svm", ["--engine", "shrinkage", "--scale", "none"], False),
            ("planted", "planted.svm", ["--engine", "diagonal", "--max-stages", "5"], False),
        ]
        jobs = [job for job in jobs if arguments.only in job[0]]
        if any(job[0] == "planted" for job in jobs):
            ranks.checked(ranks.alone("synth", *planted, "-o", "planted.svm"))
        print("| fit | MiB alone | of 2 | of 4 | 2 and 4 differ by | rows in another order |")
        print("|---|--:|--:|--:|---|---|")
        for job in jobs:
            compare(ranks, *job)


if __name__ == "__main__":
    main()
