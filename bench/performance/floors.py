"""What this machine can do on one thread, and how far from it the hot loops are."""

import json

import numpy as np
from timing import call, command

ROUNDS = 5


def least(work):
    return min(call(work)[0].cpu for _ in range(ROUNDS))


def machine():
    """GB/s of a copy and of a gather, GFLOP/s of a product of matrices, nanoseconds of exp."""
    random = np.random.default_rng(0)
    long = random.random(2**25)
    target = np.empty_like(long)
    places = random.integers(0, 2**22, 2**24)
    square = random.random((1500, 1500))
    few = -random.random(2**20)
    out = np.empty_like(few)
    return {
        "copy, GB/s": 2 * long.nbytes / least(lambda: np.copyto(target, long)) / 1e9,
        "gather of 8 bytes from 32 MiB, ns": 1e9
        * least(lambda: np.take(long, places))
        / len(places),
        "dgemm, GFLOP/s": 2 * 1500**3 / least(lambda: square @ square) / 1e9,
        "exp, ns": 1e9 * least(lambda: np.exp(few, out=out)) / len(few),
    }


def loops(settings):
    """Sparse products beside the loop that only gathers from the same places (bench/sparse_products)."""
    _, printed = command(settings.sparse_products)
    products = json.loads(printed.splitlines()[-1])
    return [product for product in products if product["threads"] == 1]
