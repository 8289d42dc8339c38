"""Large linear fits: the engine diagonal on a card, its floor, and PyTorch on the same card and data.

Builds nothing: needs build/cuda/bin/cuda/linear (`make cuda`, then
`cmake build/cuda -DARDENT_BENCH=ON && cmake --build build/cuda --target bench_cuda_linear`) and, for the peer, torch with CUDA.

    python3 bench/cuda/linear.py [--linear build/cuda/bin/cuda/linear] [--sizes planted|large|small]
        [--device cuda|cpu] [--repeats 3] [--seconds 60]

The floor is what the passes over the data would take at the speed of one product alone: PASS below, a
product with 23 million values at 200,000 x 3.2 million by cuSPARSE (float64), in proportion to the values
that are still there (columns are dropped on the way).
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

PASS = 0.21e-3 / 23e6  # seconds per value

SIZES = {
    "small": (20_000, 320_000, 115),
    "planted": (200_000, 3_200_000, 115),
    "large": (2_000_000, 10_000_000, 115),
}


def fit(program, size, device, repeats, folder=None):
    words = [program, *map(str, size), device, "0", str(repeats)] + ([folder] if folder else [])
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def peer(folder, repeats, most_seconds):
    """L2-penalised logistic regression by L-BFGS: seconds, steps, training accuracy."""
    import numpy as np
    import torch

    def read(name, kind):
        return np.fromfile(pathlib.Path(folder) / name, dtype=kind)

    offsets, columns = read("offsets", np.uint64), read("columns", np.uint32)
    values, labels = read("values", np.float32), read("labels", np.float32)
    shape = (len(offsets) - 1, int(columns.max()) + 1)
    seconds = []
    for _ in range(repeats):
        torch.cuda.synchronize()
        start = time.perf_counter()
        x = torch.sparse_csr_tensor(
            torch.from_numpy(offsets.astype(np.int64)).cuda(),
            torch.from_numpy(columns.astype(np.int64)).cuda(),
            torch.from_numpy(values).cuda(),
            size=shape,
        )
        transposed = x.to_sparse_csc()
        xt = torch.sparse_csr_tensor(
            transposed.ccol_indices(),
            transposed.row_indices(),
            transposed.values(),
            size=shape[::-1],
        )
        t = torch.from_numpy(labels).cuda()
        w = torch.zeros(shape[1], device="cuda", requires_grad=True)
        bias = torch.zeros(1, device="cuda", requires_grad=True)
        optimiser = torch.optim.LBFGS(
            [w, bias], max_iter=200, history_size=10, line_search_fn="strong_wolfe"
        )

        class Product(torch.autograd.Function):
            @staticmethod
            def forward(context, v):
                return x @ v

            @staticmethod
            def backward(context, r):
                return xt @ r

        def loss():
            optimiser.zero_grad()
            f = Product.apply(w) + bias
            value = torch.nn.functional.binary_cross_entropy_with_logits(f, t, reduction="sum")
            value = value + 0.5 * (w @ w)
            value.backward()
            if time.perf_counter() - start > most_seconds:
                raise TimeoutError
            return value

        try:
            optimiser.step(loss)
        except TimeoutError:
            pass
        torch.cuda.synchronize()
        seconds.append(time.perf_counter() - start)
        with torch.no_grad():
            right = (((x @ w + bias) > 0) == (t > 0.5)).float().mean().item()
    steps = optimiser.state[w]["n_iter"]
    return {
        "peer": f"PyTorch {torch.__version__}, L-BFGS, float32, l2 penalty 1",
        "median": sorted(seconds)[len(seconds) // 2],
        "steps": steps,
        "evaluations": optimiser.state[w]["func_evals"],
        "accuracy": right,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--linear", default="build/cuda/bin/cuda/linear")
    parser.add_argument("--sizes", default="planted", choices=SIZES)
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=60, help="the peer's, at most")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = fit(
            options.linear, SIZES[options.sizes], options.device, options.repeats, folder
        )
        floor = found["values_read"] * PASS
        print(json.dumps(found | {"floor": floor}))
        if floor > 0:
            print(
                f"{found['median']:.2f} s, {found['passes']} passes, floor {floor:.2f} s, "
                f"ratio {found['median'] / floor:.2f}"
            )
        sys.stdout.flush()
        if options.device == "cuda":
            try:
                print(json.dumps(peer(folder, options.repeats, options.seconds)))
            except ImportError as error:
                print(f"no peer: {error}")


if __name__ == "__main__":
    main()
