"""Operands with a size of 0, and operands without entries, of every kind of array."""

import numpy as np
import pytest
import scipy.sparse as sp

import trellis as tr

KINDS = {
    "ndarray": np.asarray,
    "fortran": np.asfortranarray,
    "csr": sp.csr_matrix,
    "csr_array": sp.csr_array,
    "csc": sp.csc_matrix,
    "coo": sp.coo_matrix,
    "dia": sp.dia_matrix,
    "bsr": sp.bsr_matrix,
    "lil": sp.lil_matrix,
    "dok": sp.dok_matrix,
    "pydata": lambda zeros: pytest.importorskip("sparse").COO(zeros),
}
SHAPES = [(0, 3), (3, 0), (0, 0), (3, 4), (1, 1)]
PROGRAMS = {
    "y(i) = A(i,j) * x(j)": lambda a: a @ np.ones(a.shape[1]),
    "y(i) = max(j)(A(i,j) + x(j))": lambda a: np.max(a + 1, axis=1, initial=-np.inf),
    "B(i,j) = 2 * A(i,j)": lambda a: 2 * a,
    "B(j,i) = A(i,j)": lambda a: a.T,
    "s = sum(i,j)(A(i,j))": lambda a: a.sum(),
    "c(j) = sum(i)(A(i,j))": lambda a: a.sum(axis=0),
    "B(i,k) = A(i,j) * A(k,j)": lambda a: a @ a.T,
    "B(i,j) = A(i,j) + A(i,j) * A(i,j)": lambda a: a + a * a,
}


def plain(result):
    return result if isinstance(result, (np.ndarray, np.generic)) else np.asarray(result.todense())


def made(kind, zeros):
    try:
        return KINDS[kind](zeros)
    except ValueError as problem:
        pytest.skip(f"none are made: {problem}")


@pytest.mark.filterwarnings("ignore::trellis.TrellisWarning")
@pytest.mark.parametrize("isolate", [False, True])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_operands_without_entries(kind, shape, isolate):
    zeros = np.zeros(shape)
    operand = made(kind, zeros)
    for text, expected in PROGRAMS.items():
        more = {"x": np.ones(shape[1])} if "x(" in text else {}
        result = plain(tr.compile(text).run(A=operand, isolate=isolate, **more))
        wanted = expected(zeros)
        assert result.shape == wanted.shape and np.array_equal(result, wanted), text


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_lazy_arrays_without_entries(shape):
    operand, zeros = tr.lazy(sp.csr_matrix(shape)), np.zeros(shape)
    assert np.array_equal(plain((operand @ operand.T).compute()), zeros @ zeros.T)
    assert (operand * 3).sum().compute() == 0
    assert np.array_equal(plain((operand + 1).compute()), zeros + 1)


def test_a_program_holds_for_empty_operands_after_others():
    program = tr.compile("y(i) = A(i,j) * x(j)")
    for rows, columns in [(4, 3), (0, 3), (4, 0), (4, 3), (0, 0)]:
        operand = sp.random(rows, columns, density=0.5, format="csr", random_state=1)
        assert np.allclose(program(operand, np.ones(columns)), operand @ np.ones(columns))
