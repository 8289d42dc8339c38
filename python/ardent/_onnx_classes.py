"""From the probabilities of binary models to those of all classes, as nodes of an ONNX graph."""

import numpy as np


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


def class_probabilities(graph, p, about, classes):
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
