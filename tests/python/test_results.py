"""Types and classes of results, which follow from equations and formats alone."""

import numpy as np
import pytest
import scipy.sparse as sp

import trellis as tr

A = sp.random(20, 30, density=0.2, format="csr", random_state=1)
B = sp.random(20, 30, density=0.2, format="csr", random_state=2)
C = sp.random(30, 15, density=0.2, format="csr", random_state=3)
X = np.linspace(0, 1, 30)


def same(result, expected):
    dense = result.toarray() if sp.issparse(result) else np.asarray(result)
    assert np.allclose(dense, expected.toarray() if sp.issparse(expected) else expected)


@pytest.mark.parametrize("text, operands, expected, kind", [
    ("y(i) = A(i,j) * x(j)", (A, X), A @ X, None),
    ("s = sum(i,j)(A(i,j))", (A,), A.sum(), None),
    ("R(i,j) = A(i,j) * B(i,j)", (A, B), A.multiply(B), "csr"),
    ("R(i,j) = A(i,j) + B(i,j)", (A, B), A + B, "csr"),
    ("R(i,j) = 2 * A(i,j)", (A,), 2 * A, "csr"),
    ("R(i,j) = -A(i,j)", (A.tocsc(),), -A, "csc"),
    ("R(i,j) = sin(A(i,j))", (A,), np.sin(A.toarray()), "csr"),
    ("R(i,k) = A(i,j) * C(j,k)", (A, C), A @ C, "csr"),
    ("R(i,k) = A(i,j) * D(j,k)", (A, C.toarray()), A @ C.toarray(), None),
    ("R(i,j) = A(i,j) * D(i,j)", (A, B.toarray()), A.multiply(B.toarray()), "csr"),
    ("R(i,j) = A(i,j) * x(j)", (A, X), A.multiply(X), "csr"),
    ("R(j,i) = A(i,j)", (A,), A.T, "csr"),
    ("R(i,j) = A(i,j) > 0 ? A(i,j) : 0", (A,), A, "csr"),
], ids=lambda one: one if isinstance(one, str) else "")
def test_structure_decides(text, operands, expected, kind):
    result = tr.compile(text)(*operands)
    assert (result.format if sp.issparse(result) else None) == kind
    same(result, expected)


@pytest.mark.parametrize("cls", [sp.csr_matrix, sp.csr_array, sp.csc_matrix, sp.csc_array, sp.coo_matrix, sp.coo_array])
def test_the_class_is_that_of_the_first_sparse_operand(cls):
    twice = tr.compile("R(i,j) = 2 * A(i,j)")
    result = twice(cls(A))
    assert type(result) is cls
    same(result, 2 * A)
    assert np.allclose((result @ X), 2 * (A @ X)), "SciPy computes with it"
    same(result.tocsc() + result.tocsc(), 4 * A)


@pytest.mark.parametrize("cls", [sp.csr_matrix, sp.csc_matrix])
def test_what_is_stored_where_an_operand_is_shares_its_indices(cls):
    raised = tr.compile("R(i,j) = A(i,j) * A(i,j) + 2 * A(i,j)")
    operand = cls(A, copy=True)
    result, dense = raised(operand), operand.toarray()
    assert np.shares_memory(result.indices, operand.indices)
    assert not np.shares_memory(result.data, operand.data)
    operand.data[:] = 0
    del operand
    same(result, dense * dense + 2 * dense)
    same(raised(cls((4, 5))), cls((4, 5)))


def test_what_is_stored_where_a_converted_operand_is():
    twice = tr.compile("R(i,j) = 2 * A(i,j)", A="csc", R="csc")
    result = twice(A)
    assert result.format == "csc" and twice.copies
    same(result, 2 * A)


@pytest.mark.parametrize("tier", ["auto", "jit", "native"])
def test_what_operands_make_another_kernel_of(tier):
    """Through the session, as S is stored where a result is; with so many entries d is computed in two steps."""
    M, N = (sp.random(2000, 2000, density=0.02, format="csr", random_state=seed) for seed in (1, 2))
    x = np.linspace(0, 1, 2000)
    program = tr.compile("R(i,j) = M(i,j) + N(i,j)\nS(i,j) = 2 * R(i,j)\nd(i) = sum(j,k)(M(i,j) * N(j,k) * x(k))",
                         tier=tier)
    for isolate in (False, False, True, False):
        R, S, d = program.run(M, N, x, isolate=isolate)
        assert abs(R - M - N).max() < 1e-12 and abs(S - 2 * R).max() == 0
        assert np.allclose(d, M @ (N @ x))


def test_bsr_results():
    blocks = sp.bsr_matrix(A, blocksize=(2, 3))
    result = tr.compile("R(i,j) = 2 * A(i,j)")(blocks)
    assert sp.issparse(result)
    same(result, 2 * A)


def test_sums_and_scalars_are_numbers():
    total = tr.compile("s = sum(i,j)(A(i,j))")(A)
    assert isinstance(total, np.float64)


def test_a_keyword_decides_otherwise():
    result = tr.compile("R(i,j) = 2 * A(i,j)", R="dense")(A)
    assert isinstance(result, np.ndarray)
    result = tr.compile("R(i,j) = A(i,j) + 0", R="csc")(A)
    assert result.format == "csc"
    same(result, A)


def test_a_large_dense_result_is_refused_and_a_middling_one_said():
    outer = tr.compile("R(i,j) = a(i) + A(j,i)")
    wide = sp.random(4000, 4000, density=1e-5, format="csr", random_state=1)
    with pytest.raises(tr.Error) as refused:
        outer(np.ones(4000), wide)
    assert refused.value.code == "E0702" and refused.value.fixes == ('R="dense"',)
    allowed = tr.compile("R(i,j) = a(i) + A(j,i)", R="dense")(np.ones(4000), wide)
    assert allowed.shape == (4000, 4000)
    with pytest.warns(tr.TrellisWarning, match="W0702"):
        outer(np.ones(500), sp.random(500, 500, density=1e-3, format="csr", random_state=1))


def test_several_results_are_a_named_tuple():
    both = tr.compile("y(i) = A(i,j) * x(j)\nz(i) = 2 * y(i)")
    result = both(A, X)
    assert np.allclose(result.y, A @ X) and np.allclose(result.z, 2 * (A @ X))


def test_tensors_of_a_block_are_no_results():
    program = tr.compile("tensor y(n)\nloops { tensor t(n)\n for i { t(i) = 2 * x(i) }\n for i { y(i) = t(i) + 1 } }")
    assert program.results == ("y",)
    same(program(X), 2 * X + 1)


def test_kernels_follow_each_other_through_sparse_results():
    program = tr.compile("kernel first { T(i,j) = A(i,j) * B(i,j) }\nkernel second { y(i) = T(i,j) * x(j) }")
    result = program(A, B, X)
    same(result.T, A.multiply(B))
    same(result.y, A.multiply(B) @ X)


@pytest.mark.parametrize("text, expected", [("R(i,j) = A(i,j) + 1", A.toarray() + 1),
                                            ("R(i,j) = cos(A(i,j))", np.cos(A.toarray()))])
def test_a_fill_that_is_not_0_is_kept_as_one(text, expected):
    result = tr.compile(text)(A)
    assert isinstance(result, tr.Array) and result.fill == 1 and result.nnz == A.nnz
    same(result.todense(), expected)
    fills = tr.compile("y(i) = sum(j)(B(i,j))")
    same(fills(result), expected.sum(1))


def test_results_of_other_ranks_and_fills_are_arrays():
    v = tr.asarray(np.array([0.0, 1, 0, 2]), format="compressed")
    w = tr.compile("w(i) = 2 * v(i)")(v)
    assert isinstance(w, tr.Array) and w.entries == 2
    assert np.array_equal(w.todense(), [0, 2, 0, 4])


def test_out_is_written_and_must_not_overlap():
    spmv = tr.compile("y(i) = A(i,j) * x(j)")
    y = np.full(20, 7.0)
    assert spmv.run(A, X, out=y) is y
    same(y, A @ X)
    memory = np.ones(60)
    with pytest.raises(tr.Error) as refused:
        spmv.run(A, memory[:30], out=memory[10:30])
    assert "overlaps" in str(refused.value)
    S = sp.csr_matrix(np.eye(4, dtype=np.int64))
    S.indices, S.indptr = S.indices.astype(np.int64), S.indptr.astype(np.int64)
    rows = tr.compile("r(i) = sum(j)(S(i,j))")
    assert np.array_equal(rows(S), np.ones(4))
    for index in (S.indices, S.indptr[1:]):
        with pytest.raises(tr.Error, match="overlaps"):
            rows.run(S, out=index)
    with pytest.raises(tr.Error):
        spmv.run(A, X, out=np.ones(19))


def test_pydata_results():
    sparse = pytest.importorskip("sparse")
    T = sparse.random((4, 5, 6), density=0.3, random_state=1)
    twice = tr.compile("R(i,j,k) = 2 * T(i,j,k)")(T)
    assert isinstance(twice, sparse.COO)
    assert np.allclose(twice.todense(), 2 * T.todense())
    filled = sparse.COO(T.coords, T.data, T.shape, fill_value=1.0)
    raised = tr.compile("R(i,j,k) = T(i,j,k) + 1")(filled)
    assert raised.fill_value == 2 and np.allclose(raised.todense(), filled.todense() + 1)
