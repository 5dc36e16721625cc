"""Tensors of PyTorch: their parts are lent, or it is said what was copied."""

import numpy as np
import pytest

import trellis as tr

torch = pytest.importorskip("torch", reason="python3-torch is not installed: its tensors are not tried")

pytestmark = pytest.mark.filterwarnings("ignore")

DENSE = np.array([[0, 2.0, 0, 1], [0, 0, 0, 0], [3, 0, 4, 0], [0, 0, 5, 6]])
X = np.array([1.0, 10, 100, 1000])


def stored(layout):
    dense = torch.tensor(DENSE)
    return {"dense": lambda: dense, "transposed": lambda: torch.tensor(DENSE.T.copy()).t(),
            "csr": dense.to_sparse_csr, "csc": dense.to_sparse_csc, "coo": dense.to_sparse,
            "bsr": lambda: dense.to_sparse_bsr((2, 2))}[layout]()


@pytest.mark.parametrize("layout", ["dense", "transposed", "csr", "csc", "coo", "bsr"])
def test_every_layout_means_the_same_and_nothing_is_copied(layout):
    spmv = tr.compile("y(i) = A(i,j) * x(j)")
    A = stored(layout)
    for _ in range(2):
        assert np.array_equal(spmv(A, torch.tensor(X)), DENSE @ X)
        assert spmv.copies == ()
    assert np.array_equal(spmv.run(A, X, isolate=True), DENSE @ X)
    assert float(tr.lazy(A).sum()) == DENSE.sum()


def test_the_arrays_are_those_of_the_tensor():
    A = stored("csr")
    lent = tr.asarray(A)
    assert lent.format == "{dense, compressed(wide)}"
    assert lent.levels[1]["coordinates"].ctypes.data == A.col_indices().data_ptr()
    assert lent.levels[1]["positions"].ctypes.data == A.crow_indices().data_ptr()
    assert lent.values.ctypes.data == A.values().data_ptr()


def test_values_may_change_between_calls():
    A = stored("csr")
    spmv = tr.compile("y(i) = A(i,j) * x(j)")
    spmv(A, X)
    A.values().mul_(2)
    assert np.array_equal(spmv(A, X), 2 * DENSE @ X)


def test_what_is_not_coalesced_is_sorted_and_summed_in_a_copy():
    outer, inner, values = [0, 0, 0, 3], [3, 1, 3, 2], [1.0, 2, 4, 8]
    A = torch.sparse_coo_tensor([outer, inner], values, size=(4, 4), dtype=torch.float64)
    expected = np.zeros((4, 4))
    np.add.at(expected, (outer, inner), values)
    spmv = tr.compile("y(i) = A(i,j) * x(j)")
    assert np.array_equal(spmv(A, X), expected @ X)
    assert "sorted and summed" in spmv.copies[0]


def test_indices_that_nobody_has_checked_are_looked_at():
    A = torch._sparse_csr_tensor_unsafe(torch.tensor([0, 2, 2]), torch.tensor([3, 1]), torch.tensor([1.0, 2]),
                                        size=(2, 4))
    with pytest.raises(tr.Error) as refused:
        tr.compile("y(i) = A(i,j)")(A)
    assert refused.value.code == "E0701"


def test_a_tensor_that_has_changed_is_lent_anew():
    A = stored("coo").coalesce()
    total = tr.compile("y(i) = A(i,j)")
    total(A)
    A.add_(torch.sparse_coo_tensor([[1], [1]], [5.0], size=(4, 4), dtype=torch.float64))
    assert np.array_equal(total(A), DENSE.sum(axis=1) + [0, 5, 0, 0])


def test_other_element_types_are_refused_with_a_cast():
    with pytest.raises(tr.Error) as refused:
        tr.compile("y(i) = A(i,j) * x(j)")(torch.tensor(DENSE).half(), X)
    assert refused.value.code == "E0703" and "float32" in str(refused.value.fixes)
