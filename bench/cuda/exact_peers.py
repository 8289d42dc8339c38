"""Peers of bench/cuda/exact on the same card: what torch and, where they are there, GPyTorch and
CuPy do with a kernel on every row. Their models are not ours (none is sparse); the table says so.

    python3 bench/cuda/exact_peers.py ROWS [INPUTS]

laplace   Gaussian process classification with all rows by Laplace's approximation, float64:
          Newton steps by Cholesky factors, as one stage of ours, in plain torch
ridge     kernel ridge regression, one Cholesky factor (torch; CuPy where it is there)
gpytorch  approximate GP classification, 500 inducing points, float32, 20 epochs of Adam
"""

import sys
import time


def planted(rows, inputs, seed=1):
    import numpy

    random = numpy.random.default_rng(seed)
    x = random.uniform(-1, 1, (rows, inputs))
    signs = numpy.where(numpy.arange(12) % 2 == 0, 6.0, -6.0)
    distances = ((x[:, None, :] - x[None, :12, :]) ** 2).sum(-1)
    f = numpy.exp(-distances / 1.5**2) @ signs
    t = (random.uniform(size=rows) < 1 / (1 + numpy.exp(-f))).astype(float)
    return x, t, f


def timed(name, do_it, repeats=3):
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = do_it()
        seconds.append(time.perf_counter() - start)
    print(f"{name}: median {sorted(seconds)[len(seconds) // 2]:.3f} s, {result}", flush=True)


def laplace(torch, x, t):
    """log evidence of the full model at amplitude 1, and its Newton steps."""
    x = torch.as_tensor(x, device="cuda", dtype=torch.float64)
    t = torch.as_tensor(t, device="cuda", dtype=torch.float64)
    kernel = torch.exp(-(torch.cdist(x, x) ** 2) / 1.5**2)
    f, steps = torch.zeros_like(t), 0
    for steps in range(1, 51):
        y = torch.sigmoid(f)
        root = torch.sqrt(y * (1 - y))
        w = root[:, None] * kernel * root[None, :]
        w.diagonal().add_(1)
        factor = torch.linalg.cholesky(w)
        b = root**2 * f + (t - y)
        a = b - root * torch.cholesky_solve((root * (kernel @ b))[:, None], factor)[:, 0]
        last, f = f, kernel @ a
        if (f - last).abs().max() < 1e-8:
            break
    evidence = -0.5 * a @ f + (t * f - torch.nn.functional.softplus(f)).sum()
    evidence -= torch.log(factor.diagonal()).sum()
    return f"evidence {evidence.item():.6g}, {steps} Newton steps"


def ridge(library, x, f):
    import numpy

    on_card = library.asarray
    x, f = on_card(x), on_card(f)
    squares = (x * x).sum(1)
    kernel = library.exp(-(squares[:, None] + squares[None, :] - 2 * x @ x.T) / 1.5**2)
    kernel[numpy.arange(len(f)), numpy.arange(len(f))] += 0.1
    weights = library.linalg.solve(kernel, f)
    return f"|w| {float(library.linalg.norm(weights)):.6g}"


def torch_ridge(torch, x, f):
    x = torch.as_tensor(x, device="cuda", dtype=torch.float64)
    f = torch.as_tensor(f, device="cuda", dtype=torch.float64)
    kernel = torch.exp(-(torch.cdist(x, x) ** 2) / 1.5**2)
    kernel.diagonal().add_(0.1)
    weights = torch.cholesky_solve(f[:, None], torch.linalg.cholesky(kernel))
    return f"|w| {weights.norm().item():.6g}"


def gpytorch_fit(torch, gpytorch, x, t):
    class Model(gpytorch.models.ApproximateGP):
        def __init__(self, points):
            own = gpytorch.variational.CholeskyVariationalDistribution(points.size(0))
            super().__init__(gpytorch.variational.VariationalStrategy(self, points, own))
            self.mean_module = gpytorch.means.ConstantMean()
            self.covar_module = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel())

        def forward(self, rows):
            return gpytorch.distributions.MultivariateNormal(
                self.mean_module(rows), self.covar_module(rows)
            )

    x = torch.as_tensor(x, device="cuda", dtype=torch.float32)
    t = torch.as_tensor(t, device="cuda", dtype=torch.float32)
    model = Model(x[:500].clone()).cuda()
    likelihood = gpytorch.likelihoods.BernoulliLikelihood().cuda()
    loss = gpytorch.mlls.VariationalELBO(likelihood, model, len(t))
    adam = torch.optim.Adam([*model.parameters(), *likelihood.parameters()], lr=0.02)
    for _ in range(20):
        order = torch.randperm(len(t), device="cuda")
        for rows in order.split(1024):
            adam.zero_grad()
            value = -loss(model(x[rows]), t[rows])
            value.backward()
            adam.step()
    return f"loss {value.item():.4f}"


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    inputs = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    x, t, f = planted(rows, inputs)
    try:
        import torch

        print("torch", torch.__version__)
        timed("torch, Laplace GP of all rows", lambda: laplace(torch, x, t))
        timed("torch, kernel ridge", lambda: torch_ridge(torch, x, f))
    except ImportError as error:
        print(error)
    try:
        import cupy

        print("cupy", cupy.__version__)
        timed("CuPy, kernel ridge", lambda: ridge(cupy, x, f))
    except ImportError as error:
        print(error)
    try:
        import gpytorch

        print("gpytorch", gpytorch.__version__)
        timed("GPyTorch, 500 inducing points", lambda: gpytorch_fit(torch, gpytorch, x, t), 1)
    except ImportError as error:
        print(error)


if __name__ == "__main__":
    main()
