"""One look for all pictures: Okabe and Ito's colours, named axes, legible at README size."""

# Okabe and Ito's palette, which colour-blind readers can tell apart, with a marker and a dash each.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
LINES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), "-")

LOOK = {
    "font.size": 11,
    "axes.titlesize": 11,
    "axes.labelsize": 11,
    "legend.fontsize": 9.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.8,
    "lines.markersize": 5.5,
    "figure.constrained_layout.use": True,
}


def plots():
    """pyplot with our look; imported here, so that pages are written without it."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams.update(LOOK)
    return plt


def style(place):
    """Colour, marker and dash of the place-th curve."""
    place %= len(COLOURS)
    return {"color": COLOURS[place], "marker": MARKERS[place], "linestyle": LINES[place]}


def panels(count, columns=3, width=3.3, height=2.6, **more):
    """A figure of so many panels; the axes that are not needed are taken away."""
    columns = min(columns, count)
    rows = -(-count // columns)
    figure, axes = plots().subplots(
        rows, columns, figsize=(width * columns, height * rows), squeeze=False, **more
    )
    flat = list(axes.flat)
    for unused in flat[count:]:
        unused.remove()
    return figure, flat[:count]


def legend_below(figure, *axes, columns=4):
    """One legend for all panels, under them, with the curves of the axes given."""
    pairs = [ax.get_legend_handles_labels() for ax in axes]
    handles, labels = (sum(items, []) for items in zip(*pairs, strict=True))
    figure.legend(handles, labels, loc="outside lower center", ncols=columns, frameon=False)


def plain_log(*axes):
    """Plain numbers at 1, 2 and 5 on x or y axes that are logarithmic already; 20k for 20,000."""
    from matplotlib import ticker

    def short(value, _):
        return f"{value / 1000:g}k" if value >= 1000 else f"{value:g}"

    for axis in axes:
        axis.set_major_locator(ticker.LogLocator(10, subs=(1, 2, 5)))
        axis.set_major_formatter(ticker.FuncFormatter(short))
        axis.set_minor_locator(ticker.NullLocator())


def bare(axes):
    """An image, not a plot: no ticks, no grid."""
    axes.set_xticks([])
    axes.set_yticks([])
    axes.grid(False)


def save(figure, folder, name):
    """NAME.png with nothing in it that changes from run to run."""
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / f"{name}.png", dpi=110, metadata={"Software": None})
    plots().close(figure)
