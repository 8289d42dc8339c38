"""Reports: one page that shows a model, and how good it is on rows that are given."""

from ._report import report

__all__ = ["report"]
