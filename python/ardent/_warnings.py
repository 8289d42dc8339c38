"""Warnings that point at the caller's line."""

import sys
import warnings

# Frames of these packages lie between the caller and the place where a warning arises.
_BETWEEN = ("ardent", "sklearn", "joblib")


def warn_caller(text, category):
    """Warn as of the first line outside this package, scikit-learn and joblib."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and _is_between(frame):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, category, stacklevel=level)


def _is_between(frame):
    name = frame.f_globals.get("__name__", "")
    return name.partition(".")[0] in _BETWEEN
