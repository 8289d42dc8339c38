"""Pictures of fitted models, drawn with matplotlib (``pip install ardent[plot]``).

Every function draws into the axes it is given, or into a new figure, and returns the axes.
"""

from ._co_inclusion import co_inclusion
from ._codes import codes
from ._decision_surface import decision_surface
from ._inclusion import inclusion
from ._path import path
from ._sources import sources
from ._stages import stages
from ._traces import traces
from ._weights import weights

__all__ = [
    "co_inclusion",
    "codes",
    "decision_surface",
    "inclusion",
    "path",
    "sources",
    "stages",
    "traces",
    "weights",
]


def __dir__():
    return sorted(__all__)
