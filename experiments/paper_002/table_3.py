"""Table III: F1 on six sets, five folds."""

from experiments import data, pages
from experiments.paper_002.models import BASELINES, OURS, SLUGS, cross_validated
from experiments.paper_002.table_2 import CHAIN_HEAD, chain_cells, share, with_error
from experiments.store import Point

TITLE = "Table III: six sets"

SETS = {
    "australian": "australian",
    "breast cancer": "breast-cancer9",
    "heart": "heart",
    "diabetic": "messidor",
    "ionosphere": "ionosphere",
    "sonar": "sonar",
}
PUBLISHED = {
    "LR ℓ1": (0.801, 0.917, 0.752, 0.601, 0.765, 0.706),
    "KLR ℓ1": (0.821, 0.955, 0.778, 0.613, 0.725, 0.704),
    "SVM RBF": (0.822, 0.955, 0.797, 0.628, 0.775, 0.724),
    "paper's, basis only": (0.817, 0.953, 0.794, 0.618, 0.725, 0.716),
    "paper's sampler": (0.828, 0.964, 0.795, 0.620, 0.785, 0.726),
}


def points(quick):
    for name, file in SETS.items():
        for model in (*OURS, *BASELINES):
            if quick and (name, model) == ("diabetic", "KLR ℓ1"):
                continue  # minutes
            config = {"set": name, "file": file, "model": model, "folds": 5, "seed": 1}
            if quick and name in ("diabetic", "australian"):
                config["folds"] = 3
            yield Point(f"{name.replace(' ', '-')}-{SLUGS[model]}", config)


def compute(config):
    X, y = data.dense(config["file"])
    return cross_validated(config["model"], X, y, config["folds"], config["seed"])


def of(records, name, model):
    return records.get(f"{name.replace(' ', '-')}-{SLUGS[model]}", {}).get("result")


def f1(records, name, model):
    found = of(records, name, model)
    return pages.mean(found["f1"]) if found else None


def section(records):
    models = (*OURS, *BASELINES)
    rows, more, chains = [], [], []
    for place, name in enumerate(SETS):
        values = [f1(records, name, m) for m in models]
        cells = []
        for model in models:
            found = of(records, name, model)
            printed = f"{PUBLISHED[model][place]:.3f}" if model in PUBLISHED else pages.DASH
            cells.append(f"{with_error(found['f1']) if found else pages.DASH} ({printed})")
        rounded = [None if v is None else round(v, 3) for v in values]
        rows.append([name, *pages.bold_best(cells, rounded)])
        ours = of(records, name, "collapsed (default)")
        theirs = of(records, name, "paper's sampler")
        if ours and theirs:
            cells = [with_error(ours["accuracy"]), with_error(theirs["accuracy"])]
            cells += [with_error(ours["log_loss"]), with_error(theirs["log_loss"])]
            cells += [share(r[key]) for r in (ours, theirs) for key in ("features", "basis")]
            more.append([name, *cells])
            chains.append([name, *chain_cells(ours["chains"])])
    head = [
        "set",
        "accuracy, collapsed",
        "accuracy, paper's",
        "log loss, collapsed",
        "log loss, paper's",
    ]
    head += [
        "features on, collapsed",
        "basis on, collapsed",
        "features on, paper's",
        "basis on, paper's",
    ]
    return "\n\n".join(
        [
            (
                "F1 of the positive class (class 1, malignant, presence, signs, good, mine): mean ±"
                " standard error over folds, in brackets what the paper prints for that model."
            ),
            pages.table(["set", *models], rows),
            pages.table(head, more),
            "Chains of the default sampler, means over folds:",
            pages.table(["set", *CHAIN_HEAD[1:]], chains),
            (
                "Published figures for diabetic, ionosphere and sonar are far below what plain"
                " logistic regression attains here: their folds, scaling or tuning are not"
                " described, and the gap is the same for their own baselines. `australian` is"
                " Statlog Australian Credit by its 690 rows and 14 features, not the sign language"
                " set that the paper names. Published ± (up to 0.83) are impossible as errors of F1"
                " and left out here. R̂ above 1.1: the chains do not agree, and inclusion"
                " probabilities there are rough."
            ),
        ]
    )
