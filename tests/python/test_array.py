"""trellis.Array, and what it is to other libraries."""

import numpy as np
import pytest
import scipy.sparse as sp

import trellis as tr

DENSE = np.array([[0, 2.0, 0, 1], [0, 0, 0, 0], [3, 0, 4, 0], [0, 0, 5, 6]])


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dcsr", "bcsr(2, 2)", "dia", "{dense, hashed}",
                                    "{dense, compressed} @ (1, 0)", "dense", "dense @ (1, 0)"])
def test_every_format_has_the_same_elements(format):
    array = tr.asarray(DENSE, format=format)
    assert array.shape == (4, 4) and array.dtype == np.float64 and array.fill == 0
    assert np.array_equal(array.todense(), DENSE)
    spmv = tr.compile("y(i) = A(i,j) * x(j)")
    x = np.array([1.0, 10, 100, 1000])
    assert np.array_equal(spmv(array, x), DENSE @ x)
    assert np.array_equal(array.to_scipy().toarray(), DENSE)


def test_levels_are_views():
    array = tr.asarray(sp.csr_matrix(DENSE))
    assert array.format == "csr" and array.nnz == 6 and array.ndim == 2 and array.size == 16
    rows, columns = array.levels
    assert rows["level"] == "dense" and rows["size"] == 4
    assert list(columns["positions"]) == [0, 2, 2, 4, 6]
    assert list(columns["coordinates"]) == [1, 3, 0, 2, 2, 3]


def test_a_sparse_array_is_not_made_dense_by_accident():
    with pytest.raises(tr.Error) as refused:
        np.asarray(tr.asarray(DENSE, format="csr"))
    assert refused.value.fixes == (".todense()",)
    assert np.array_equal(np.asarray(tr.asarray(DENSE)), DENSE)
    assert tr.asarray(DENSE).todense().ctypes.data == DENSE.ctypes.data


def test_scipy_shares_memory():
    array = tr.asarray(DENSE, format="csr")
    matrix = array.to_scipy()
    assert matrix.format == "csr" and matrix.data.ctypes.data == array.values.ctypes.data
    with pytest.raises(tr.Error):
        tr.asarray(np.zeros((2, 2, 2)), format="csf").to_scipy()


def test_lists_are_arrays():
    assert np.array_equal(tr.asarray([[1.0, 2], [3, 4]]).todense(), [[1, 2], [3, 4]])
    with pytest.raises(TypeError):
        tr.asarray("no array")
    with pytest.raises(tr.Error):
        tr.asarray(DENSE, format="csq")


def test_repr():
    assert repr(tr.asarray(DENSE, format="csr")) == "<trellis.Array 4 x 4 float64 csr, 6 stored>"
