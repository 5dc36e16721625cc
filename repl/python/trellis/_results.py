"""Sparse results in the class of the first sparse operand."""

import collections
import functools
import sys

from . import _core
from ._borrow import _is_pydata, _is_scipy, coo_of

_templates = {}


@functools.lru_cache(maxsize=None)
def _type_of(names):
    return collections.namedtuple("Results", names, rename=True)


def several(names, values):
    """A named tuple of several results."""
    return _type_of(names)(*values)


def result_of(array, like, copies):
    """What a call returns of a sparse result: `like` is the operand whose family it joins."""
    made = None
    if array.fill == 0 and array.ndim == 2 and _is_scipy(like):
        made = _to_scipy(array, type(like))
    elif _is_pydata(like):
        made = _to_pydata(array)
    if made is None:
        made = array
    if copies:
        try:
            made.copies = tuple(copies)
        except AttributeError:
            pass  # of a class with slots; Program.copies has them
    return made


def _family(cls, name):
    """csr_array of coo_array, csr_matrix of coo_matrix."""
    scipy = sys.modules["scipy.sparse"]
    array = cls.__name__.endswith("_array") and hasattr(scipy, name + "_array")
    return getattr(scipy, name + ("_array" if array else "_matrix"))


def _new(cls, shape, **arrays):
    """An object of SciPy's without its constructor, which looks at everything again."""
    template = _templates.get(cls)
    if template is None:
        empty = cls((2, 2), blocksize=(1, 1)) if cls.__name__.startswith("bsr") else cls((2, 2))
        template = _templates[cls] = {k: v for k, v in vars(empty).items() if k not in arrays}
    made = cls.__new__(cls)
    vars(made).update(template, **arrays)
    made._shape = shape
    return made


def _to_scipy(array, cls):
    """None where SciPy has no such format."""
    name = array.kind
    shape = array.shape
    if name in ("csr", "csc"):
        level = array.levels[1]
        made = _new(_family(cls, name), shape, data=array.values, indices=level["coordinates"],
                    indptr=level["positions"])
    elif name == "bsr":
        rows, columns = array.block
        level = array.levels[1]
        data = array.values.reshape(-1, rows, columns)
        made = _new(_family(cls, name), shape, data=data, indices=level["coordinates"], indptr=level["positions"])
    elif name == "coo":
        row, col = (level["coordinates"] for level in array.levels)
        made = _new(_family(cls, name), shape, data=array.values, row=row, col=col, has_canonical_format=True)
        return made
    else:
        return None
    made.has_sorted_indices = True
    made.has_canonical_format = True
    return made


def _to_pydata(array):
    import numpy as np

    coo = array if array.kind == "coo" else array_in(array, "coo")
    coords = np.empty((coo.ndim, coo.entries), np.int64)
    for row, level in zip(coords, coo.levels):
        row[:] = level["coordinates"]
    return coo_of(coords, coo.values, coo.shape, coo.dtype.type(coo.fill))


def array_in(array, format):
    """The same elements in another format."""
    from ._array import Array

    return Array(_core.as_tensor(array, format))
