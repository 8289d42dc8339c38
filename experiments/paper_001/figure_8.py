"""Figure 8: the classes' shares of one image's code over lambda/lambda_max."""

import numpy as np

from experiments import data, figures, pages
from experiments.paper_001.coding import class_sums, coder
from experiments.store import Point

TITLE = "Figure 8: class shares of one image"

METHOD = "SBL, as published"


def points(quick):
    grid = [round(0.05 * k, 2) for k in (range(1, 20, 2) if quick else range(1, 20))]
    config = {"atoms": 2000 if quick else 10000, "image": 8, "ratios": grid, "seed": 1}
    yield Point("one-image", config)


def compute(config):
    atoms, digits = data.mnist_dictionary(config["atoms"] // 10, config["seed"])
    tests, truth = data.mnist("t10k")
    image = tests[config["image"]][None]
    shares = []
    for ratio in config["ratios"]:
        sums = class_sums(coder(METHOD, ratio, atoms).transform(image), digits)[0]
        norm = np.linalg.norm(sums)
        shares.append(np.round(sums / norm if norm else sums, 4))
    return {"shares": shares, "digit": int(truth[config["image"]])}, {}


def pictures(records, folder):
    record = records["one-image"]
    ratios, shares = record["config"]["ratios"], np.array(record["result"]["shares"])
    figure, (ax,) = figures.panels(1, width=6.4, height=3.2)
    drawn = ax.imshow(
        shares.T,
        origin="lower",
        aspect="auto",
        cmap="viridis",
        vmin=0,
        vmax=1,
        interpolation="none",
    )
    digit = record["result"]["digit"]
    ax.axhline(digit, color="#D55E00", linewidth=2, label=f"true digit: {digit}")
    ax.set(xlabel="λ/λ_max", ylabel="digit", yticks=range(10))
    ax.set_xticks(range(len(ratios))[::2], [f"{r:g}" for r in ratios[::2]])
    ax.grid(False)
    figure.colorbar(drawn, label="prob_k = ABS_k/‖ABS‖₂")
    figure.legend(loc="outside upper right", frameon=False)
    figures.save(figure, folder, "001-figure-8")


def section(records):
    record = records["one-image"]
    digit = record["result"]["digit"]
    rows = []
    for ratio, shares in zip(record["config"]["ratios"], record["result"]["shares"], strict=True):
        order = sorted(range(10), key=lambda k: -shares[k])
        rows.append(
            [
                ratio,
                order[0] if any(shares) else "none",
                f"{shares[digit]:.3f}",
                f"{order[1]} ({shares[order[1]]:.3f})",
            ]
        )
    return "\n\n".join(
        [
            (
                f"Test image {record['config']['image']} (a {digit}), {METHOD}, "
                f"{record['config']['atoms']:,} atoms."
            ),
            pages.table(["λ/λ_max", "digit found", "prob of the true digit", "second"], rows),
            pages.picture("001-figure-8", "Share of each digit in the code, over λ/λ_max"),
            (
                "The image was taken for being a hard one. Published for another image, without"
                " numbers: the larger λ, within limits, the clearer the class. Where no digit is"
                " found the reweighted code is zero."
            ),
        ]
    )
