"""Pictures of fitted models, drawn with matplotlib (``pip install ardent-sbl[plot]``).

Every function draws into the axes it is given, or into a new figure, and returns the axes.
"""

from ._calibration import calibration
from ._co_inclusion import co_inclusion
from ._codes import codes
from ._confusion import confusion
from ._decision_surface import decision_surface
from ._inclusion import inclusion
from ._path import path
from ._predictions import predictions
from ._residual import residual
from ._roc import roc
from ._sources import sources
from ._stages import stages
from ._traces import traces
from ._weights import weights

__all__ = [
    "calibration",
    "co_inclusion",
    "codes",
    "confusion",
    "decision_surface",
    "inclusion",
    "path",
    "predictions",
    "residual",
    "roc",
    "sources",
    "stages",
    "traces",
    "weights",
]


def __dir__():
    return sorted(__all__)
