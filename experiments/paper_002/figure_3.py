"""Figure 3: which pixels of the noisy digits the samplers keep."""

import numpy as np

import ardent
from experiments import figures, pages
from experiments.paper_002.models import OURS, digits_with_noise
from experiments.store import Point

TITLE = "Figure 3: the mask on the digits"

SHOWN = ("collapsed (default)", "paper's sampler")


def points(quick):
    yield Point("mask", {"draw": 1, "seed": 1})


def compute(config):
    X, y = digits_with_noise(config["draw"])
    result = {"three": np.round(X[y == -1][0], 3), "eight": np.round(X[y == 1][0], 3)}
    contrast = np.abs(X[y == 1].mean(axis=0) - X[y == -1].mean(axis=0)) / X.std(axis=0)
    result["contrast"] = np.round(contrast, 4)
    for name in SHOWN:
        model = ardent.DoublySparseClassifier(n_jobs=1, random_state=config["seed"], **OURS[name])
        result[name] = np.round(model.fit(X, y).feature_inclusion_, 4)
    return result, {}


def pictures(records, folder):
    result = records["mask"]["result"]
    figure, axes = figures.panels(6, columns=3, width=2.8, height=2.6)

    def image(ax, values, title, cmap, top=None):
        drawn = ax.imshow(np.reshape(values, (8, 8)), cmap=cmap, vmin=0, vmax=top)
        ax.set_title(title)
        figures.bare(ax)
        return drawn

    image(axes[0], result["three"], "a 3 with noise", "gray_r")
    image(axes[1], result["eight"], "an 8 with noise", "gray_r")
    image(axes[2], result["contrast"], "∣mean 8 − mean 3∣ / sd", "viridis")
    mask = np.array(result[SHOWN[0]])
    image(axes[3], np.array(result["eight"]) * (mask > 0.5), "the 8, pixels kept", "gray_r")
    for ax, name in zip(axes[4:], SHOWN, strict=True):
        drawn = image(ax, result[name], f"inclusion,\n{name}", "viridis", 1)
    figure.colorbar(drawn, ax=axes[5], label="probability")
    figures.save(figure, folder, "002-figure-3")


def section(records):
    result = records["mask"]["result"]
    contrast = np.array(result["contrast"])
    rows = []
    for name in SHOWN:
        mask = np.array(result[name])
        kept = int((mask > 0.5).sum())
        link = float(np.corrcoef(mask, contrast)[0, 1])
        rows.append([name, f"{mask.sum():.1f}", kept, f"{link:.2f}"])
    head = [
        "sampler",
        "expected pixels",
        "pixels above ½",
        "correlation with ∣mean 8 − mean 3∣ / sd",
    ]
    return "\n\n".join(
        [
            pages.table(head, rows),
            pages.picture("002-figure-3", "Inclusion probabilities of the 64 pixels"),
            (
                "Published as a picture: digits with the masked pixels blank. What is kept here are"
                " mostly the pixels where the left strokes of an 8 close and those of a 3 do"
                " not."
            ),
        ]
    )
