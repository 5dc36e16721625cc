"""Rewrites that are tempting and wrong, each on an instance that refutes it (docs/design/arrays.md#rewrites)."""

import numpy as np
import pytest
import scipy.sparse as sp

import trellis as tr
from lazy_random import check

xp = tr.lazy
S = np.array([[0.0, 2.0, 0.0], [3.0, 0.0, 0.0]])
ONES = tr.asarray(np.array([[1.0, 2.0], [1.0, 1.0]]), "csr fill 1")
MASK = sp.csr_matrix(np.array([[True, False, False], [False, True, False]]))
V = np.array([2.0, -1.0])
ROW = np.array([-1.0, 0.5, 3.0])


def dense(x):
    made = x.compute(format="dense")
    return np.asarray(made)


@pytest.mark.parametrize("lazy, expected", [
    # A sum over an axis that repeats is n times the operand.
    (lambda: xp.sum(xp.broadcast_to(ROW, (4, 3)), axis=0), 4 * ROW),
    (lambda: xp.prod(xp.broadcast_to(ROW, (4, 3)), axis=0), ROW**4),
    (lambda: xp.sum(tr.lazy(S) + V[:, None], axis=1), S.sum(1) + 3 * V),
    # Reductions see what is not stored.
    (lambda: xp.sum(tr.lazy(ONES)), 5.0), (lambda: xp.prod(tr.lazy(sp.csr_matrix(S)) + 2), (S + 2).prod()),
    (lambda: xp.min(tr.lazy(sp.csr_matrix(S)) + 1, axis=0), (S + 1).min(0)),
    (lambda: xp.mean(tr.lazy(sp.csr_matrix(S)), axis=1), S.mean(1)),
    # Products intersect for fills of 0 alone.
    (lambda: tr.lazy(ONES) * tr.lazy(ONES), np.array([[1.0, 4.0], [1.0, 1.0]])),
    (lambda: (tr.lazy(sp.csr_matrix(S)) + 1) * (tr.lazy(sp.csr_matrix(S)) + 1), (S + 1) ** 2),
    # A choice is about its condition, too.
    (lambda: xp.where(MASK, 1.0, tr.lazy(sp.csr_matrix(S))), np.where(MASK.toarray(), 1, S)),
    (lambda: xp.where(tr.lazy(MASK) == False, 5.0, 0.0), np.where(MASK.toarray(), 0, 5.0)),  # noqa: E712
    # prod(a b) is not a prod(b).
    (lambda: xp.prod(tr.lazy(V)[:, None] * S, axis=1), (V[:, None] * S).prod(1)),
    (lambda: xp.prod(tr.lazy(V)[:, None] * (S + 1), axis=1), (V[:, None] * (S + 1)).prod(1)),
    # argmin(a b) is not argmin b: a may be negative.
    (lambda: xp.argmin(tr.lazy(V)[:, None] * ROW, axis=1), (V[:, None] * ROW).argmin(1)),
    # argmin(a + b) is not argmin b: sums of floating numbers tie.
    (lambda: xp.argmin(tr.lazy(np.array([1e16]))[:, None] + np.array([0.5, 0.0]), axis=1), np.array([0])),
    # Sums of minima are no minima of sums.
    (lambda: xp.sum(xp.min(tr.lazy(S), axis=1), axis=0), S.min(1).sum()),
    (lambda: xp.min(xp.sum(tr.lazy(S), axis=1), axis=0), S.sum(1).min()),
    # max(a - b) is not max a - max b.
    (lambda: xp.max(tr.lazy(ROW) - ROW**2), (ROW - ROW**2).max()),
    (lambda: xp.max(tr.lazy(V)[:, None] - ROW), (V[:, None] - ROW).max()),
    # The condition is reduced with the choice.
    (lambda: xp.sum(xp.where(S > 1, tr.lazy(ROW), V[:, None]), axis=1), np.where(S > 1, ROW, V[:, None]).sum(1)),
    # max(a b) is not a max b.
    (lambda: xp.max(tr.lazy(V)[:, None] * ROW, axis=1), (V[:, None] * ROW).max(1)),
    # Broadcast axes of one element are reduced over it, and not over what they meet.
    (lambda: xp.sum(tr.lazy(V)[:, None] * S), (V[:, None] * S).sum()),
])
def test_wrong(lazy, expected):
    found = dense(lazy())
    assert found.shape == np.shape(expected) and np.allclose(found, expected)


def test_an_array_used_twice_does_not_meet_itself():
    a = np.arange(9.0).reshape(3, 3)
    L = tr.lazy(a)
    assert float(xp.trace(L @ L)) == np.trace(a @ a)
    assert np.allclose((L @ L + L.T @ L).compute(), a @ a + a.T @ a)
    assert np.allclose((L * L.T).sum(axis=0).compute(), (a * a.T).sum(0))


def test_minima_of_integers_wrap():
    most = np.array([2**62, 2**62 + 1]) * 2 - 1
    lazy = tr.lazy(np.array([1, 5]))[:, None] + most
    with np.errstate(over="ignore"):
        expected = (np.array([1, 5])[:, None] + most).min(1)
    assert np.array_equal(xp.min(lazy, axis=1).compute(), expected)


def test_small_numbers_are_not_lost_beside_a_large_fill():
    x = np.full(4, 1e16)
    x[:2] = 0.1
    lazy = tr.lazy(tr.asarray(np.where(x == 0.1, x, 0), "compressed"))
    assert float(lazy.sum()) == pytest.approx(0.2)


def test_a_choice_is_no_arithmetic():
    x = np.array([1e308, 1.0])
    found = xp.where(np.array([True, False]), tr.lazy(x) * 10, 2.0).compute()
    assert found[1] == 2, "inf is not chosen"


def test_zeros_that_are_computed_are_results():
    a = sp.csr_matrix(S)
    difference = (tr.lazy(a) - a).compute()
    assert difference.nnz == a.nnz and not difference.toarray().any(), "structure decides, not data"


@pytest.mark.filterwarnings("ignore::trellis.TrellisWarning")
@pytest.mark.parametrize("first", range(0, 400, 100))
def test_random_expressions(first):
    wrong = [said for seed in range(first, first + 100) if (said := check(seed))]
    assert not wrong, "\n\n".join(wrong)
