#!/usr/bin/env python3
"""10,000 MNIST images over 10,000 atoms: the card, the processor, and FISTA in PyTorch on the same card.

    bench/cuda/codes.py PROGRAM DATA [--signals N] [--on-processor N] [--ratio R] [--times N]

PROGRAM is the codes that -DARDENT_BENCH=ON builds with `make cuda` (build/cuda/bin/codes); DATA the
folder with MNIST's four files. Atoms are the first 10,000 training images, signals the test images,
all scaled to length 1; one LASSO a signal at R of its lambda_max, relative duality gap 1e-6.

Seconds are medians of N runs; signals go up and codes come down within them. The processor codes the
first signals only, and its figure is that time scaled to all of them. The floor is what the card
needs for the products alone: one of atoms with signals (2*784*atoms*signals flops) for each round of
the average signal, at 53 Tflop/s. The peer, where PyTorch is installed, takes all signals at once in
double precision, with restarts of its momentum, until every gap is at most 1e-6.
"""

import argparse
import gzip
import json
import pathlib
import statistics
import struct
import subprocess
import tempfile
import time

LENGTH, ATOMS, FLOPS = 784, 10_000, 53e12


def first_images(path, count):
    return gzip.open(path).read()[16 : 16 + LENGTH * count]


def write_images(pixels, path):
    head = struct.pack(">4I", 2051, len(pixels) // LENGTH, 28, 28)
    path.write_bytes(gzip.compress(head + pixels, 1))


def ours(program, device, atoms, signals, ratio, times):
    words = [program, device, atoms, signals, ratio, times]
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def unit_columns(torch, pixels):
    rows = torch.frombuffer(bytearray(pixels), dtype=torch.uint8).to("cuda").double()
    rows = rows.reshape(-1, LENGTH)
    return (rows / rows.norm(dim=1, keepdim=True)).T.contiguous()


def relative_gaps(torch, columns, y, penalty, theta):
    residual = y - columns @ theta
    correlations = columns.T @ residual
    squares = residual.square().sum(0)
    primal = 0.5 * squares + penalty * theta.abs().sum(0)
    best = 1 + (theta * correlations).sum(0) / squares
    scale = torch.minimum(best, penalty / correlations.abs().amax(0))
    dual = 0.5 * y.square().sum(0) - 0.5 * (y - scale * residual).square().sum(0)
    return (primal - dual) / primal


def fista(torch, columns, y, ratio, tolerance, limit):
    """The seconds that all signals take, and the gap of the worst; None where the limit came first."""
    torch.cuda.synchronize()
    start = time.perf_counter()
    step = 1 / torch.linalg.matrix_norm(columns, 2).item() ** 2
    penalty = ratio * (columns.T @ y).abs().amax(0)
    theta = torch.zeros(columns.shape[1], y.shape[1], dtype=torch.float64, device="cuda")
    ahead, momentum, iterations = theta, 1.0, 0
    while True:
        gradient = columns.T @ (columns @ ahead - y)
        moved = ahead - step * gradient
        new = moved.sign() * (moved.abs() - step * penalty).clamp_min(0)
        following = (1 + (1 + 4 * momentum * momentum) ** 0.5) / 2
        restart = ((ahead - new) * (new - theta)).sum(0, keepdim=True) > 0
        factor = torch.where(restart, 0.0, (momentum - 1) / following)
        ahead, theta, momentum = new + factor * (new - theta), new, following
        iterations += 1
        if iterations % 100 == 0:
            worst = relative_gaps(torch, columns, y, penalty, theta).max().item()
            seconds = time.perf_counter() - start
            if worst <= tolerance or seconds > limit:
                return seconds, worst, iterations


def peer(atoms, signals, ratio, limit):
    try:
        import torch
    except ImportError:
        return "PyTorch is not installed"
    if not torch.cuda.is_available():
        return "PyTorch sees no card"
    columns, y = unit_columns(torch, atoms), unit_columns(torch, signals)
    fista(torch, columns, y[:, :10], ratio, 1e-2, 1)
    seconds, worst, iterations = fista(torch, columns, y, ratio, 1e-6, limit)
    return f"{seconds:.2f} s, {iterations} iterations, worst gap {worst:.1e}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--signals", type=int, default=10_000)
    parser.add_argument("--on-processor", type=int, default=1_000)
    parser.add_argument("--ratio", type=float, default=0.1)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--peer-seconds", type=float, default=60)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        atoms = first_images(given.data / "train-images-idx3-ubyte.gz", ATOMS)
        signals = first_images(given.data / "t10k-images-idx3-ubyte.gz", given.signals)
        files = [pathlib.Path(folder) / f"{name}.gz" for name in ("atoms", "signals", "few")]
        for pixels, file in zip((atoms, signals, signals[: LENGTH * given.on_processor]), files):
            write_images(pixels, file)
        card = ours(given.program, "cuda", files[0], files[1], given.ratio, given.times)
        print("card", json.dumps(card), flush=True)
        floor = card["rounds"] * 2 * LENGTH * ATOMS * given.signals / FLOPS
        print(f"card {statistics.median(card['seconds']):.3f} s, floor {floor:.3f} s", flush=True)
        if given.on_processor > 0:
            cpu = ours(given.program, "cpu", files[0], files[2], given.ratio, 1)
            whole = cpu["seconds"][0] * given.signals / given.on_processor
            print("processor", json.dumps(cpu))
            print(f"processor {whole:.1f} s for all", flush=True)
        print("FISTA in PyTorch:", peer(atoms, signals, given.ratio, given.peer_seconds))


if __name__ == "__main__":
    main()
