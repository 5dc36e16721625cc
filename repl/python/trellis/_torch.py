"""Tensors of PyTorch: the arrays of its sparse layouts, lent part by part, for DLPack knows dense arrays alone.

Only programs that bring its tensors have imported torch.
"""

import sys
import weakref

import numpy as np

from ._borrow import _check_dtype, _note
from ._errors import error


class Fibers:
    """Rows, columns or blocks, with the attributes that SciPy's matrices have; `kind` is the name of theirs."""

    def __init__(self, shape, indptr, indices, data):
        self.shape, self.indptr, self.indices, self.data = shape, indptr, indices, data


class Rows(Fibers):
    kind = "csr"


class Columns(Fibers):
    kind = "csc"


class Blocks(Fibers):
    kind = "bsr"


class Tuples:
    """A column of `coords` for each entry, as in PyData's COO."""

    kind = "pydata"
    fill_value = 0

    def __init__(self, shape, coords, data):
        self.shape, self.coords, self.data = shape, coords, data


# What tensors are lent as, by their identity: index arrays that stay the same are looked at once.
_known = {}


def lend(tensor, name, what, sort):
    """As `_borrow.lend`, of a tensor: what lies on a device is copied, and what is not coalesced."""
    known = _known.get(id(tensor))
    if known is not None and known[0]() is tensor and known[1] == tensor._version and not sort:
        return known[2], None
    torch = sys.modules["torch"]
    own = tensor.detach()
    why = None
    if own.device.type != "cpu":
        own, why = own.cpu(), f"copied from the device {own.device}"
    if own.layout is torch.strided:
        array = _array(own, what)
        return array, why and _note(name, why, array.nbytes)
    if sort:
        raise error("E0701", f"{what}: its index arrays are out of order, or repeat", "coalesce()")
    if own.layout is torch.sparse_coo and not own.is_coalesced():
        own, why = own.coalesce(), "sorted and summed"
    made = _parts(own, torch, what)
    if why is None:
        key = id(tensor)
        _known[key] = (weakref.ref(tensor, lambda _: _known.pop(key, None)), tensor._version, made)
        return made, None
    return made, _note(name, why, sum(one.nbytes for one in vars(made).values() if isinstance(one, np.ndarray)))


def _array(part, what):
    """Shares the memory of the part."""
    array = part.detach().numpy()
    _check_dtype(array.dtype, what)
    return array


def _parts(tensor, torch, what):
    shape = tuple(tensor.shape)
    values = _array(tensor.values(), what)
    if tensor.layout is torch.sparse_coo:
        return Tuples(shape, np.ascontiguousarray(_array(tensor.indices(), what)), values)
    if tensor.layout is torch.sparse_csc:
        return Columns(shape, _array(tensor.ccol_indices(), what), _array(tensor.row_indices(), what), values)
    if tensor.layout not in (torch.sparse_csr, torch.sparse_bsr):
        raise TypeError(f"{what} is a tensor of layout {tensor.layout}, which nothing here is stored like")
    cls = Rows if tensor.layout is torch.sparse_csr else Blocks
    return cls(shape, _array(tensor.crow_indices(), what), _array(tensor.col_indices(), what), values)
