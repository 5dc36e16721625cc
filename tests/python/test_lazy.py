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


def test_nothing_is_computed_before_it_is_asked_for(monkeypatch):
    monkeypatch.setattr(_core, "compute", None)
    text = repr((L @ X).sum() + 1)
    assert text == "<trellis lazy array () float64: sum(i)(sum(j)(csr(i,j) * dense(j))) + 1>"


def test_values_are_read_when_they_are_needed():
    a = np.ones(3)
    twice = tr.lazy(a) * 2
    a[1] = 5
    assert np.array_equal(twice.compute(), [2, 10, 2])


def test_several_are_planned_together():
    product = L @ M.T
    s, t = tr.compute(product.sum(), (product * 2).sum(axis=0))
    expected = (A @ B.T).toarray()
    assert np.isclose(s, expected.sum()) and np.allclose(t, 2 * expected.sum(axis=0))
    assert tr.compute() == ()


def test_equal_parts_are_kept_once():
    u = (L @ X).sum()
    plan = (L * u + L.T.sum() * u).plan()
    kept = [one["query"].split(" = ")[1] for one in plan.queries if one["temporary"]]
    assert len(kept) == len(set(kept)) and kept
    same((L * u + u).compute(format="dense"), A.toarray() * (A @ X).sum() + (A @ X).sum())


def test_conversions():
    total = L.sum()
    assert float(total) == pytest.approx(A.sum()) and int(tr.lazy(np.arange(4)).sum()) == 6
    assert bool((L != 0).any()) and [10, 20, 30][tr.lazy(np.arange(3)).max()] == 30
    assert np.allclose(np.asarray(L @ X), A @ X) and np.allclose(np.array(total), A.sum())
    with pytest.raises(TypeError):
        float(L)
    with pytest.raises(TypeError):
        iter(L)


@pytest.mark.parametrize("work, code, fix", [
    (lambda: np.asarray(L), "E0704", '.compute(format="dense")'),
    (lambda: tr.lazy(np.ones(3, np.float16)), "E0703", "astype('float32')"),
    (lambda: tr.lazy.astype(L, "complex128"), "E0703", None),
    (lambda: L[np.array([1, 2])], "E0705", "where(mask, x, 0)"),
    (lambda: np.sort(L), "E0705", "np.asarray(x.compute(format='dense'))"),
    (lambda: np.spacing(L), "E0705", "np.asarray(x.compute(format='dense'))"),
    (lambda: np.add(L, 1, out=np.ones((20, 30))), "E0705", "out[...] = x.compute()"),
    (lambda: tr.lazy.asarray(L, copy=True), "E0705", "asarray(x.copy())"),
])
def test_what_is_refused_has_a_code_and_a_fix(work, code, fix):
    with pytest.raises(tr.Error) as refused:
        work()
    assert refused.value.code == code and refused.value.fixes == ((fix,) if fix else ())


def test_a_large_dense_result_is_refused():
    wide = sp.random(4000, 4000, density=1e-5, format="csr", random_state=1)
    outer = tr.lazy(wide) + np.ones(4000)
    with pytest.raises(tr.Error) as refused:
        outer.compute()
    assert refused.value.code == "E0702" and refused.value.fixes == ('format="dense"',)
    assert outer.compute(format="dense").shape == (4000, 4000)


@pytest.mark.parametrize("work", [lambda: L + np.ones(7), lambda: L @ L, lambda: tr.lazy(np.ones((0, 2))).max(),
                                  lambda: L.sum(axis=2), lambda: tr.einsum("ij,j", L), lambda: L.reshape(7, -1),
                                  lambda: tr.lazy.einsum("ij->ii", L), lambda: tr.semiring("+", "max?")])
def test_shapes_that_do_not_fit(work):
    with pytest.raises(ValueError):
        work()


def test_faults_at_run_time():
    with pytest.raises(tr.Fault) as fault:
        (tr.lazy(np.array([1, 2])) // np.array([1, 0])).compute()
    assert fault.value.code == "E0502"
    assert np.allclose((L @ X).compute(isolate=True), A @ X), "in a child process"


def test_the_same_structure_is_compiled_once():
    _core.forget_programs()

    def work(a, b):
        return float(((tr.lazy(a) @ b) * 2).sum())

    work(A, X)
    assert _core.programs() == 1
    other = sp.random(17, 29, density=0.3, format="csr", random_state=5)
    assert work(other, np.ones(29)) == pytest.approx(2 * other.sum()), "other sizes and data"
    assert _core.programs() == 1
    work(A.tocsc(), X)
    assert _core.programs() == 2, "another format is other code"
    work(A, X.astype(np.float32))
    assert _core.programs() == 3, "and so is another type"
    assert float((tr.lazy(A) @ X).sum() * 2) == pytest.approx(work(A, X)), "and another expression"
    assert _core.programs() == 4


def test_what_says_a_size_is_compiled_for_it():
    for n in (5, 6, 7, 5):
        x = np.arange(float(n))
        assert np.array_equal(tr.lazy.roll(tr.lazy(x), 1).compute(), np.roll(x, 1))
        assert np.array_equal(tr.lazy.concat([x, x[:2]]).compute(), np.concatenate([x, x[:2]]))
        assert float((tr.lazy(x) + 1).sum()) == (x + 1).sum(), "a fill of 1 counts"
        assert float(tr.lazy(x).mean()) == x.mean()
    square = sp.random(6, 6, density=0.4, format="csr", random_state=1)
    for a in (square, square[:5, :5], sp.csr_matrix(np.eye(9))):
        assert float(((tr.lazy(a) @ a) * a).sum()) == pytest.approx((a @ a).multiply(a).sum())


@pytest.mark.parametrize("tier", ["jit", "native"])
@pytest.mark.parametrize("dtype", [float, np.int64, np.int32, np.uint8])
def test_products_under_masks_add_up_what_the_masks_ask_for(tier, dtype, rng):
    """Rows of the product are cleared where they are read alone."""
    A, B, M, N = (sp.random(60, 60, density=0.1, format="csr", random_state=rng) for _ in range(4))
    A, B, M, N = ((100 * one).astype(dtype) for one in (A, B, M, N))
    a, b, m, n = map(tr.lazy, (A, B, M, N))
    product = A.toarray() @ B.toarray()
    for mask, theirs in ((m, M.toarray()), (m + n, (M + N).toarray()), (m * n, M.toarray() * N.toarray())):
        assert np.allclose(((a @ b) * mask).compute(tier=tier).toarray(), product * theirs)
        assert float((mask * (a @ b)).sum().compute(tier=tier)) == pytest.approx(float((product * theirs).sum()))


def test_plans_say_why():
    plan = tr.einsum("ij,jk,k->i", L, C, np.ones(15)).plan()
    text = plan.why()
    assert len(plan.queries) == 2 and "R(i) = " in text
    assert "chosen, about" in text and "second, about" in text and "rounds: " in text and "flips at " in text
    assert "tensor A(" in plan.text and "for all sizes" in text
    exact = tr.einsum("ij,jk,k->i", L, C, np.ones(15)).plan(exact=True)
    assert not exact.steps[0] and "second" not in exact.choice
    assert tr.lazy.sum(L).plan().choice == ""
    assert "<table>" in plan._repr_html_() and "for" in plan.c
    assert "double" in (L @ X).plan().c


@pytest.mark.parametrize("function", [np.sum, np.mean, np.max, np.prod, np.any, np.argmax])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_functions_of_numpy(function, axis):
    assert np.allclose(function(L, axis=axis).compute(), function(A.toarray(), axis=axis))


@pytest.mark.parametrize("work", [
    lambda a: np.sqrt(np.abs(a)) + np.exp(a), lambda a: np.add.reduce(a, axis=1), lambda a: np.multiply.outer(a, X[:3]),
    lambda a: np.linalg.norm(a), lambda a: np.linalg.norm(a, 1), lambda a: np.linalg.norm(a, axis=0),
    lambda a: np.where(a > 0.5, a, -1.0), lambda a: np.vstack([a, a]), lambda a: np.hstack([a, a]),
    lambda a: np.ravel(a),
    lambda a: np.swapaxes(a, 0, 1), lambda a: np.moveaxis(a, 0, 1), lambda a: np.clip(a, 0.25, 0.5),
    lambda a: np.round(a, 1), lambda a: np.std(a, axis=1, ddof=1), lambda a: np.einsum("ij,ij->j", a, a),
    lambda a: np.dot(a, X), lambda a: X @ a.T, lambda a: 1 / (a + 2), lambda a: 2**a, lambda a: a[3],
    lambda a: a[-1, ::-2],
    lambda a: a[None, 2:9:3, ..., 1], lambda a: abs(-a) % 0.25, lambda a: a // 0.3, lambda a: np.tril(a, -1),
    lambda a: np.stack([a, a + 1], axis=1), lambda a: np.roll(a, 3), lambda a: np.flip(a, 0),
    lambda a: np.squeeze(a[:1]),
], ids=str)
def test_ufuncs_and_functions_build_nodes(work):
    made = work(L)
    assert isinstance(made, tr.lazy.LazyArray)
    same(made.compute(), work(A.toarray()))


def test_the_language_of_indices_is_numpys():
    a = np.arange(24.0).reshape(2, 3, 4)
    lazy = tr.lazy(a)
    for index in [0, -1, (1, 2), (..., 1), (slice(None), -1), (None, 1, ..., slice(3, None, -2)), slice(2, 0),
                  (slice(-1, None), slice(5), 3), Ellipsis, ()]:
        assert np.array_equal(lazy[index].compute(format="dense"), a[index]), index
    for index in [2, (0, 3), (0, 0, 0, 0)]:
        with pytest.raises(IndexError):
            lazy[index]


PAIRS = [("min", "+"), ("max", "+"), ("max", "*"), ("min", "max"), ("max", "min"), ("+", "*"), ("any", "&&"),
         ("all", "||")]


def by_hand(add, multiply, a, b):
    products = {"+": np.add, "*": np.multiply, "min": np.minimum, "max": np.maximum, "&&": np.logical_and,
                "||": np.logical_or}[multiply](a[:, :, None], b[None, :, :])
    return {"min": np.min, "max": np.max, "+": np.sum, "any": np.any, "all": np.all}[add](products, axis=1)


@pytest.mark.parametrize("add, multiply", PAIRS)
@pytest.mark.parametrize("filled", [False, True])
def test_semirings(add, multiply, filled, rng):
    ring = tr.semiring(add, multiply)
    a, b = rng.integers(1, 9, (5, 6)).astype(float), rng.integers(1, 9, (6, 4)).astype(float)
    if add in ("any", "all"):
        a, b = a > 5, b > 5
    zero = ring.zero(a.dtype)
    background = zero if filled else a.dtype.type(0)
    a, b = (np.where(rng.random(one.shape) < 0.5, one, background) for one in (a, b))
    said = f"csr fill {background.item()}".lower() if background else "csr"
    x, y = tr.asarray(a, said), tr.asarray(b, said)
    same(ring.matmul(x, y).compute(), by_hand(add, multiply, a, b))
    same(ring.einsum("ij,jk->k", x, y).compute(format="dense"),
         {"+": np.sum}.get(add, getattr(np, add, None))(by_hand(add, multiply, a, b), axis=0))
    same(ring.sum(x, axis=1).compute(), {"+": np.sum}.get(add, getattr(np, add, None))(a, axis=1))
    assert ring.skips(x) == (background == zero)


def test_shortest_paths():
    ring = tr.semiring("min", "+")
    steps = sp.csr_matrix(np.array([[0, 3.0, 9], [0, 0, 4], [1, 0, 0]]))
    lengths = ring.sparse(steps)
    assert lengths.fill == np.inf and ring.skips(lengths)
    two = ring.matmul(lengths, lengths).compute()
    assert isinstance(two, tr.Array) and two.fill == np.inf
    assert np.array_equal(two.todense(), [[10, np.inf, 7], [5, np.inf, np.inf], [np.inf, 4, 10]])
    assert ring == tr.semiring("min", "+") and ring != tr.semiring("max", "+")
    assert ring.plus(lengths, lengths).compute().fill == np.inf
    assert float(ring.vecdot(np.array([3.0, 1]), np.array([1.0, 2]))) == 3


def test_products_are_associated_as_operands_ask_for_it():
    n = 300
    A, B = (sp.random(n, n, 0.02, "csr", random_state=k) for k in (1, 2))
    v = np.random.default_rng(3).random(n)
    chain = tr.lazy(A) @ B @ v
    assert [one["query"] for one in chain.plan().queries] == ["t1(i) = sum(j)(B(i,j) * C(j))",
                                                             "R(i) = sum(j)(A(i,j) * t1(j))"]
    assert np.allclose(chain.compute(), A @ (B @ v))
    same = tr.lazy(A)
    assert np.allclose((same @ same @ v).compute(), A @ (A @ v))


def test_a_plan_is_made_anew_for_other_numbers_of_entries():
    import trellis._core as core

    n = 400
    B, v = sp.random(n, n, 0.05, "csr", random_state=1), np.ones(n)
    core.forget_programs()
    counts = []
    for density in (0.05, 0.0501, 0.0002):
        A = sp.random(n, n, density, "csr", random_state=2)
        assert np.allclose(tr.einsum("ij,jk,k->i", A, B, v).compute(), A @ (B @ v))
        counts.append(core.programs())
    assert counts == [1, 1, 2]


def test_tuning_keeps_the_plan_that_is_measured_to_be_the_fastest():
    n = 300
    A, B = (sp.random(n, n, 0.05, "csr", random_state=k) for k in (1, 2))
    v = np.arange(float(n))
    chain = tr.einsum("ij,jk,k->i", A, B, v)
    tuned = tr.tune(chain, seconds=0.5, most=3, tier="jit")
    assert len(tuned.ways) == 3 and sum(way["chosen"] for way in tuned.ways) == 1
    measured = [way["measured"] for way in tuned.ways if way["runs"]]
    assert tuned.chosen["measured"] == min(measured) and tuned.ways[0]["runs"] > 0
    assert "ms of" in repr(tuned) and repr(tuned).count("\n") == 2
    from trellis import _core

    programs = _core.programs()
    assert np.allclose(tr.einsum("ij,jk,k->i", A, B, v).compute(tier="jit"), A @ (B @ v))
    assert _core.programs() == programs, "what was measured is what is called"
    assert len(tr.tune(tr.lazy(A) @ v, seconds=0.1, tier="jit").ways) == 1
    with pytest.raises(ValueError):
        tr.tune()


def test_what_a_run_finds_far_from_what_was_expected_is_planned_anew():
    from trellis import _core

    n, block = 6000, 20
    A = sp.csr_matrix(sp.block_diag([np.ones((block, block))] * (n // block)))
    _core.forget_programs()
    expected = A @ A @ A
    for programs in (0, 1, 1):
        assert abs((tr.lazy(A) @ A @ A).compute() - expected).max() == 0
        assert _core.programs() == programs, "at first far more was expected than there is"
    assert f"{n * block} entries" in (tr.lazy(A) @ A @ A).plan().why()


def test_exact_sums_are_planned_and_keep_their_order():
    n = 40
    A, B = (sp.random(n, n, 0.3, "csr", random_state=k) for k in (1, 2))
    v = np.random.default_rng(3).random(n)
    chain = tr.einsum("ij,jk,k->i", A, B, v)
    plan = chain.plan(exact=True)
    assert [one["query"] for one in plan.queries] == ["R(i) = sum(j,k)(A(i,j) * B(j,k) * C(k))"]
    assert "order i j k" in plan.choice and "rounds: " not in plan.choice
    expected = np.zeros(n)
    for i in range(n):
        for j in A.indices[A.indptr[i]:A.indptr[i + 1]]:
            for k in B.indices[B.indptr[j]:B.indptr[j + 1]]:
                expected[i] += A[i, j] * B[j, k] * v[k]
    assert np.array_equal(chain.compute(exact=True, tier="jit"), expected)
    counts = tr.einsum("ij,jk,k->i", A.astype(np.int64), B.astype(np.int64), np.arange(n))
    assert len(counts.plan(exact=True).queries) == 2, "sums of integers are the same in any order"
