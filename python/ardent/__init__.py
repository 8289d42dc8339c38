"""Sparse Bayesian learning: scikit-learn estimators on the core of the ``ardent`` command.

Every weight has a Gaussian prior with its own precision, and the evidence decides which weights
survive. Results are, bit for bit, those of the command line with the same options.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from . import _cpu

_missing = _cpu.missing()
if _missing:
    raise ImportError(
        "this build of ardent needs processor instructions that this machine lacks "
        f"({_missing}): it was compiled for another machine. Build it here with "
        "'pip install .', or for any machine with "
        "'pip wheel . -C cmake.define.ARDENT_PORTABLE=ON'"
    )

from ._core import __version__  # noqa: E402

# Where each public name lives. Modules are imported when a name is first asked for: scikit-learn
# alone takes longer to import than everything here.
_HOME = {
    "ARDClassifier": "_linear",
    "ARDRegressor": "_linear",
    "RVMClassifier": "_kernel",
    "RVMRegressor": "_kernel",
    "SBELMClassifier": "_elm",
    "SBELMRegressor": "_elm",
    "SparseCoder": "_coding",
    "SparseRepresentationClassifier": "_coding",
    "DoublySparseClassifier": "_doubly_sparse",
    "DoublySparseRegressor": "_doubly_sparse",
    "ARDSelector": "_selector",
    "SourceFinder": "_imaging",
    "Dictionary": "_dictionary",
    "load": "_files",
    "report": "_report",
    "export_c": "_export",
    "weighted_lasso": "_functions",
    "screen": "_functions",
    "read_libsvm": "_functions",
    "group_iou": "_imaging",
    "psnr": "_imaging",
}

__all__ = ["__version__", *_HOME]


def __getattr__(name):
    if name == "plot":  # the subpackage, without an import of its own
        return import_module(".plot", __name__)
    if name not in _HOME:
        raise AttributeError(f"module 'ardent' has no attribute {name!r}")
    value = getattr(import_module("." + _HOME[name], __name__), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted([*__all__, "plot"])


if TYPE_CHECKING:
    from . import plot as plot
    from ._coding import SparseCoder as SparseCoder
    from ._coding import SparseRepresentationClassifier as SparseRepresentationClassifier
    from ._dictionary import Dictionary as Dictionary
    from ._doubly_sparse import DoublySparseClassifier as DoublySparseClassifier
    from ._doubly_sparse import DoublySparseRegressor as DoublySparseRegressor
    from ._elm import SBELMClassifier as SBELMClassifier
    from ._elm import SBELMRegressor as SBELMRegressor
    from ._export import export_c as export_c
    from ._files import load as load
    from ._functions import read_libsvm as read_libsvm
    from ._functions import screen as screen
    from ._functions import weighted_lasso as weighted_lasso
    from ._imaging import SourceFinder as SourceFinder
    from ._imaging import group_iou as group_iou
    from ._imaging import psnr as psnr
    from ._kernel import RVMClassifier as RVMClassifier
    from ._kernel import RVMRegressor as RVMRegressor
    from ._linear import ARDClassifier as ARDClassifier
    from ._linear import ARDRegressor as ARDRegressor
    from ._report import report as report
    from ._selector import ARDSelector as ARDSelector
