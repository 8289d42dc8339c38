"""10,000 training images of MNIST as atoms (1,000 a digit, seed 0) and test images as signals."""

import gzip

import numpy


def images(path):
    return numpy.frombuffer(gzip.open(path).read(), numpy.uint8, offset=16).reshape(-1, 784)


def labels(path):
    return numpy.frombuffer(gzip.open(path).read(), numpy.uint8, offset=8)


def unit(rows):
    rows = rows.astype(float)
    return rows / numpy.linalg.norm(rows, axis=1)[:, None]


def mnist(folder, count):
    random = numpy.random.RandomState(0)
    digits = labels(folder / "train-labels-idx1-ubyte.gz")
    chosen = numpy.concatenate(
        [random.permutation(numpy.where(digits == d)[0])[:1000] for d in range(10)]
    )
    atoms = unit(images(folder / "train-images-idx3-ubyte.gz")[chosen])
    tests = images(folder / "t10k-images-idx3-ubyte.gz")
    return atoms, unit(tests[random.permutation(len(tests))[:count]])
