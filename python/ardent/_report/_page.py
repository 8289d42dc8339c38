"""A page that needs nothing but itself: no script, no file, no net."""

import html
import math
import re
from importlib.resources import files

from ._svg import drawn, inlined


def number(value, digits=4):
    """A number for people: thousands apart, four digits where it is not whole."""
    if value is None or not math.isfinite(value):
        return "–"
    if float(value).is_integer() and abs(value) < 1e15:
        return f"{int(value):,}".replace("-", "−")
    return f"{value:.{digits}g}".replace("-", "−")


def fixed(value, digits):
    """A number with so many digits after the point."""
    return f"{value:.{digits}f}".replace("-", "−") if math.isfinite(value) else "–"


def share(value):
    return f"{100 * value:.1f}%"


class Page:
    """Sections, cards, tables and pictures, in the order that they are added."""

    def __init__(self, title, lead):
        self._title, self._lead = title, lead
        self._cards, self._parts = [], []
        self._pictures = 0

    def card(self, name, value, meaning):
        """A figure at the top of the page."""
        self._cards.append(
            f"<div class=card><dt>{html.escape(name)}</dt><dd>{html.escape(str(value))}</dd>"
            f"<p>{html.escape(meaning)}</p></div>"
        )

    def section(self, title, text=""):
        self._parts.append(f"<h2>{html.escape(title)}</h2>")
        if text:
            self.text(text)

    def text(self, text):
        self._parts.append(f"<p>{html.escape(text)}</p>")

    def warnings(self, texts):
        """The first three, and the others folded away."""
        written = [f"<p class=warning>{html.escape(text)}</p>" for text in texts]
        self._parts += written[:3]
        if len(written) > 3:
            rest = len(written) - 3
            more = f"{rest} more warning{'s' * (rest > 1)}"
            self._parts.append(f"<details><summary>{more}</summary>")
            self._parts += [*written[3:], "</details>"]

    def pictures(self, *pictures):
        """(caption, draw(ax), width, height) each, side by side where the page is wide enough."""
        found = []
        for caption, draw, width, height in pictures:
            self._pictures += 1
            svg = inlined(drawn(draw, width, height), self._pictures, html.escape(caption))
            found.append(f"<figure>{svg}<figcaption>{html.escape(caption)}</figcaption></figure>\n")
        self._parts.append(f"<div class=figures>{''.join(found)}</div>")

    def table(self, head, rows, summary=None):
        """Columns whose cells are all numbers or empty stand to the right; with a ``summary`` the
        table is folded away below it."""
        rows = [[str(cell) for cell in row] for row in rows]
        right = [
            bool(rows) and all(re.fullmatch(r"[−–\d.,e+%°-]*|inf", cell) for cell in column)
            for column in zip(*rows)
        ] or [False] * len(head)

        def line(cells, kind):
            written = (
                f"<{kind}{' class=n' if r else ''}>{html.escape(str(cell))}</{kind}>"
                for cell, r in zip(cells, right)
            )
            return f"<tr>{''.join(written)}</tr>\n"

        body = "".join(line(row, "td") for row in rows)
        table = (
            f"<div class=table tabindex=0><table><thead>{line(head, 'th')}</thead>"
            f"<tbody>{body}</tbody></table></div>"
        )
        self._parts.append(f"<details><summary>{html.escape(summary)}</summary>" if summary else "")
        self._parts.append(table)
        self._parts.append("</details>" if summary else "")

    def finished(self, foot):
        """The page as text."""
        style = files(__package__).joinpath("style.css").read_text(encoding="utf-8")
        title, lead = html.escape(self._title), html.escape(self._lead)
        cards = f"<dl class=cards>{''.join(self._cards)}</dl>" if self._cards else ""
        return (
            "<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
            '<meta name=viewport content="width=device-width, initial-scale=1">\n'
            '<meta name=color-scheme content="light dark">\n'
            '<link rel=icon href="data:,">\n'
            f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
            f"<header><h1>{title}</h1><p class=lead>{lead}</p></header>\n{cards}\n"
            + "\n".join(part for part in self._parts if part)
            + f"\n<footer>{html.escape(foot)}</footer>\n</main>\n</body>\n</html>\n"
        )
