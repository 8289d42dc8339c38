"""Markdown from records: every number on a page comes through here out of the JSON beside it."""

import importlib
import statistics

EXPERIMENTS = {
    "000": ("tables_2_3_4", "table_5_complexity", "table_text", "figures_1_4", "figure_5"),
    "001": ("figures_3_6", "figure_8", "figure_9", "figures_10_18", "figures_19_24"),
    "002": ("table_2", "table_3", "figure_3"),
}

TITLES = {
    "000": "Sparse Bayesian learning with a diagonal quasi-Newton method (DQN-SBL)",
    "001": "Accelerated sparse Bayesian learning via screening test",
    "002": "Doubly sparse Bayesian kernel logistic regression",
}

DASH = "–"


def module(paper, name):
    return importlib.import_module(f"experiments.paper_{paper}.{name}")


def number(value, digits):
    return DASH if value is None else f"{value:.{digits}f}"


def spread(values, digits, scale=1.0):
    """Mean ± standard deviation over folds."""
    if not values:
        return DASH
    deviation = statistics.stdev(values) if len(values) > 1 else 0.0
    return f"{scale * statistics.fmean(values):.{digits}f} ± {scale * deviation:.{digits}f}"


def mean(values):
    return statistics.fmean(values) if values else None


def bold_best(cells, values, best=max):
    """The cells, those of the best value in bold."""
    known = [v for v in values if v is not None]
    if not known:
        return cells
    top = best(known)
    return [f"**{c}**" if v == top else c for c, v in zip(cells, values, strict=True)]


def table(head, rows):
    """A Markdown table, the first column to the left and the others to the right."""
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def picture(name, text):
    return f"![{text}](images/{name}.png)"


def how(content):
    """Which mode made a page, and with what."""
    software = ", ".join(f"{name} {version}" for name, version in content["software"].items())
    command = "make reproduce" + (" QUICK=1" if content["mode"] == "quick" else "")
    reduced = (
        " Quick mode: fewer folds, grid values, seeds and signals, and the smaller sets; "
        "a dash where it did not look."
        if content["mode"] == "quick"
        else ""
    )
    return (
        f"Written by `{command}` from the JSON beside this page.{reduced} Made with {software}, "
        "one thread per fit; times are CPU seconds of that thread."
    )


def page(content):
    """The page of one paper."""
    paper = content["paper"]
    parts = [f"# Paper {paper}: {TITLES[paper]}", how(content)]
    if content["skipped"]:
        parts.append(
            "Skipped, the data are not available:\n\n"
            + "\n".join(f"- {t}" for t in content["skipped"])
        )
    for name in EXPERIMENTS[paper]:
        found = module(paper, name)
        records = content["experiments"].get(getattr(found, "RECORDS", name), {})
        parts.append(f"## {found.TITLE}")
        parts.append(found.section(records) if records else "Not run: no data available.")
    return "\n\n".join(parts) + "\n"


def pictures(content, folder):
    """Draw all pictures of one paper."""
    for name in EXPERIMENTS[content["paper"]]:
        found = module(content["paper"], name)
        records = content["experiments"].get(getattr(found, "RECORDS", name), {})
        if records and hasattr(found, "pictures"):
            found.pictures(records, folder)
