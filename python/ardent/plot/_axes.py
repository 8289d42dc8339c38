"""Where pictures are drawn, and in which colours."""

import numpy as np

# Okabe and Ito's colours, distinct for every eye; black last, for it is the text's.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442", "#000000")
GREY = "#777777"


def matplotlib():
    """The library, imported when the first picture is drawn."""
    try:
        import matplotlib.pyplot
    except ImportError as error:
        raise ImportError(
            "ardent.plot draws with matplotlib, which is not installed: pip install ardent-sbl[plot]"
        ) from error
    return matplotlib


def axes_or_new(ax):
    """The axes given, or those of a new figure."""
    library = matplotlib()
    return ax if ax is not None else library.pyplot.subplots(layout="constrained")[1]


def whole_ticks(axis):
    """Ticks of an axis that counts."""
    axis.set_major_locator(matplotlib().ticker.MaxNLocator(integer=True))


def part_of(parts, part):
    """One of a model's binary models."""
    if not 0 <= part < len(parts):
        raise ValueError(f"part must be from 0 to {len(parts) - 1}, not {part}")
    return parts[part]


def feature_names(model, names):
    """Names given, else the model's own, else x0, x1, ..."""
    if names is None:
        names = getattr(model, "feature_names_in_", None)
    if names is None:
        names = [f"x{k}" for k in range(model.n_features_in_)]
    if len(names) != model.n_features_in_:
        raise ValueError(f"{model.n_features_in_} features need as many names, not {len(names)}")
    return np.asarray(names)


def named_rows(ax, names):
    """An entry per line, the first on top."""
    ax.set_yticks(np.arange(len(names)), names)
    ax.set_ylim(len(names) - 0.5, -0.5)


def legend_above(ax, handles):
    """A legend in a line over the axes, where it hides nothing."""
    labels = [handle.get_label() for handle in handles]
    ax.legend(
        handles,
        labels,
        loc="lower center",
        bbox_to_anchor=(0.5, 1),
        ncols=len(handles),
        frameon=False,
        columnspacing=1.2,
        handletextpad=0.4,
    )
