"""Lazy arrays: what they compute, in which classes, what is refused and what is compiled again."""

import numpy as np
import pytest
import scipy.sparse as sp

import trellis as tr
from trellis import _core

A = sp.random(20, 30, density=0.2, format="csr", random_state=1)
B = sp.random(20, 30, density=0.2, format="csr", random_state=2)
C = sp.random(30, 15, density=0.2, format="csr", random_state=3)
X = np.linspace(0, 1, 30)
L, M = tr.lazy(A), tr.lazy(B)


def dense(result):
    if sp.issparse(result):
        return result.toarray()
    return result.todense() if isinstance(result, tr.Array) else np.asarray(result)


def same(result, expected):
    result, expected = dense(result), dense(expected)
    assert result.shape == expected.shape and np.allclose(result, expected)


@pytest.mark.parametrize("expression, expected, kind", [
    (lambda: L @ X, A @ X, None),
    (lambda: X[:20] @ L, X[:20] @ A, None),
    (lambda: L @ tr.lazy(C), A @ C, "csr"),
    (lambda: L @ C.toarray(), A @ C.toarray(), None),
    (lambda: L * M, A.multiply(B), "csr"),
    (lambda: L + M, A + B, "csr"),
    (lambda: -tr.lazy(A.tocsc()), -A, "csc"),
    (lambda: L.T, A.T, "csr"),
    (lambda: L.sum(axis=1), A.sum(axis=1).A1, None),
    (lambda: np.sin(L), np.sin(A.toarray()), "csr"),
    (lambda: L * X, A.multiply(X), "csr"),
    (lambda: tr.lazy.tril(L, k=2), sp.tril(A, 2), "csr"),
    (lambda: tr.lazy.eye(20) @ L, A, "array"),
    (lambda: (L @ tr.lazy(C)).sum(), (A @ C).sum(), None),
    (lambda: tr.einsum("ik,jk,ij->", L, M, np.ones((20, 20))), (A @ B.T).sum(), None),
    (lambda: tr.lazy.where(L > 0.5, L, 0), A.multiply(A > 0.5), "csr"),
])
def test_elements_and_classes(expression, expected, kind):
    result = expression().compute()
    found = result.format if sp.issparse(result) else "array" if isinstance(result, tr.Array) else None
    assert found == kind
    same(result, expected)
