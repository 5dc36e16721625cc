"""Equations on all pairs of classes, beside NumPy on the same elements."""

import itertools

import numpy as np
import pytest
import scipy.sparse as sp

import trellis as tr

pytestmark = pytest.mark.filterwarnings("ignore::trellis.TrellisWarning")
CLASSES = ["csr", "csc", "coo", "dia", "bsr", "lil", "dense", "fortran"]
EQUATIONS = [
    ("R(i,j) = A(i,j) * B(i,j) + A(i,j)", lambda a, b: a * b + a),
    ("R(i,j) = A(i,j) - 3 * B(i,j)", lambda a, b: a - 3 * b),
    ("R(i,j) = max(A(i,j), B(i,j))", np.maximum),
    ("R(i,j) = A(i,j) * sum(k)(A(i,k) * B(j,k))", lambda a, b: a * (a @ b.T)),
    ("R(i,k) = A(i,j) * B(k,j)", lambda a, b: a @ b.T),
    ("y(j) = sum(i)(A(i,j) * B(i,j))", lambda a, b: (a * b).sum(0)),
    ("s = max(i,j)(A(i,j) + B(i,j))", lambda a, b: (a + b).max()),
]


def stored(matrix, kind):
    if kind in ("dense", "fortran"):
        return np.array(matrix, order="F" if kind == "fortran" else "C")
    return sp.csr_matrix(matrix).asformat(kind)


def dense(result):
    if sp.issparse(result):
        return result.toarray()
    return result.todense() if isinstance(result, tr.Array) else result


@pytest.mark.parametrize("text, expected", EQUATIONS, ids=[text for text, _ in EQUATIONS])
def test_pairs_of_classes(text, expected, rng):
    program = tr.compile(text, tier="jit")
    for first, second in itertools.product(CLASSES, CLASSES):
        a = (rng.random((6, 6)) < 0.4) * rng.integers(1, 9, (6, 6)).astype(float)
        b = (rng.random((6, 6)) < 0.4) * rng.integers(-9, 9, (6, 6)).astype(float)
        result = program(stored(a, first), stored(b, second))
        assert np.allclose(dense(result), expected(a, b)), (first, second)
