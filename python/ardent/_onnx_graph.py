"""Nodes of an ONNX graph, one call each, with NumPy arrays as constants."""

import numpy as np
from onnx import TensorProto
from skl2onnx.common.data_types import DoubleTensorType


class Graph:
    """Adds nodes to what skl2onnx is converting, and returns the names of their results.

    The versions of operators are those of opset 13 to 22, in which none of them changed its form.
    """

    def __init__(self, scope, container, input_type, double=None):
        self._scope, self._container, self._input_type = scope, container, input_type
        self.is_double = isinstance(input_type, DoubleTensorType) if double is None else double

    def in_double(self):
        return Graph(self._scope, self._container, self._input_type, double=True)

    @property
    def _type(self):
        return TensorProto.DOUBLE if self.is_double else TensorProto.FLOAT

    def _add(self, operator, inputs, **attributes):
        result = self._scope.get_unique_variable_name(f"ardent_{operator.lower()}")
        self._container.add_node(
            operator,
            list(inputs),
            [result],
            name=self._scope.get_unique_operator_name(operator),
            op_version=self._container.target_opset,
            **attributes,
        )
        return result

    def node(self, operator, *inputs, **attributes):
        return self._add(operator, inputs, **attributes)

    def _constant(self, kind, shape, values):
        name = self._scope.get_unique_variable_name("ardent_constant")
        self._container.add_initializer(name, kind, list(shape), values)
        return name

    def real(self, values):
        values = np.asarray(values, dtype=np.float64 if self.is_double else np.float32)
        return self._constant(self._type, values.shape, values.ravel().tolist())

    def integers(self, values):
        return self._constant(TensorProto.INT64, [len(values)], [int(v) for v in values])

    def labels(self, classes):
        if np.issubdtype(classes.dtype, np.integer) or classes.dtype == bool:
            return self.integers(classes)
        if np.issubdtype(classes.dtype, np.floating):
            if (classes != np.round(classes)).any():
                raise ValueError("ONNX has labels that are whole numbers or words")
            return self.integers(classes)
        words = [str(word).encode() for word in classes]
        return self._constant(TensorProto.STRING, [len(words)], words)

    def name(self, value, output):
        self._container.add_node(
            "Identity", [value], [output], name=self._scope.get_unique_operator_name("Identity")
        )

    def cast(self, value):
        return self._add("Cast", [value], to=self._type)

    def add(self, value, constant):
        return self.node("Add", value, self.real(constant))

    def sub(self, value, constant):
        return self.node("Sub", value, self.real(constant))

    def mul(self, value, constant):
        return self.node("Mul", value, self.real(constant))

    def matmul(self, value, constant):
        return self.node("MatMul", value, self.real(constant))

    def square(self, value):
        return self.node("Mul", value, value)

    def clip(self, value, low, high):
        return self.node("Clip", value, self.real(np.array(low)), self.real(np.array(high)))

    def gather(self, value, indices, axis):
        return self.node("Gather", value, self.integers(indices), axis=axis)

    def sum(self, value, axis, keep=True):
        return self.node("ReduceSum", value, self.integers([axis]), keepdims=int(keep))

    def mean(self, value, axis):
        # ReduceMean takes its axes as an attribute or an input, by version; a sum does not.
        total = self.sum(value, axis)
        size = self.node("Gather", self.node("Shape", value), self.integers([axis]), axis=0)
        return self.node("Div", total, self.cast(size))
