"""ardent on many machines: estimators that leave rows, signals and images on Dask's workers.

``ARDClassifier`` and ``ARDRegressor`` train on Dask arrays, data frames and bags of files: each
product of the fit is a Dask graph over the partitions, and vectors are all that travels.
``SparseCoder`` and ``SourceFinder`` do their work partition by partition. See docs/dask.md. Needs
Dask (``pip install ardent-sbl[dask]``).
"""

try:
    import dask
    import dask.array
    import dask.bag
except ImportError as error:
    raise ImportError(
        "ardent.dask needs Dask: pip install 'dask[distributed]' (or 'ardent-sbl[dask]')"
    ) from error

from ._estimators import ARDClassifier, ARDRegressor, SourceFinder, SparseCoder

__all__ = ["ARDClassifier", "ARDRegressor", "SparseCoder", "SourceFinder"]
