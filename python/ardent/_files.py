"""Model files of any kind."""

from . import _core


def load(path):
    """Load the estimator of a model file that was written by ``save`` or by ``ardent train``.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    estimator
        Fitted, of the class that belongs to the map and the task of the model.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import ardent
    >>> model = ardent.ARDRegressor().fit([[1.0], [2.0], [3.0], [4.0]], [1.1, 2.0, 2.9, 4.1])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model.save(pathlib.Path(folder, "line.model"))
    ...     again = ardent.load(pathlib.Path(folder, "line.model"))
    >>> type(again).__name__, bool(again.coef_[0] == model.coef_[0])
    ('ARDRegressor', True)
    """
    from ._coding import SparseRepresentationClassifier
    from ._doubly_sparse import DoublySparseClassifier, DoublySparseRegressor
    from ._elm import SBELMClassifier, SBELMRegressor
    from ._kernel import RVMClassifier, RVMRegressor
    from ._linear import ARDClassifier, ARDRegressor

    kinds = (
        ARDClassifier,
        ARDRegressor,
        RVMClassifier,
        RVMRegressor,
        SBELMClassifier,
        SBELMRegressor,
        DoublySparseClassifier,
        DoublySparseRegressor,
        SparseRepresentationClassifier,
    )
    model = _core.load_model(str(path))
    for kind in kinds:
        if (kind._map, kind._task) == (model.map, model.task):
            return kind.load(path)
    raise ValueError(f"{path}: no estimator for the map {model.map} and the task {model.task}")
