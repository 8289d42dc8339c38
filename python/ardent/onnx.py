"""Estimators as ONNX graphs, alone or in a Pipeline: ``import ardent.onnx`` registers them.

Then ``skl2onnx.to_onnx`` converts them as scikit-learn's own. Classifiers have the outputs ``label``
and ``probabilities``; regressors ``variable``, the mean, and ``std``, the standard deviation of a new
observation. Graphs compute in the precision of their input; pairs of classes are coupled in double.

Needs the packages skl2onnx and onnx (``pip install ardent[onnx]``), and onnxruntime or another
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
        f"ardent.onnx needs skl2onnx ({missing}): pip install ardent[onnx]"
    ) from missing

from . import _core
from ._coding import SparseRepresentationClassifier
from ._doubly_sparse import DoublySparseClassifier, DoublySparseRegressor
from ._elm import SBELMClassifier, SBELMRegressor
from ._kernel import RVMClassifier, RVMRegressor
from ._linear import ARDClassifier, ARDRegressor
from ._onnx_graph import Graph
from ._selector import ARDSelector
from ._tables import class_places


def _numbers(estimator):
    """The core's numbers of the fitted model; ValueError where a graph cannot compute it."""
    if isinstance(estimator, SparseRepresentationClassifier):
        raise ValueError(
            "SparseRepresentationClassifier codes each row by an iteration and has no ONNX form"
        )
    kernel = getattr(estimator, "kernel", "rbf")
    if callable(kernel) or kernel not in ("rbf", "precomputed"):
        raise ValueError(f"the kernel {kernel!r}, which Python computes, has no ONNX form here")
    if estimator.model_.map == "doubly-sparse":
        return _core.mask_numbers(estimator.model_)
    moderated = getattr(estimator, "moderated", None)
    return _core.row_numbers(estimator.model_, moderated is True, moderated is False)


# --- from a row to f ---


def _inputs(graph, x, about):
    """Scaled inputs of the columns that the model reads."""
    every = about.get("every_factor", np.zeros(0))
    z = graph.gather(x, about["inputs"], axis=1)
    if len(about["fill"]):
        z = graph.node("Where", graph.node("IsNaN", z), graph.real(about["fill"][None]), z)
    z = graph.mul(graph.sub(z, about["offset"][None]), about["factor"][None])
    if not len(every):
        return z
    squares = graph.square(graph.mul(x, every[None]))
    length = graph.node("Sqrt", graph.sum(squares, axis=1))
    one = graph.real(np.ones((1, 1)))
    empty = graph.node("Equal", length, graph.real(np.zeros((1, 1))))
    return graph.node("Div", z, graph.node("Where", empty, one, length))


def _kernels(graph, z, points, columns):
    """exp(-|z - point|^2) of rows and points."""
    points = points.reshape(-1, columns)
    if points.size <= 4096:  # differences lose no digits
        wide = graph.node("Unsqueeze", z, graph.integers([1]))
        distances = graph.sum(graph.square(graph.sub(wide, points[None])), axis=2, keep=False)
    else:
        norms = graph.sum(graph.square(z), axis=1)
        products = graph.mul(graph.matmul(z, points.T), np.array([[-2.0]]))
        distances = graph.add(graph.node("Add", products, norms), (points**2).sum(axis=1)[None])
        distances = graph.node("Max", distances, graph.real(np.zeros((1, 1))))
    return graph.node("Exp", graph.node("Neg", distances))


def _basis(graph, z, about):
    columns = len(about["inputs"])
    if about["map"] == "linear":
        return z
    if about["map"] == "rbf":
        return _kernels(graph, z, about["points"], columns)
    points = about["points"].reshape(-1, columns)
    return graph.node("Sigmoid", graph.add(graph.matmul(z, points.T), about["point_biases"][None]))


def _covariance(part):
    """The matrix, bias last, of a packed triangle or a diagonal."""
    size = len(part["active"]) + int(part["has_bias"])
    if part["diagonal"]:
        return np.diag(part["covariance"])
    matrix = np.zeros((size, size))
    matrix[np.tril_indices(size)] = part["covariance"]
    return matrix + np.tril(matrix, -1).T


def _variance(graph, phi, part, basis):
    """phi' Sigma phi, rows x 1."""
    sigma = _covariance(part)
    m, active = len(part["active"]), part["active"]
    full = np.zeros((basis, basis))
    full[np.ix_(active, active)] = sigma[:m, :m]
    v = graph.sum(graph.node("Mul", graph.matmul(phi, full), phi), axis=1)
    if part["has_bias"]:
        linear = np.zeros((basis, 1))
        linear[active, 0] = 2 * sigma[m, :m]
        v = graph.add(graph.node("Add", v, graph.matmul(phi, linear)), sigma[m : m + 1, m : m + 1])
    return graph.node("Max", v, graph.real(np.zeros((1, 1))))


def _scores(graph, phi, about):
    """f of every part, rows x parts."""
    weights = np.zeros((about["basis"], len(about["parts"])))
    for p, part in enumerate(about["parts"]):
        weights[part["active"], p] = part["weights"]
    return graph.add(graph.matmul(phi, weights), np.array([[p["bias"] for p in about["parts"]]]))


def _evidence_probabilities(graph, x, about):
    phi = _basis(graph, _inputs(graph, x, about), about)
    f = _scores(graph, phi, about)
    if any(part["moderated"] for part in about["parts"]):
        columns = [
            (
                _variance(graph, phi, part, about["basis"])
                if part["moderated"]
                else graph.mul(graph.gather(f, [p], axis=1), np.zeros((1, 1)))
            )
            for p, part in enumerate(about["parts"])
        ]
        v = graph.node("Concat", *columns, axis=1)
        spread = graph.add(graph.mul(v, np.array([[np.pi / 8]])), np.ones((1, 1)))
        f = graph.node("Div", f, graph.node("Sqrt", spread))
    return graph.node("Sigmoid", f)


def _draws(graph, x, about):
    """f of every draw of every part, rows x draws, and which part each draw belongs to."""
    z = _inputs(graph, x, about)
    columns = len(about["inputs"])
    centres = about["centres"].reshape(-1, columns)
    draws = [(p, d) for p, part in enumerate(about["parts"]) for d in part["draws"]]
    pairs = sum(len(d["centres"]) for _, d in draws)
    squares, products = np.zeros((columns, pairs)), np.zeros((columns, pairs))
    constants, weights = np.zeros((1, pairs)), np.zeros((pairs, len(draws)))
    at = 0
    for k, (_, draw) in enumerate(draws):
        mask = np.zeros(columns)
        mask[draw["inputs"]] = draw["delta"]
        for centre, weight in zip(draw["centres"], draw["weights"], strict=True):
            squares[:, at], products[:, at] = mask, -2 * mask * centres[centre]
            constants[0, at], weights[at, k] = mask @ centres[centre] ** 2, weight
            at += 1
    quadratic = graph.matmul(graph.square(z), squares)
    distances = graph.add(graph.node("Add", quadratic, graph.matmul(z, products)), constants)
    distances = graph.node("Max", distances, graph.real(np.zeros((1, 1))))
    phi = graph.node("Exp", graph.node("Neg", distances))
    f = graph.add(graph.matmul(phi, weights), np.array([[d["bias"] for _, d in draws]]))
    return f, np.array([p for p, _ in draws])


def _mask_probabilities(graph, x, about, plug_in):
    f, owner = _draws(graph, x, about)
    mean = (owner[:, None] == np.arange(len(about["parts"]))).astype(float)
    mean /= mean.sum(axis=0)
    if plug_in:
        return graph.node("Sigmoid", graph.matmul(f, mean))
    return graph.matmul(graph.node("Sigmoid", f), mean)


# --- from f to classes ---


def _couple(graph, p, parts, classes):
    """Wu, Lin and Weng (2004), second method: p proportional to Q^-1 1, by elimination in double."""
    graph = graph.in_double()
    a = graph.clip(graph.cast(p), 1e-7, 1 - 1e-7)
    b = graph.clip(graph.node("Sub", graph.real(np.ones((1, 1))), graph.cast(p)), 1e-7, 1 - 1e-7)
    both, of_a, of_b = (np.zeros((len(parts), classes, classes)) for _ in range(3))
    for k, part in enumerate(parts):
        i, j = part["positive"], part["negative"]
        both[k, i, j] = both[k, j, i] = -1
        of_b[k, i, i] = of_a[k, j, j] = 1
    flat = (len(parts), classes * classes)
    q = graph.matmul(graph.node("Mul", a, b), both.reshape(flat))
    q = graph.node("Add", q, graph.matmul(graph.square(a), of_a.reshape(flat)))
    q = graph.node("Add", q, graph.matmul(graph.square(b), of_b.reshape(flat)))
    q = graph.node("Reshape", q, graph.integers([-1, classes, classes]))
    # Consistent pairs make Q singular, and its null vector is the answer: a trace of the identity.
    q = graph.add(q, 1e-15 * np.eye(classes)[None])
    ones = graph.mul(graph.gather(q, [0], axis=2), np.zeros((1, 1, 1)))
    system = graph.node("Concat", q, graph.add(ones, np.ones((1, 1, 1))), axis=2)
    for i in range(classes):
        row = graph.gather(system, [i], axis=1)
        row = graph.node("Div", row, graph.gather(row, [i], axis=2))
        unit = np.zeros((1, classes, 1))
        unit[0, i] = 1
        column = graph.sub(graph.gather(system, [i], axis=2), unit)
        system = graph.node("Sub", system, graph.node("Mul", column, row))
    p = graph.node("Squeeze", graph.gather(system, [classes], axis=2), graph.integers([2]))
    p = graph.node("Max", p, graph.real(np.zeros((1, 1))))
    return graph.node("Div", p, graph.sum(p, axis=1))


def _class_probabilities(graph, p, about, classes):
    """Rows x classes, in the model's order."""
    parts = about["parts"]
    if classes == 2:
        other = graph.node("Sub", graph.real(np.ones((1, 1))), p)
        pair = (other, p) if parts[0]["positive"] == 1 else (p, other)
        return graph.node("Concat", *pair, axis=1)
    if parts[0]["negative"] >= 0:
        p = graph.cast(_couple(graph, p, parts, classes))
    else:
        places = np.zeros((len(parts), classes))
        for k, part in enumerate(parts):
            places[k, part["positive"]] = 1
        p = graph.add(
            graph.matmul(p, places), np.full((1, 1), 1e-300 if graph.is_double else 1e-37)
        )
        p = graph.node("Div", p, graph.sum(p, axis=1))
    if about["temperature"] == 1:
        return p
    p = graph.node("Max", p, graph.real(np.full((1, 1), 1e-12)))
    p = graph.node("Pow", p, graph.real(np.array([[1 / about["temperature"]]])))
    return graph.node("Div", p, graph.sum(p, axis=1))


def _convert_classifier(scope, operator, container):
    estimator = operator.raw_operator
    about = _numbers(estimator)
    graph = Graph(scope, container, operator.inputs[0].type)
    x = graph.cast(operator.inputs[0].full_name)
    if "centres" in about:
        p = _mask_probabilities(graph, x, about, getattr(estimator, "moderated", None) is False)
    else:
        p = _evidence_probabilities(graph, x, about)
    classes = len(estimator.classes_)
    p = _class_probabilities(graph, p, about, classes)
    order = np.argsort(class_places(estimator.model_, estimator.classes_))
    p = graph.gather(p, order, axis=1)
    graph.name(p, operator.outputs[1].full_name)
    best = graph.node("ArgMax", p, axis=1, keepdims=0)
    labels = graph.labels(estimator.classes_)
    graph.name(graph.node("Gather", labels, best, axis=0), operator.outputs[0].full_name)


# --- regression ---


def _process_variance(graph, z, mean, about):
    process = about["process"]
    columns, size = len(about["inputs"]), len(process["weights"])
    k = _kernels(graph, z, process["rows"], columns)
    half = np.zeros((size, size))
    half[np.tril_indices(size)] = process["half"]
    h = graph.matmul(k, half.T)
    s2 = np.array([[process["amplitude"]]])
    v = graph.add(graph.node("Neg", graph.sum(graph.square(h), axis=1)), s2)
    if len(process["ones"]):
        ones = process["ones"][:, None]
        left = graph.add(graph.node("Neg", graph.matmul(h, ones)), np.ones((1, 1)))
        v = graph.node("Add", v, graph.mul(graph.square(left), 1 / (ones.T @ ones)))
    v = graph.node("Max", v, graph.real(np.zeros((1, 1))))
    expected = graph.matmul(k, s2 * process["weights"][:, None])
    off = graph.sub(graph.node("Sub", expected, mean), np.array([[-process["bias"]]]))
    return graph.node("Add", v, graph.square(off))


def _convert_regressor(scope, operator, container):
    estimator = operator.raw_operator
    about = _numbers(estimator)
    graph = Graph(scope, container, operator.inputs[0].type)
    x = graph.cast(operator.inputs[0].full_name)
    noise = estimator.noise_variance_
    if "centres" in about:
        f, _ = _draws(graph, x, about)
        mean = graph.mean(f, axis=1)
        v = graph.mean(graph.square(graph.node("Sub", f, mean)), axis=1)
    else:
        z = _inputs(graph, x, about)
        phi = _basis(graph, z, about)
        mean = _scores(graph, phi, about)
        if "process" in about:
            v = _process_variance(graph, z, mean, about)
        else:
            v = _variance(graph, phi, about["parts"][0], about["basis"])
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


def _parse_regressor(scope, model, inputs, custom_parsers=None):
    operator = scope.declare_local_operator(get_model_alias(type(model)), model)
    operator.inputs.append(inputs[0])
    kind = _real_type(inputs[0])
    for name in ("variable", "std"):
        operator.outputs.append(scope.declare_local_variable(name, kind()))
    return operator.outputs


for _kind in (
    ARDClassifier,
    RVMClassifier,
    SBELMClassifier,
    DoublySparseClassifier,
    SparseRepresentationClassifier,
):
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
update_registered_converter(ARDSelector, "ArdentARDSelector", _selector_shapes, _convert_selector)
