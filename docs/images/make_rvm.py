#!/usr/bin/env python3
"""Draws rvm.png: a relevance vector machine on two moons, made with the command line alone.

    docs/images/make_rvm.py build/bin/ardent        (needs NumPy and matplotlib)
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

ardent = sys.argv[1]
here = pathlib.Path(__file__).parent


def two_moons(count, seed):
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, np.pi, count)
    upper = np.arange(count) % 2 == 0
    x = np.where(upper, np.cos(angle), 1 - np.cos(angle))
    y = np.where(upper, np.sin(angle), 0.5 - np.sin(angle))
    return np.c_[x, y] + 0.22 * rng.standard_normal((count, 2)), upper


def write_csv(path, points, labels=None):
    with open(path, "w") as file:
        file.write("x,y_,class\n" if labels is not None else "x,y_\n")
        for i, (x, y) in enumerate(points):
            file.write(f"{x},{y}" + (f",{'up' if labels[i] else 'down'}" if labels is not None else "") + "\n")


points, labels = two_moons(300, 4)
xs, ys = np.meshgrid(np.linspace(-1.8, 2.8, 240), np.linspace(-1.4, 1.9, 180))
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    write_csv(folder / "moons.csv", points, labels)
    write_csv(folder / "grid.csv", np.c_[xs.ravel(), ys.ravel()])
    trained = json.loads(
        subprocess.check_output(
            [ardent, "train", folder / "moons.csv", "--map", "rbf", "--sigma", "0.8", "-o", folder / "m", "--json"]
        )
    )
    asked = json.loads(subprocess.check_output([ardent, "predict", folder / "m", folder / "grid.csv", "--json"]))
p = np.array(asked["probabilities"])[:, asked["labels"].index("up")].reshape(xs.shape)
kept = [k["index"] - 1 for k in trained["parts"][0]["kept"]]

fig, axes = plt.subplots(figsize=(7.2, 4.3), dpi=130)
shades = axes.contourf(xs, ys, p, levels=np.linspace(0, 1, 21), cmap="PuOr", alpha=0.75)
axes.contour(xs, ys, p, levels=[0.5], colors="black", linewidths=1.5)
axes.scatter(*points[labels].T, s=16, marker="o", c="#3b1f69", label="class up")
axes.scatter(*points[~labels].T, s=18, marker="^", c="#8a4a08", label="class down")
axes.scatter(
    *points[kept].T, s=170, facecolors="none", edgecolors="black", linewidths=2,
    label=f"relevance vectors: {len(kept)} of {len(points)}",
)
axes.set(xlabel="x", ylabel="y", title="Relevance vector machine: probability of class up")
axes.legend(loc="upper right", framealpha=0.9, fontsize=8)
fig.colorbar(shades, label="probability", ticks=[0, 0.25, 0.5, 0.75, 1])
fig.tight_layout()
fig.savefig(here / "rvm.png")
print(f"{len(kept)} of {len(points)} kept; written to {here / 'rvm.png'}")
