"""Objects that cannot be lent as they are: copies of them that can, and what is said of these.

Which classes there are is told by their names, so that nothing is imported that a program does not use.
"""

import sys
import weakref

import numpy as np

from ._errors import error

_KINDS = {"csr": 1, "csc": 2, "coo": 3, "bsr": 4, "dia": 5}
_ARRAY = 6  # ours
_PYDATA = 7
_DTYPES = "float64 float32 int64 int32 int16 uint64 uint32 uint8 bool"
_INDICES = (np.dtype(np.int32), np.dtype(np.int64))


def kind_of_type(type_):
    """The number of a class of sparse arrays, as C++ knows them; -1 for any other."""
    from . import _core

    if issubclass(type_, _core.Array):
        return _ARRAY
    lazy = sys.modules.get("trellis._lazy_creation")
    if lazy is not None and issubclass(type_, lazy.Rows):
        return _KINDS["csr"]
    scipy = sys.modules.get("scipy.sparse")
    if scipy is not None:
        for name, kind in _KINDS.items():
            found = (getattr(scipy, name + family, None) for family in ("_matrix", "_array"))
            if issubclass(type_, tuple(one for one in found if one)):
                return kind
    pydata = sys.modules.get("sparse")
    if pydata is not None and issubclass(type_, pydata.COO):
        return _PYDATA
    parts = sys.modules.get("trellis._torch")
    if parts is not None and issubclass(type_, (parts.Fibers, parts.Tuples)):
        return _KINDS.get(type_.kind, _PYDATA)
    return -1


def lend(obj, name, sort):
    """(what can be lent, what was copied or None) in place of an object; with `sort` for indices out of order."""
    what = f"argument {name}" if name else "the array"
    if _is_torch(obj):
        from . import _torch

        return _torch.lend(obj, name, what, sort)
    if sort:
        return _sorted(obj, name)
    if _is_scipy(obj):
        return _sparse(obj, name, what)
    if _is_pydata(obj):
        return _sparse_pydata(obj, name, what)
    by_dlpack = hasattr(obj, "__dlpack__") and not hasattr(obj, "__array__")
    array = np.from_dlpack(obj) if by_dlpack else np.asarray(obj)
    if array.dtype == object or array.dtype.kind in "USV":
        raise TypeError(f"{what} is a {type(obj).__name__}, which is no array of numbers")
    fixed = _plain(array, what)
    said = None if not isinstance(obj, np.ndarray) or fixed is obj else _note(name, _why(array), fixed.nbytes)
    return fixed, said


def _is_scipy(obj):
    scipy = sys.modules.get("scipy.sparse")
    return scipy is not None and scipy.issparse(obj)


def _is_pydata(obj):
    pydata = sys.modules.get("sparse")
    return pydata is not None and isinstance(obj, pydata.SparseArray)


def _is_torch(obj):
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(obj, torch.Tensor)


def _note(name, why, nbytes):
    return f"{name or 'array'}: {why}, {_human(nbytes)}"


def _human(nbytes):
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if nbytes < 1024 or unit == "GiB":
            return f"{nbytes:.0f} {unit}" if unit == "bytes" else f"{nbytes:.1f} {unit}"
        nbytes /= 1024


def _why(array):
    return "converted from another byte order" if not array.dtype.isnative else "copied to C order"


def _plain(array, what):
    """In C order, aligned, in this machine's byte order; refuses element types that are not ours."""
    dtype = _check_dtype(array.dtype, what)
    if dtype.isnative and array.flags.c_contiguous and array.flags.aligned:
        return array
    return np.array(array, dtype.newbyteorder("="), order="C")


def _check_dtype(dtype, what):
    if dtype.newbyteorder("=").name in _DTYPES.split():
        return dtype
    casts = {"c": "complex128", "f": "float64", "i": "int16", "u": "uint32", "m": "int64", "M": "int64"}
    target = {"e": "float32", "g": "float64", "b": "int16", "H": "uint32"}.get(dtype.char, casts.get(dtype.kind))
    fix = None if target in (None, "complex128") else f"astype('{target}')"
    raise error("E0703", f"{what} has elements of type {dtype}; ours are {_DTYPES.replace(' ', ', ')}", fix)


def _sparse(obj, name, what):
    """One of scipy.sparse's own kinds, whose arrays C++ takes as they are."""
    why = None
    if obj.format not in _KINDS:
        obj, why = obj.tocsr(), f"converted from {obj.format} to csr"
    data = _plain(obj.data, what)
    why = why or (None if data is obj.data else _why(obj.data))
    if obj.format == "dia":
        order = np.argsort(obj.offsets, kind="stable")
        rows, columns = obj.shape
        keep = order[(obj.offsets[order] > -rows) & (obj.offsets[order] < columns)]
        offsets = obj.offsets[keep]
        if np.any(offsets[1:] == offsets[:-1]):
            raise error("E0701", f"{what}: a diagonal comes twice", "tocsr()")
        wide = np.zeros((len(keep), columns), data.dtype)
        used = min(columns, data.shape[1])
        wide[:, :used] = data[keep, :used]
        made = type(obj)((wide, _index(offsets)), shape=obj.shape)
        return made, _note(name, why or "diagonals laid out by columns, rising", wide.nbytes)
    if obj.format == "coo":
        row, col = _same_index(obj.row, obj.col)
        if data is obj.data and row is obj.row and col is obj.col:
            return obj, why and _note(name, why, data.nbytes)
        made = type(obj)((data, (row, col)), shape=obj.shape)
        made.row, made.col, made.data = row, col, data
        return made, _note(name, why or "indices of one width", row.nbytes + col.nbytes)
    indices, indptr = _same_index(obj.indices, obj.indptr)
    if data is obj.data and indices is obj.indices and indptr is obj.indptr:
        if why is None:
            raise error("E0701", f"{what}: its arrays do not fit its shape, {obj.shape}")
        return obj, _note(name, why, data.nbytes + indices.nbytes + indptr.nbytes)
    return _with_arrays(obj, data, indices, indptr), _note(name, why or "indices of one width",
                                                            indices.nbytes + indptr.nbytes)


def _with_arrays(obj, data, indices, indptr):
    made = type(obj)(obj.shape, dtype=data.dtype) if obj.format != "bsr" else type(obj)(
        (data, indices, indptr), shape=obj.shape)
    made.data, made.indices, made.indptr = data, indices, indptr
    return made


def _index(array):
    array = np.ascontiguousarray(array)
    return array if array.dtype in _INDICES else array.astype(np.int64)


def _same_index(a, b):
    a, b = _index(a), _index(b)
    if a.dtype == b.dtype:
        return a, b
    return a.astype(np.int64, copy=False), b.astype(np.int64, copy=False)


def _sparse_pydata(obj, name, what):
    import sparse

    if not isinstance(obj, sparse.COO):
        made = obj.asformat("coo") if hasattr(obj, "asformat") else sparse.COO(obj)
        return made, _note(name, f"converted from {type(obj).__name__} to coo", made.nbytes)
    made = coo_of(_index(obj.coords), _plain(obj.data, what), obj.shape, obj.fill_value)
    return made, _note(name, "indices of our widths", made.nbytes)


def coo_of(coords, data, shape, fill):
    """One of PyData's, of entries that rise and differ, without its constructor, which looks at everything again."""
    import sparse

    made = sparse.COO.__new__(sparse.COO)
    made.__setstate__((coords, data, shape, fill))
    return made


# What is remembered of index arrays out of order: where each entry goes. Values are gathered anew at each call, as they
# may have changed.
_orders = {}


def _sorted(obj, name):
    """A copy whose entries rise, repeated ones summed; how they are ordered is remembered, with the index arrays."""
    order, made = _order_of(obj)
    values = obj.data[order.entries]
    if order.starts is not None:
        values = np.logical_or.reduceat(values, order.starts) if values.dtype == bool else np.add.reduceat(
            values, order.starts, dtype=values.dtype)
    return order.build(values), _note(name, "sorted and summed" if order.starts is not None else "sorted",
                                      values.nbytes + order.nbytes) if made else None


class _Order:
    """Entries in storage order, where groups of equal indices begin, and what makes an object of values."""

    def __init__(self, entries, starts, build, nbytes):
        self.entries, self.starts, self.build, self.nbytes = entries, starts, build, nbytes


def _order_of(obj):
    fibers = hasattr(obj, "indptr")
    keys = (obj.indices, obj.indptr) if fibers else (obj.coords,) if _is_pydata(obj) else (obj.row, obj.col)
    known = _orders.get(id(keys[0]))
    if known is not None and all(ref() is key for ref, key in zip(known[0], keys)) and known[1] == obj.shape:
        return known[2], False
    order = _order_fibers(obj) if fibers else _order_tuples(obj)
    first = id(keys[0])
    refs = tuple(weakref.ref(key, lambda _, k=first: _orders.pop(k, None)) for key in keys)
    _orders[first] = (refs, obj.shape, order)
    return order, True


def _groups(*columns):
    """Where tuples that rise change, and whether any repeats."""
    changes = np.zeros(len(columns[0]), bool)
    if len(changes):
        changes[0] = True
    for column in columns:
        changes[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(changes)


def _order_fibers(obj):
    entries = int(obj.indptr[-1])
    fibers = np.repeat(np.arange(len(obj.indptr) - 1, dtype=np.int64), np.diff(obj.indptr))
    inner = obj.indices[:entries]
    order = np.lexsort((inner, fibers))
    starts = _groups(fibers[order], inner[order])
    repeated = len(starts) != entries
    kept = order[starts] if repeated else order
    indices = np.ascontiguousarray(inner[kept])
    counts = np.bincount(fibers[kept], minlength=len(obj.indptr) - 1)
    indptr = np.concatenate(([0], np.cumsum(counts))).astype(obj.indptr.dtype)
    shape, cls, blocks = obj.shape, type(obj), obj.format == "bsr"

    def build(values):
        made = cls((values, indices, indptr), shape=shape) if blocks else cls(shape, dtype=values.dtype)
        made.data, made.indices, made.indptr = values, indices, indptr
        return made

    return _Order(order, starts if repeated else None, build, indices.nbytes + indptr.nbytes)


def _order_tuples(obj):
    pydata = _is_pydata(obj)
    columns = tuple(obj.coords) if pydata else (obj.row, obj.col)
    order = np.lexsort(columns[::-1])
    starts = _groups(*(column[order] for column in columns))
    repeated = len(starts) != len(order)
    kept = order[starts] if repeated else order
    made = [np.ascontiguousarray(column[kept]) for column in columns]
    shape, cls = obj.shape, type(obj)
    coords = np.stack(made) if pydata else None
    fill = obj.fill_value if pydata else None

    def build(values):
        if pydata:
            result = cls(coords, values, shape=shape, fill_value=fill, has_duplicates=False, sorted=True)
            result.coords = coords
            return result
        result = cls(shape, dtype=values.dtype)
        result.data, result.row, result.col = values, made[0], made[1]
        return result

    return _Order(order, starts if repeated else None, build, sum(column.nbytes for column in made))
