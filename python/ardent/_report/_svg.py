"""Pictures as SVG within a page, in the colours of the page."""

import io
import re

from ..plot._axes import COLOURS, GREY, matplotlib

_INK = "#1a1b1c"  # stands for the colour of the page's text
_STYLE = {
    "svg.fonttype": "none",  # text stays text: it can be read, searched and copied
    "svg.hashsalt": "ardent",  # the same picture, the same bytes
    "axes.facecolor": "none",
    "font.size": 10,
    **dict.fromkeys(
        ["text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"], _INK
    ),
}


def drawn(draw, width, height):
    """The SVG that ``draw(ax)`` makes, ``width`` by ``height`` inches, for ``inlined``."""
    library = matplotlib()
    from matplotlib.figure import Figure

    with library.rc_context(_STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        draw(figure.subplots())
        file = io.StringIO()
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
    return file.getvalue()


def inlined(svg, number, label):
    """The SVG as an element of a page: names of its own, text and lines in the page's colours."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", "", svg, flags=re.S)
    svg = re.sub(r'\s(width|height)="[\d.]+pt"', "", svg, count=2)
    svg = svg.replace("<svg", f'<svg role="img" aria-label="{label}"', 1)
    svg = re.sub(r'\bid="', f'id="p{number}-', svg)
    svg = re.sub(r"url\(#", f"url(#p{number}-", svg)
    svg = re.sub(r'href="#', f'href="#p{number}-', svg)
    svg = re.sub(r"(font: (?:[\w%.]+ )*?[\d.]+px) [^;\"]+", r"\1 var(--sans)", svg)
    return _in_page_colours(svg)


def _in_page_colours(svg):
    colours = {_INK: "var(--ink)", GREY: "var(--grey)"}
    if "<image" not in svg:  # an image is as pale in the dark, and so must be what is drawn on it
        colours.update({colour: f"var(--c{k})" for k, colour in enumerate(COLOURS)})
        colours["#ffffff"] = "var(--paper)"
    for colour, variable in colours.items():
        svg = re.sub(rf"(?<=: ){colour}\b", variable, svg, flags=re.I)
    # A legend comes last, and lies on the page.
    rest, found, legend = svg.partition("legend_1")
    return rest + found + legend.replace(": #000000", ": var(--ink)")
