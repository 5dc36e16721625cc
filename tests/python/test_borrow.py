"""What is lent: nothing is copied, or it is said what."""

import gc
import weakref

import numpy as np
import pytest
import scipy.sparse as sp

import trellis as tr

DENSE = np.array([[0, 2.0, 0, 1], [0, 0, 0, 0], [3, 0, 4, 0], [0, 0, 5, 6], [7, 0, 0, 8]])
X = np.array([1.0, 10, 100, 1000])


def square(matrix):
    """Each stored form of a matrix with the same elements."""
    return [sp.csr_matrix(matrix), sp.csc_matrix(matrix), sp.coo_matrix(matrix), sp.dia_matrix(matrix),
            sp.bsr_matrix(matrix, blocksize=(1, 2)), sp.lil_matrix(matrix), sp.dok_matrix(matrix), sp.csr_array(matrix),
            sp.csc_array(matrix), sp.coo_array(matrix), sp.dia_array(matrix), sp.bsr_array(matrix, blocksize=(5, 4))]


@pytest.mark.parametrize("A", square(DENSE), ids=lambda A: type(A).__name__)
def test_every_class_of_scipy_means_the_same(A):
    spmv = tr.compile("y(i) = A(i,j) * x(j)")
    assert np.array_equal(spmv(A, X), DENSE @ X)
    copied = A.format in ("lil", "dok") or (A.format == "dia" and A.data.shape[1] != A.shape[1])
    assert bool(spmv.copies) == copied, spmv.copies


pytestmark = pytest.mark.filterwarnings("ignore::trellis.TrellisWarning")


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "bsr"])
def test_int64_indices_are_taken_as_they_are(form):
    A = sp.csr_matrix(DENSE).asformat(form)
    for name in ("indices", "indptr", "row", "col"):
        if hasattr(A, name):
            setattr(A, name, getattr(A, name).astype(np.int64))
    spmv = tr.compile("y(i) = A(i,j) * x(j)")
    assert np.array_equal(spmv(A, X), DENSE @ X)
    assert spmv.copies == ()


def test_the_arrays_of_an_operand_are_those_of_scipy():
    A = sp.csr_matrix(DENSE)
    level = tr.asarray(A).levels[1]
    assert level["coordinates"].ctypes.data == A.indices.ctypes.data
    assert level["positions"].ctypes.data == A.indptr.ctypes.data
    assert tr.asarray(A).values.ctypes.data == A.data.ctypes.data


class Exchanged:
    """Memory that is offered by DLPack and in no other way."""

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()


def test_dlpack_lends_dense_arrays():
    X_there = Exchanged(X)
    assert np.array_equal(tr.compile("y(i) = A(i,j) * x(j)")(DENSE, X_there), DENSE @ X)
    assert tr.asarray(X_there).values.ctypes.data == X.ctypes.data


def test_what_is_lent_lives_as_long_as_it_is_needed():
    A = sp.csr_matrix(DENSE)
    data = weakref.ref(A.data)
    array = tr.asarray(A)
    values = array.values
    del A, array
    gc.collect()
    assert data() is not None
    assert values[0] == 2
    del values
    gc.collect()
    assert data() is None


def test_a_call_keeps_nothing():
    A = sp.csr_matrix(DENSE)
    data = weakref.ref(A.data)
    tr.compile("y(i) = A(i,j) * x(j)")(A, X)
    del A
    gc.collect()
    assert data() is None


def test_orders_of_dense_arrays_are_borrowed_and_other_strides_copied():
    rows = tr.compile("y(i) = sum(j)(B(i,j))")
    cube = np.arange(24.0).reshape(2, 3, 4)
    assert np.array_equal(rows(np.asfortranarray(DENSE)), DENSE.sum(1))
    assert rows.copies == ()
    planes = tr.compile("y(i) = sum(j,k)(T(i,j,k))")
    assert np.array_equal(planes(cube.transpose(2, 0, 1)), cube.transpose(2, 0, 1).sum((1, 2)))
    assert planes.copies == ()
    with pytest.warns(tr.TrellisWarning, match="W0701.*C order"):
        assert np.array_equal(rows(DENSE[::2, ::-1]), DENSE[::2].sum(1))
    assert len(rows.copies) == 1


def test_broadcast_axes_are_no_error():
    rows = tr.compile("y(i) = sum(j)(B(i,j))")
    assert np.array_equal(rows(np.broadcast_to(X, (3, 4))), [1111.0] * 3)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4", "i2", "u8", "u4", "u1", "?"])
def test_element_types(dtype):
    a = np.array([1, 0, 1]).astype(dtype)
    result = tr.compile("y(i) = a(i)")(a)
    assert np.array_equal(result, a)
    assert result.dtype == {"i": np.int64, "u": np.int64}.get(a.dtype.kind if dtype != "u8" else "", a.dtype)


@pytest.mark.parametrize("dtype, fix", [("f2", "astype('float32')"), ("i1", "astype('int16')"),
                                        ("u2", "astype('uint32')"), ("c16", None), ("M8[s]", "astype('int64')")])
def test_other_types_are_refused_with_the_cast(dtype, fix):
    with pytest.raises(tr.Error) as refused:
        tr.compile("y(i) = a(i)")(np.zeros(3, dtype))
    assert refused.value.code == "E0703"
    assert refused.value.fixes == (() if fix is None else (fix,))


def test_foreign_byte_order_is_copied():
    copy = tr.compile("y(i) = a(i)")
    assert np.array_equal(copy(np.arange(3, dtype=">f8")), [0, 1, 2])
    assert "byte order" in copy.copies[0]


def unsorted():
    A = sp.csr_matrix((np.array([1.0, 2, 3, 4]), np.array([2, 0, 1, 1]), np.array([0, 2, 4])), shape=(2, 4))
    return A


def test_unsorted_and_repeated_entries_are_summed_in_a_copy_that_is_remembered():
    spmv = tr.compile("y(i) = A(i,j) * x(j)")
    A = unsorted()
    indices = A.indices.copy()
    assert np.array_equal(spmv(A, X), A.toarray() @ X)
    assert "sorted and summed" in spmv.copies[0]
    assert np.array_equal(A.indices, indices), "operands are never written"
    spmv(A, X)
    assert spmv.copies == (), "said once"
    A.data[0] = 50
    assert np.array_equal(spmv(A, X), A.toarray() @ X), "values may change"


@pytest.mark.parametrize("form", ["coo", "bsr"])
def test_unsorted_coo_and_bsr(form):
    A = sp.coo_matrix((np.array([1.0, 2, 3, 4]), ([1, 0, 1, 1], [2, 0, 1, 1])), shape=(2, 4))
    if form == "bsr":
        blocks = np.arange(16.0).reshape(4, 2, 2)
        A = sp.bsr_matrix((blocks, np.array([1, 0, 1, 1]), np.array([0, 2, 4])), shape=(4, 4))
    spmv = tr.compile("y(i) = A(i,j) * x(j)")
    assert np.array_equal(spmv(A, X), A.toarray() @ X)
    assert len(spmv.copies) == 1


@pytest.mark.parametrize("indices, indptr", [([0, 4], [0, 1, 2]), ([0, -1], [0, 1, 2]), ([0, 1], [0, 3, 2]),
                                             ([0, 1], [1, 1, 2])])
def test_broken_index_arrays_are_refused(indices, indptr):
    A = sp.csr_matrix((2, 4))
    A.indices, A.indptr, A.data = np.array(indices, np.int32), np.array(indptr, np.int32), np.ones(2)
    with pytest.raises(tr.Error) as refused:
        tr.compile("y(i) = A(i,j) * x(j)")(A, X)
    assert refused.value.code == "E0701"


def test_index_arrays_are_looked_at_once_unless_asked():
    A = sp.csr_matrix(DENSE)
    spmv = tr.compile("y(i) = A(i,j) * x(j)")
    spmv(A, X)
    A.indices[0] = 99
    with pytest.raises(tr.Error):
        spmv.run(A, X, check=True)


def test_a_matrix_and_its_transpose_share_what_was_found():
    A = sp.random(30, 20, density=0.2, format="csr", random_state=1)
    x, y = np.ones(20), np.ones(30)
    spmv = tr.compile("y(i) = A(i,j) * x(j)")
    for _ in range(3):
        assert np.allclose(spmv(A, x), A @ x)
        assert np.allclose(spmv(A.T, y), A.T @ y)


def test_dia_whose_diagonals_do_not_rise_or_are_short():
    A = sp.dia_matrix((np.array([[1.0, 2, 3], [4, 5, 6]]), [1, -1]), shape=(4, 5))
    spmv = tr.compile("y(i) = A(i,j) * x(j)")
    x = np.arange(5.0)
    assert np.array_equal(spmv(A, x), A @ x)
    assert "diagonals" in spmv.copies[0]


def test_dia_ignores_what_lies_outside_of_the_matrix():
    data = np.full((2, 4), np.nan)
    data[0, 1:], data[1, :3] = 1, 2
    A = sp.dia_matrix((data[::-1].copy(), [-1, 1]), shape=(4, 4))
    spmv = tr.compile("y(i) = A(i,j) * x(j)")
    assert np.array_equal(spmv(A, X), A @ X)
    assert spmv.copies == ()


def test_pydata_coo():
    sparse = pytest.importorskip("sparse")
    T = sparse.COO(sparse.random((4, 5, 6), density=0.2, random_state=1).todense())
    ttv = tr.compile("Y(i,j) = T(i,j,k) * v(k)")
    v = np.arange(6.0)
    assert np.allclose(ttv(T, v).todense(), np.tensordot(T.todense(), v, 1))
    assert ttv.copies == ()
    T.coords = T.coords.astype(np.uint8)
    assert np.allclose(ttv(T, v).todense(), np.tensordot(T.todense(), v, 1))
    assert "widths" in ttv.copies[0]
