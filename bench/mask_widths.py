"""mask_widths.py [--results FOLDER] [--sets NAME,NAME ...]: doubly sparse classification with a width for each feature
(`width_sd`), beside one width, the relevance vector machine and scikit-learn's support vector machine and Gaussian processes.

Writes docs/results/doubly-sparse-widths.json after each model and set, and the page beside it; what is in the JSON is not
computed again. Sets are looked for in $ARDENT_DATA, else in ../shared/data. One thread.
"""

import argparse
import json
import os
import pathlib
import sys
import warnings

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")
ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402
from sklearn.gaussian_process import GaussianProcessClassifier  # noqa: E402
from sklearn.gaussian_process.kernels import RBF, ConstantKernel  # noqa: E402
from sklearn.metrics import accuracy_score, f1_score, log_loss  # noqa: E402
from sklearn.model_selection import StratifiedKFold  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

import ardent  # noqa: E402
from experiments import data, pages  # noqa: E402
from experiments.measure import cpu_seconds  # noqa: E402
from experiments.paper_002.models import baseline  # noqa: E402

WIDTHS = "doubly sparse, a width a feature"
OURS = {"doubly sparse": {}, WIDTHS: {"width_sd": 1.0}}
MODELS = (*OURS, "RVM", "SVM", "GP", "GP, a width a feature")
SETS = {"sonar": 3, "ionosphere": 3, "heart": 3, "messidor": 1}  # folds of five
SLOW = {("messidor", "GP, a width a feature")}


def untrained(model, X, seed):
    if model in OURS:
        return ardent.DoublySparseClassifier(n_jobs=1, random_state=seed, **OURS[model])
    if model == "RVM":
        return ardent.RVMClassifier(n_jobs=1, random_state=seed)
    if model == "SVM":
        return baseline("SVM RBF", X)
    widths = np.full(X.shape[1] if "feature" in model else 1, X.shape[1] ** 0.5)
    kernel = ConstantKernel(10.0) * RBF(widths)
    return make_pipeline(StandardScaler(), GaussianProcessClassifier(kernel, random_state=seed))


def compute(config):
    X, y = data.dense(config["set"])
    X = X[:, X.std(axis=0) > 0]
    result = {key: [] for key in ("f1", "accuracy", "log_loss", "features", "r_hat")}
    splitter = StratifiedKFold(5, shuffle=True, random_state=config["seed"])
    with cpu_seconds() as clock:
        for train, test in list(splitter.split(X, y))[: config["folds"]]:
            found = untrained(config["model"], X, config["seed"]).fit(X[train], y[train])
            predicted = found.predict(X[test])
            result["f1"].append(f1_score(y[test], predicted, pos_label=y.max()))
            result["accuracy"].append(accuracy_score(y[test], predicted))
            if hasattr(found, "predict_proba"):
                result["log_loss"].append(log_loss(y[test], found.predict_proba(X[test])))
            if config["model"] in OURS:
                result["features"].append(found.diagnostics_[0]["features_on"]["mean"])
                result["r_hat"].append(found.diagnostics_[0]["log_likelihood"]["r_hat"])
    return result, {"cpu": clock.seconds / config["folds"]}


def table_of(records, key, best, digits):
    rows = []
    for name, folds in SETS.items():
        found = [records.get(f"{name} / {model}") for model in MODELS]
        if not any(found):
            continue
        values = [
            round(pages.mean(r["result"][key]), digits) if r and r["result"][key] else None for r in found
        ]
        cells = [pages.number(v, digits) for v in values]
        rows.append([f"{name} ({folds})", *pages.bold_best(cells, values, best)])
    return pages.table(["set (folds)", *MODELS], rows)


def own_table(records):
    rows = []
    for name in SETS:
        cells = []
        for model in OURS:
            r = records.get(f"{name} / {model}")
            if r:
                result = r["result"]
                cells += [pages.number(pages.mean(result["features"]), 1), pages.number(max(result["r_hat"]), 2)]
        seconds = [records.get(f"{name} / {model}") for model in MODELS]
        cells += [f"{s['timing']['cpu']:.0f}" if s else pages.DASH for s in seconds]
        if len(cells) == 4 + len(MODELS):
            rows.append([name, *cells])
    head = [f"{word}, {model}" for model in OURS for word in ("features on", "worst R̂")]
    return pages.table(["set", *head, *(f"s, {m}" for m in MODELS)], rows)


def write(records, folder):
    lines = [f"{json.dumps(k)}: {json.dumps(v)}" for k, v in sorted(records.items())]
    text = ",\n".join(lines)  # a line per record
    (folder / "doubly-sparse-widths.json").write_text("{\n" + text + "\n}\n")
    page = [
        "# A width for each feature",
        "Written by `bench/mask_widths.py` from the JSON beside this page.",
        (
            "Stratified folds of five (the first ones, as many as the brackets say), seed 1, features standardised on the"
            " training fold. doubly sparse: the default, and with `--width-sd 1`; RVM: `RVMClassifier`; SVM: RBF, γ and C by"
            " three inner folds; GP: scikit-learn's Gaussian process classifier with one width and with one a feature."
        ),
        "F1 of the positive class:",
        table_of(records, "f1", max, 3),
        "Accuracy:",
        table_of(records, "accuracy", max, 3),
        "Log loss:",
        table_of(records, "log_loss", min, 3),
        "Features on (mean over draws), R̂ of the log likelihood, and CPU seconds of a fit and its predictions:",
        own_table(records),
    ]
    (folder / "doubly-sparse-widths.md").write_text("\n\n".join(page) + "\n")


def main():
    parser = argparse.ArgumentParser(prog="bench/mask_widths.py")
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "docs" / "results")
    parser.add_argument("--sets", default=",".join(SETS))
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    path = given.results / "doubly-sparse-widths.json"
    records = json.loads(path.read_text()) if path.exists() else {}
    for name in given.sets.split(","):
        for model in MODELS:
            config = {"set": name, "model": model, "seed": 1, "folds": SETS[name]}
            key = f"{name} / {model}"
            if (name, model) in SLOW or records.get(key, {}).get("config") == config:
                continue
            try:
                result, timing = compute(config)
            except data.Missing as missing:
                print(f"{key}: skipped, {missing}", file=sys.stderr)
                continue
            records[key] = {"config": config, "result": result, "timing": timing}
            print(f"{key}: {timing['cpu']:.1f} s", file=sys.stderr, flush=True)
            write(records, given.results)


if __name__ == "__main__":
    main()
