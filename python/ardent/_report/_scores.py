"""How good a model is on rows that are given."""

import numpy as np
from sklearn.base import is_classifier

from .. import plot
from ._page import number, share

_WORST = 10


def scores_section(page, model, X, y):
    y = np.asarray(y)
    rows = _shape(X)[0]
    if len(y) != rows:
        raise ValueError(f"X has {rows} rows and y {len(y)}")
    (_classification if is_classifier(model) else _regression)(page, model, X, y)


def _shape(X):
    return X.shape if hasattr(X, "shape") else np.shape(X)


def _classification(page, model, X, y):
    unknown = set(np.unique(y)) - set(model.classes_)
    if unknown:
        listed = ", ".join(sorted(str(name) for name in unknown)[:5])
        raise ValueError(f"y has classes that the model does not know: {listed}")
    probability = model.predict_proba(X)
    predicted = model.classes_[probability.argmax(axis=1)]
    place = np.searchsorted(model.classes_, y)
    true = probability[np.arange(len(y)), place]
    loss = -np.log(np.maximum(true, 1e-300)).mean()
    page.card("accuracy", share(np.mean(predicted == y)), f"of {number(len(y))} rows")
    page.card("log loss", number(loss, 3), "mean −log p(true class)")
    page.section("On the rows given", f"{number(len(y))} rows with their classes.")
    rows = [
        ["accuracy", share(np.mean(predicted == y)), "share of rows whose class is predicted"],
        ["log loss", number(loss), "mean −log p(true class); 0 is perfect"],
        ["Brier score", number(_brier(probability, place)), "mean squared error of probabilities"],
    ]
    pictures = [
        ("Calibration: on the diagonal, probabilities say how often", plot.calibration, 4.6, 3.4),
        ("Rows of each true class by the class predicted", plot.confusion, 4.6, 3.4),
    ]
    if len(np.unique(y)) > 1:
        area = _mean_area(model.classes_, probability, y)
        page.card("area (ROC)", number(area, 3), "1 is perfect, 0.5 is chance")
        rows.append(["area below the ROC curve", number(area), "mean over classes"])
        pictures.insert(1, ("ROC: found against falsely found", plot.roc, 4.6, 3.4))
    page.table(["score", "value", "meaning"], rows)
    page.pictures(
        *(
            (caption, lambda ax, draw=draw: draw(model, X, y, ax=ax), width, height)
            for caption, draw, width, height in pictures
        )
    )
    if len(model.classes_) <= 8 and _shape(X)[1] == 2 and not hasattr(X, "indptr"):
        _surface(page, model, X, y)
    wrong = np.argsort(true, kind="stable")[: min(_WORST, int(np.sum(predicted != y)))]
    if len(wrong):
        page.text("The rows that surprise the model most (counted from 0):")
        page.table(
            ["row", "true", "predicted", "p(true)", "p(predicted)"],
            [
                [number(i), y[i], predicted[i], f"{true[i]:.4f}", f"{probability[i].max():.4f}"]
                for i in wrong
            ],
        )


def _surface(page, model, X, y):
    def draw(ax):
        plot.decision_surface(model, X, y, resolution=120, ax=ax)

    page.pictures(("Probabilities over the plane of the two features", draw, 4.9, 3.6))


def _brier(probability, place):
    hot = np.zeros_like(probability)
    hot[np.arange(len(place)), place] = 1
    return ((probability - hot) ** 2).sum(axis=1).mean()


def _mean_area(classes, probability, y):
    from sklearn.metrics import roc_auc_score

    if len(classes) == 2:
        return roc_auc_score(y == classes[1], probability[:, 1])
    there = [c for c in range(len(classes)) if 0 < np.sum(y == classes[c]) < len(y)]
    return np.mean([roc_auc_score(y == classes[c], probability[:, c]) for c in there])


def _regression(page, model, X, y):
    y = y.astype(float)
    mean, deviation = model.predict(X, return_std=True)
    error = y - mean
    spread = np.sum((y - y.mean()) ** 2)
    r2 = 1 - np.sum(error**2) / spread if spread > 0 else None
    root = np.sqrt(np.mean(error**2))
    size = error / np.maximum(deviation, 1e-300)
    density = 0.5 * np.mean(size**2 + np.log(2 * np.pi * np.maximum(deviation, 1e-300) ** 2))
    page.card("R²", number(r2, 3), f"of {number(len(y))} rows; 1 is perfect")
    page.card("RMSE", number(root), "in the units of the target")
    page.section("On the rows given", f"{number(len(y))} rows with their targets.")
    within = [np.mean(np.abs(size) <= z) for z in (0.994458, 1.959964)]
    page.table(
        ["score", "value", "meaning"],
        [
            ["R²", number(r2), "share of the variance that is explained"],
            ["RMSE", number(root), "root of the mean squared error"],
            ["MAE", number(np.mean(np.abs(error))), "mean absolute error"],
            ["−log density", number(density), "mean over rows; lower is better"],
            ["68% intervals cover", share(within[0]), "of the rows"],
            ["95% intervals cover", share(within[1]), "of the rows"],
        ],
    )
    page.pictures(
        (
            "Observed against predicted, with two standard deviations of a new observation",
            lambda ax: plot.predictions(model, X, y, ax=ax),
            4.6,
            3.4,
        )
    )
    worst = np.argsort(-np.abs(size), kind="stable")[:_WORST]
    page.text("The rows that surprise the model most (counted from 0):")
    page.table(
        ["row", "observed", "predicted", "sd", "off by (sd)"],
        [
            [number(i), number(y[i]), number(mean[i]), number(deviation[i], 3), number(size[i], 3)]
            for i in worst
        ],
    )
