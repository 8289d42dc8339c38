"""Estimators as ONNX graphs, alone or in a Pipeline: ``import ardent.onnx`` registers them.

Then ``skl2onnx.to_onnx`` converts them as scikit-learn's own. Classifiers have the outputs ``label``
and ``probabilities``; regressors ``variable``, the mean, and ``std``, the standard deviation of a new
observation. Graphs compute in the precision of their input; pairs of classes are coupled in double.

Needs the packages skl2onnx and onnx (``pip install ardent-sbl[onnx]``), and onnxruntime or another
runtime to run what comes out.

Examples
--------
>>> import ardent.onnx
>>> import onnxruntime
>>> from sklearn.datasets import load_iris
>>> from skl2onnx import to_onnx
>>> X, y = load_iris(return_X_y=True)
>>> model = ardent.RVMClassifier().fit(X, y)
>>> graph = to_onnx(model, X[:1], options={"zipmap": False})
>>> session = onnxruntime.InferenceSession(graph.SerializeToString())
>>> label, p = session.run(None, {"X": X})
>>> bool(abs(p - model.predict_proba(X)).max() < 1e-9)
True
"""

import numpy as np

try:
    from skl2onnx import get_model_alias, update_registered_converter
    from skl2onnx.common.data_types import DoubleTensorType, FloatTensorType
    from skl2onnx.common.shape_calculator import calculate_linear_classifier_output_shapes
except ImportError as missing:  # pragma: no cover
    raise ImportError(
        f"ardent.onnx needs skl2onnx ({missing}): pip install ardent-sbl[onnx]"
    ) from missing

from . import _core
from ._coding import SparseCoder, SparseRepresentationClassifier
from ._doubly_sparse import DoublySparseClassifier, DoublySparseRegressor
from ._elm import SBELMClassifier, SBELMRegressor
from ._imaging import SourceFinder
from ._kernel import RVMClassifier, RVMRegressor
from ._linear import ARDClassifier, ARDRegressor
from ._onnx_classes import class_probabilities
from ._onnx_graph import Graph
from ._onnx_scores import (
    basis,
    draws,
    evidence_probabilities,
    inputs,
    mask_probabilities,
    process_variance,
    scores,
    variance,
)
from ._selector import ARDSelector
from ._tables import class_places


def _numbers(estimator):
    """The core's numbers of the fitted model; ValueError where a graph cannot compute it."""
    kernel = getattr(estimator, "kernel", "rbf")
    if callable(kernel) or kernel not in ("rbf", "precomputed"):
        raise ValueError(f"the kernel {kernel!r}, which Python computes, has no ONNX form here")
    if estimator.model_.map == "doubly-sparse":
        return _core.mask_numbers(estimator.model_)
    moderated = getattr(estimator, "moderated", None)
    return _core.row_numbers(estimator.model_, moderated is True, moderated is False)


def _convert_classifier(scope, operator, container):
    estimator = operator.raw_operator
    about = _numbers(estimator)
    graph = Graph(scope, container, operator.inputs[0].type)
    x = graph.cast(operator.inputs[0].full_name)
    if "centres" in about:
        p = mask_probabilities(graph, x, about, getattr(estimator, "moderated", None) is False)
    else:
        p = evidence_probabilities(graph, x, about)
    classes = len(estimator.classes_)
    p = class_probabilities(graph, p, about, classes)
    order = np.argsort(class_places(estimator.model_, estimator.classes_))
    p = graph.gather(p, order, axis=1)
    graph.name(p, operator.outputs[1].full_name)
    best = graph.node("ArgMax", p, axis=1, keepdims=0)
    labels = graph.labels(estimator.classes_)
    graph.name(graph.node("Gather", labels, best, axis=0), operator.outputs[0].full_name)


def _convert_regressor(scope, operator, container):
    estimator = operator.raw_operator
    about = _numbers(estimator)
    graph = Graph(scope, container, operator.inputs[0].type)
    x = graph.cast(operator.inputs[0].full_name)
    noise = estimator.noise_variance_
    if "centres" in about:
        f, _ = draws(graph, x, about)
        mean = graph.mean(f, axis=1)
        v = graph.mean(graph.square(graph.node("Sub", f, mean)), axis=1)
    else:
        z = inputs(graph, x, about)
        phi = basis(graph, z, about)
        mean = scores(graph, phi, about)
        if "process" in about:
            v = process_variance(graph, z, mean, about)
        else:
            v = variance(graph, phi, about["parts"][0], about["basis"])
    graph.name(mean, operator.outputs[0].full_name)
    std = graph.node("Sqrt", graph.add(v, np.array([[noise]])))
    graph.name(std, operator.outputs[1].full_name)


def _convert_selector(scope, operator, container):
    graph = Graph(scope, container, operator.inputs[0].type)
    kept = np.flatnonzero(operator.raw_operator.get_support())
    x = graph.cast(operator.inputs[0].full_name)
    graph.name(graph.gather(x, kept, axis=1), operator.outputs[0].full_name)


# --- registration ---


def _real_type(variable):
    return DoubleTensorType if isinstance(variable.type, DoubleTensorType) else FloatTensorType


def _regressor_shapes(operator):
    kind, rows = _real_type(operator.inputs[0]), operator.inputs[0].get_first_dimension()
    for output in operator.outputs:
        output.type = kind([rows, 1])


def _selector_shapes(operator):
    kind, rows = _real_type(operator.inputs[0]), operator.inputs[0].get_first_dimension()
    operator.outputs[0].type = kind([rows, int(operator.raw_operator.get_support().sum())])


# What has no graph, and why: docs/serving.md says more.
_REFUSED = {
    SparseRepresentationClassifier: "codes each row by an iteration",
    SparseCoder: "codes each row by an iteration",
    SourceFinder: "searches an image, which is no function of a row,",
}


def _refuse(scope, operator, container):
    kind = type(operator.raw_operator)
    raise ValueError(
        f"{kind.__name__} {_REFUSED[kind]} and has no ONNX form: docs/serving.md says why"
    )


def _parse_regressor(scope, model, inputs, custom_parsers=None):
    operator = scope.declare_local_operator(get_model_alias(type(model)), model)
    operator.inputs.append(inputs[0])
    kind = _real_type(inputs[0])
    for name in ("variable", "std"):
        operator.outputs.append(scope.declare_local_variable(name, kind()))
    return operator.outputs


for _kind in (ARDClassifier, RVMClassifier, SBELMClassifier, DoublySparseClassifier):
    update_registered_converter(
        _kind,
        f"Ardent{_kind.__name__}",
        calculate_linear_classifier_output_shapes,
        _convert_classifier,
        options={"zipmap": [True, False, "columns"], "nocl": [True, False]},
    )
for _kind in (ARDRegressor, RVMRegressor, SBELMRegressor, DoublySparseRegressor):
    update_registered_converter(
        _kind,
        f"Ardent{_kind.__name__}",
        _regressor_shapes,
        _convert_regressor,
        parser=_parse_regressor,
    )
for _kind in _REFUSED:
    update_registered_converter(
        _kind, f"Ardent{_kind.__name__}", lambda operator: _refuse(None, operator, None), _refuse
    )
update_registered_converter(ARDSelector, "ArdentARDSelector", _selector_shapes, _convert_selector)
