"""From rows to each binary model's f, its variance and its probability, as nodes of an ONNX graph."""

import numpy as np


def inputs(graph, x, about):
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


def basis(graph, z, about):
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


def variance(graph, phi, part, basis):
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


def scores(graph, phi, about):
    """f of every part, rows x parts."""
    weights = np.zeros((about["basis"], len(about["parts"])))
    for p, part in enumerate(about["parts"]):
        weights[part["active"], p] = part["weights"]
    return graph.add(graph.matmul(phi, weights), np.array([[p["bias"] for p in about["parts"]]]))


def evidence_probabilities(graph, x, about):
    phi = basis(graph, inputs(graph, x, about), about)
    f = scores(graph, phi, about)
    if any(part["moderated"] for part in about["parts"]):
        columns = [
            (
                variance(graph, phi, part, about["basis"])
                if part["moderated"]
                else graph.mul(graph.gather(f, [p], axis=1), np.zeros((1, 1)))
            )
            for p, part in enumerate(about["parts"])
        ]
        v = graph.node("Concat", *columns, axis=1)
        spread = graph.add(graph.mul(v, np.array([[np.pi / 8]])), np.ones((1, 1)))
        f = graph.node("Div", f, graph.node("Sqrt", spread))
    return graph.node("Sigmoid", f)


def draws(graph, x, about):
    """f of every draw of every part, rows x draws, and which part each draw belongs to."""
    z = inputs(graph, x, about)
    columns = len(about["inputs"])
    centres = about["centres"].reshape(-1, columns)
    draws = [(p, d) for p, part in enumerate(about["parts"]) for d in part["draws"]]
    pairs = sum(len(d["centres"]) for _, d in draws)
    squares, products = np.zeros((columns, pairs)), np.zeros((columns, pairs))
    constants, weights = np.zeros((1, pairs)), np.zeros((pairs, len(draws)))
    at = 0
    for k, (_, draw) in enumerate(draws):
        mask = np.zeros(columns)
        mask[draw["inputs"]] = draw["delta"] * (draw["scales"] if len(draw["scales"]) else 1)
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


def mask_probabilities(graph, x, about, plug_in):
    f, owner = draws(graph, x, about)
    mean = (owner[:, None] == np.arange(len(about["parts"]))).astype(float)
    mean /= mean.sum(axis=0)
    if plug_in:
        return graph.node("Sigmoid", graph.matmul(f, mean))
    return graph.matmul(graph.node("Sigmoid", f), mean)


def process_variance(graph, z, mean, about):
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
