#!/usr/bin/env python3
"""Files far larger than those of the tests: a LIBSVM text of gigabytes, an image of 20,000 × 20,000 pixels.

large_files.py COMMAND FOLDER [--gigabytes G] [--pixels P]

The text is one block of rows, written again and again: what is predicted of it, and of the cache that it is converted
to, must be the block's predictions again and again. The sources of the image, a hundred in a million pixels, are known: 99%
must be found, and a large image takes at most 16 bytes of memory a pixel. Of each step the seconds and the most memory are printed. FOLDER is made and, with
all files, removed.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import time

SOURCES_IN_A_MEGAPIXEL = 100
LEAST_RECALL = 0.99
MOST_BYTES = 16  # of memory for a pixel
LARGE = 4000  # pixels along an axis, from which on a pixel's memory is that of the command


class Steps:
    def __init__(self, command, folder):
        self.command, self.folder = str(command), folder
        self.memory = 0  # MiB that the last one had at most

    def run(self, *words):
        """A command's standard output; prints what it took. Files that are mapped count as memory where they are in it."""
        start = time.monotonic()
        child = subprocess.Popen(
            [self.command, *words], cwd=self.folder, stdout=subprocess.PIPE, text=True
        )
        text = child.stdout.read()
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            sys.exit(f"ardent {' '.join(words)}: status {child.returncode}")
        seconds, cpu = time.monotonic() - start, used.ru_utime + used.ru_stime
        self.memory = memory = used.ru_maxrss / 1024
        print(
            f"  {' '.join(words[:2])}: {seconds:.1f} s, {cpu:.1f} s of CPU, {memory:.0f} MiB at most",
            flush=True,
        )
        return text


def need(folder, size):
    free = shutil.disk_usage(folder).free
    if free < 1.1 * size:
        sys.exit(f"{folder} has {free / 1e9:.1f} GB free, {1.1 * size / 1e9:.1f} are needed")


def repeat(block, times, path):
    with open(path, "wb") as file:
        for _ in range(times):
            file.write(block)


def same_again_and_again(path, header, block):
    """How many times the file has the block after its header, or 0 where it has anything else."""
    times = 0
    with open(path, "rb") as file:
        if file.read(len(header)) != header:
            return 0
        while piece := file.read(len(block)):
            if piece != block:
                return 0
            times += 1
    return times


def try_text(steps, gigabytes):
    folder = steps.folder
    need(folder, 2.2e9 * gigabytes)
    rows = 20000 if gigabytes > 1 else 2000
    steps.run(
        "synth", "--rows", str(rows), "--columns", "20000", "--nonzeros", "60", "-o", "block.libsvm"
    )
    steps.run("train", "block.libsvm", "--engine", "shrinkage", "-o", "block.model")
    steps.run("predict", "block.model", "block.libsvm", "--proba", "-o", "block.csv")
    header, answers = (folder / "block.csv").read_bytes().split(b"\n", 1)
    block = (folder / "block.libsvm").read_bytes()
    times = int(gigabytes * 1e9 / len(block)) + 1
    start = time.monotonic()
    repeat(block, times, folder / "large.libsvm")
    size = (folder / "large.libsvm").stat().st_size
    print(
        f"  {size / 1e9:.2f} GB, {rows * times} rows written in {time.monotonic() - start:.1f} s",
        flush=True,
    )
    steps.run("convert", "large.libsvm", "-o", "large.cache")
    for data in ("large.cache", "large.libsvm"):
        steps.run("predict", "block.model", data, "--proba", "-o", "large.csv")
        if same_again_and_again(folder / "large.csv", header + b"\n", answers) != times:
            sys.exit(f"{data}: not the block's predictions {times} times")
        (folder / data).unlink()
    print(
        f"text: {size / 1e9:.2f} GB, {rows * times} rows: predictions of text and cache are the block's, {times} times"
    )


def try_image(steps, pixels):
    need(steps.folder, 4.0 * pixels * pixels)
    sources = max(4, round(SOURCES_IN_A_MEGAPIXEL * pixels * pixels / 1e6))
    steps.run(
        "scene",
        "--size",
        f"{pixels}x{pixels}",
        "--sources",
        str(sources),
        "--sigma",
        "1.5",
        "--noise",
        "0.0004",
        "-o",
        "sky.fits",
        "--truth",
        "truth.csv",
    )
    steps.run("locate", "sky.fits", "--sigma", "1.5", "--background", "none", "-o", "found.csv")
    each = steps.memory * 2**20 / pixels**2
    if pixels >= LARGE and each > MOST_BYTES:
        sys.exit(f"locate took {each:.1f} bytes of memory for a pixel")
    score = steps.run("score-sources", "found.csv", "truth.csv")
    recall = float(score.split("recall ")[1].split(",")[0])
    print(f"image: {pixels} × {pixels} pixels: {score.splitlines()[0]}; {score.splitlines()[1]}")
    if recall < LEAST_RECALL:
        sys.exit(f"recall {recall}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("command", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--gigabytes", type=float, default=10)
    parser.add_argument("--pixels", type=int, default=20000)
    args = parser.parse_args()
    shutil.rmtree(args.folder, ignore_errors=True)
    args.folder.mkdir(parents=True)
    try:
        steps = Steps(args.command, args.folder)
        try_text(steps, args.gigabytes)
        try_image(steps, args.pixels)
    finally:
        shutil.rmtree(args.folder)


if __name__ == "__main__":
    main()
