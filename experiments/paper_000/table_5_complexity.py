"""Tables V and VI: time and memory against N, M and L, measured and not counted.

Three stages with nothing pruned, so that every stage has the full size; exponents are fitted to the
upper sizes. Each point is a process of its own, whose memory above the data counts.
"""

import numpy as np

import ardent
from experiments import figures, pages
from experiments.measure import alone
from experiments.store import Point

TITLE = "Tables V and VI: complexity, measured"

ENGINES = ("exact", "diagonal", "dqn")
LABELS = {"N": "RVM, rows N", "M": "linear, features M", "L": "SBELM, hidden nodes L"}


def sizes(letter, engine, quick):
    """exact below the number of rows, beyond which it works with rows instead of columns.

    Up to 2,000 weights every engine forms the joint covariance at the end: the others begin above.
    """
    if engine == "exact":
        return (400, 600, 900, 1300) if quick else (500, 700, 1000, 1400, 2000, 2800)
    if letter == "N":
        return (2100, 2500, 2900, 3400) if quick else (2200, 2800, 3500, 4400, 5600)
    return (2200, 3200, 4500, 6400) if quick else (2200, 3200, 4500, 6400, 9000, 13000, 18000)


PAPER = {"N": ("O(N³)", "O(N)", "O(N²)", "O(N)"), "M": ("O(M³)", "O(M)", "O(M²)", "O(M)")}
PAPER["L"] = ("O(L³)", "O(L)", "O(L²)", "O(L)")


def points(quick):
    for letter in LABELS:
        for engine in ENGINES:
            for size in sizes(letter, engine, quick):
                config = {"vary": letter, "engine": engine, "size": size, "seed": 1}
                config["rows"] = 1300 if quick else 3000
                yield Point(f"{letter}-{engine}-{size}", config)


def prepared(config):
    """A fit that is ready to run."""
    letter, size = config["vary"], config["size"]
    rows, columns = {"N": (size, 10), "M": (config["rows"], size), "L": (config["rows"], 10)}[
        letter
    ]
    rng = np.random.default_rng(config["seed"])
    X = rng.normal(size=(rows, columns))
    y = (X[:, 0] + 0.5 * X[:, 1] * X[:, 2] + 0.3 * rng.normal(size=rows) > 0).astype(int)
    common = {"engine": config["engine"], "max_iter": 3, "alpha_max": 1e300, "n_jobs": 1}
    if config["engine"] != "dqn":  # which has none
        common["support_prior"] = "none"
    model = {
        "N": lambda: ardent.RVMClassifier(sigma=4.0, centres=0, **common),
        "M": lambda: ardent.ARDClassifier(**common),
        "L": lambda: ardent.SBELMClassifier(hidden=size, random_state=1, **common),
    }[letter]()
    model.fit(X[:20], np.arange(20) % 2)  # what the first call alone would pay
    return lambda: int(model.fit(X, y).n_iter_)


def compute(config):
    stages, seconds, memory = alone(prepared, config)
    return {"stages": stages}, {"cpu": seconds, "mib": memory}


def series(records, letter, engine, what):
    found = [
        (r["config"]["size"], r["timing"][what])
        for r in records.values()
        if (r["config"]["vary"], r["config"]["engine"]) == (letter, engine)
    ]
    return [list(v) for v in zip(*sorted(found), strict=True)] if found else [[], []]


def exponent(sizes, values):
    """Slope on log-log axes over the upper half of the sizes."""
    half = (len(sizes) - 1) // 2
    x, y = np.log(sizes[half:]), np.log(np.maximum(values[half:], 1e-3))
    return float(np.polyfit(x, y, 1)[0]) if len(x) > 1 else None


def pictures(records, folder):
    figure, axes = figures.panels(6, columns=3, width=3.6, height=2.6)
    for column, (letter, label) in enumerate(LABELS.items()):
        for row, (what, unit) in enumerate((("cpu", "CPU seconds"), ("mib", "MiB above the data"))):
            ax = axes[3 * row + column]
            for index, engine in enumerate(ENGINES):
                x, y = series(records, letter, engine, what)
                ax.loglog(x, np.maximum(y, 1e-3), label=engine, **figures.style(index))
            figures.plain_log(ax.xaxis, ax.yaxis)
            ax.set_xlabel(label)
            if column == 0:
                ax.set_ylabel(unit)
    figures.legend_below(figure, axes[0], columns=3)
    figures.save(figure, folder, "000-complexity")


def section(records):
    rows = []
    for letter, label in LABELS.items():
        for engine in ENGINES:
            cells = [f"{label}, {engine}"]
            for what, digits in (("cpu", 2), ("mib", 1)):
                at, values = series(records, letter, engine, what)
                if not at:
                    cells += [pages.DASH] * 3
                    continue
                printed = PAPER[letter][2 * (what == "mib") + (engine != "exact")]
                printed = pages.DASH if engine == "diagonal" else printed
                slope = exponent(at, values)
                power = pages.DASH if slope is None else f"{letter}^{slope:.1f}"
                cells += [printed, power, f"{values[-1]:.{digits}f} at {at[-1]:,}"]
            rows.append(cells)
    head = ["model", "published time", "fitted", "s, largest", "published memory", "fitted"]
    return "\n\n".join(
        [
            (
                "Three stages, nothing pruned; CPU seconds and MiB above the data at the largest"
                " size. Up to 2,000 weights every engine forms the joint covariance at the end;"
                " diagonal and dqn are measured above that, exact up to the number of rows."
            ),
            pages.table([*head, "MiB, largest"], rows),
            pages.picture("000-complexity", "Time and memory against N, M and L"),
            (
                "The paper counts what a step does with B and leaves out the products with the"
                " design, which every engine needs: with M (or L) columns and N rows they are"
                " O(NM), so that dqn is linear in M and L as claimed. For the RVM the design is the"
                " N × N kernel itself: DQN-RVM cannot be O(N) in memory, nor in time once N is"
                " large. Exponents of small sizes are below the asymptotic ones: matrix products"
                " run faster the larger they are. The number of conjugate-gradient steps is not"
                " fixed, so that diagonal's exponents are those of this problem."
            ),
        ]
    )
