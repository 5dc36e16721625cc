"""docs/array-api.md beside the module, and the functions that it says are there beside NumPy's."""

import pathlib
import re
import warnings

import numpy as np
import pytest

import trellis as tr

PAGE = (pathlib.Path(__file__).parents[2] / "docs/array-api.md").read_text()
xp = tr.lazy


def rows():
    """(name, "there" | "limits" | "absent") of the tables."""
    for line in PAGE.splitlines():
        cells = [one.strip() for one in line.split("|")]
        if len(cells) >= 4 and cells[2] in ("there", "limits", "absent"):
            yield from ((name, cells[2]) for name in re.findall(r"`(\w+)`", cells[1]))


def test_the_page_is_true():
    said = dict(rows())
    assert len(said) > 140
    for name, what in said.items():
        assert (name in xp.__all__) == (what != "absent"), name
    beyond = PAGE.split("## Beyond the standard")[1].split("`")[1].split()
    assert set(xp.__all__) - {"LazyArray"} == {name for name, what in said.items() if what != "absent"} | set(beyond)


def test_the_page_has_all_of_the_standard():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        array_api = pytest.importorskip("numpy.array_api")
    later = {"isdtype", "take"}  # of 2022.12
    assert set(array_api.__all__) - {"__array_api_version__", "linalg"} | later <= {name for name, _ in rows()}


X = np.array([[0.0, 0.5, -0.25], [0.75, 0.0, 1.0]])
UNARY = {"abs": np.abs, "acos": np.arccos, "asin": np.arcsin, "asinh": np.arcsinh, "atan": np.arctan,
         "bitwise_invert": None, "atanh": lambda x: np.arctanh(x), "acosh": lambda x: np.arccosh(x)}


@pytest.mark.parametrize("name", """abs asin acos atan asinh ceil cos cosh exp expm1 floor isfinite isinf isnan log1p
    logical_not negative positive round sign sin sinh square tan tanh trunc all any max min mean prod std sum var argmax
    argmin flip matrix_transpose tril triu zeros_like ones_like cbrt exp2""".split())
def test_functions_of_one_array(name):
    theirs = UNARY.get(name) or getattr(np, name, None) or {"matrix_transpose": np.transpose}[name]
    sparse = tr.lazy(tr.asarray(X, "csr"))
    found, expected = getattr(xp, name)(sparse).compute(format="dense"), np.asarray(theirs(X))
    assert found.shape == expected.shape and found.dtype == expected.dtype
    assert np.allclose(found, expected)


@pytest.mark.parametrize("name", ["sqrt", "log", "log2", "log10", "acosh", "atanh"])
def test_functions_of_part_of_the_numbers(name):
    x = np.array([1.0, 1.5, 3.0]) if name != "atanh" else np.array([0.0, 0.5, -0.9])
    assert np.allclose(getattr(xp, name)(x).compute(), (UNARY.get(name) or getattr(np, name))(x))


@pytest.mark.parametrize("name, theirs", [(one, getattr(np, one)) for one in """add subtract multiply divide
    floor_divide remainder equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor logaddexp
    maximum minimum hypot""".split()] + [("pow", np.power), ("atan2", np.arctan2)])
def test_functions_of_two_arrays(name, theirs):
    a, b = np.array([1.5, -7.25, 0.1, 1.0]), np.array([0.5, 2.0, 0.3, 0.1])
    if name == "pow":
        a = np.abs(a)
    found = getattr(xp, name)(tr.lazy(a), b).compute()
    expected = theirs(a, b)
    assert found.dtype == expected.dtype and np.allclose(found, expected)


@pytest.mark.parametrize("name, theirs", [("bitwise_and", np.bitwise_and), ("bitwise_or", np.bitwise_or),
                                          ("bitwise_xor", np.bitwise_xor), ("floor_divide", np.floor_divide),
                                          ("bitwise_left_shift", np.left_shift), ("remainder", np.remainder),
                                          ("bitwise_right_shift", np.right_shift), ("divide", np.divide)])
def test_functions_of_integers(name, theirs):
    a, b = np.array([5, -9, 12], np.int32), np.array([3, 2, 1], np.int32)
    found, expected = getattr(xp, name)(tr.lazy(a), b).compute(), theirs(a, b)
    assert found.dtype == expected.dtype and np.array_equal(found, expected)


def test_creation():
    for made, expected in [(xp.zeros((2, 3)), np.zeros((2, 3))), (xp.ones(3, dtype=xp.int32), np.ones(3, np.int32)),
                           (xp.full((2,), True), np.full((2,), True)), (xp.eye(3, 4, k=1), np.eye(3, 4, k=1)),
                           (xp.eye(4, 3, k=-2), np.eye(4, 3, k=-2)), (xp.arange(2, 9, 3), np.arange(2, 9, 3)),
                           (xp.linspace(0, 1, 5), np.linspace(0, 1, 5)), (xp.empty(2), np.zeros(2)),
                           (xp.full_like(np.ones(2, np.uint8), 7), np.full(2, 7, np.uint8))]:
        found = made.compute(format="dense")
        assert found.dtype == expected.dtype and np.array_equal(found, expected)
    for ours, theirs in zip(xp.meshgrid([1, 2], [3, 4, 5]), np.meshgrid([1, 2], [3, 4, 5])):
        assert np.array_equal(ours.compute(), theirs)


def test_products_and_norms():
    a, b = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)
    t, u = np.arange(24.0).reshape(2, 3, 4), np.arange(40.0).reshape(2, 4, 5)
    L = tr.lazy(a)
    for found, expected in [(xp.tensordot(L, b, axes=1), a @ b), (xp.tensordot(L, a), np.tensordot(a, a)),
                            (xp.tensordot(L, b, axes=([1], [0])), a @ b), (xp.vecdot(L, a), (a * a).sum(1)),
                            (xp.matmul(t, u), t @ u), (xp.matmul(t, u[0]), t @ u[0]), (xp.matmul(t, b[0]), t @ b[0]),
                            (xp.einsum("ij,jk", L, b), a @ b), (xp.trace(b[:3, :3]), np.trace(b[:3, :3])),
                            (xp.norm(L), np.linalg.norm(a)), (xp.norm(L, 1), np.linalg.norm(a, 1)),
                            (xp.norm(L, -np.inf), np.linalg.norm(a, -np.inf)), (xp.vector_norm(L, ord=3, axis=1),
                                                                              np.linalg.norm(a, 3, axis=1)),
                            (xp.outer(a[0], a[1]), np.outer(a[0], a[1]))]:
        assert np.allclose(found.compute(), expected)


def test_types():
    assert tr.lazy(X).__array_namespace__() is tr.lazy and tr.lazy(X).dtype == xp.float64
    assert xp.isdtype(xp.int16, "integral") and not xp.isdtype(xp.bool, ("numeric", "real floating"))
    assert xp.result_type(xp.int32, 1.5) == xp.float64 and xp.can_cast(xp.int16, xp.int32)
    assert (tr.lazy(np.ones(2, np.float32)) * 2.5).dtype == xp.float32
    assert (tr.lazy(np.ones(2, np.int16)) + 1).dtype == xp.int16
    assert (tr.lazy(np.ones(2, np.int32)) / 2).dtype == xp.float64
    assert abs(tr.lazy(np.ones(2, bool))).dtype == xp.bool
    assert (tr.lazy(np.ones(2, np.float32)) * np.float64(2.5)).dtype == xp.float64
