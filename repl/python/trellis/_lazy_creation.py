"""Functions of trellis.lazy that make arrays: of one value, which takes no memory, or of tables."""

import numpy as np

from ._lazy_array import asarray, lend, require_cpu, wrap


def _checked(dtype, default):
    return np.dtype(default if dtype is None else dtype)


def _constant(shape, value, dtype):
    """A value of that very type, repeated."""
    shape = [shape] if isinstance(shape, (int, np.integer)) else list(shape)
    return wrap(lend(value).astype(dtype.name).broadcast_to(shape))


def full(shape, fill_value, *, dtype=None, device=None):
    """One value everywhere, its type the value's own: bool, int64 or float64 of numbers of Python."""
    require_cpu(device)
    if isinstance(fill_value, np.generic):
        fill_value, dtype = fill_value.item(), dtype or fill_value.dtype
    kind = bool if isinstance(fill_value, bool) else np.int64 if isinstance(fill_value, int) else np.float64
    return _constant(shape, fill_value, _checked(dtype, kind))


def zeros(shape, *, dtype=None, device=None):
    """0 everywhere, of float64."""
    require_cpu(device)
    return _constant(shape, 0, _checked(dtype, np.float64))


def ones(shape, *, dtype=None, device=None):
    """1 everywhere, of float64."""
    require_cpu(device)
    return _constant(shape, 1, _checked(dtype, np.float64))


def empty(shape, *, dtype=None, device=None):
    """The same as zeros: an expression has elements."""
    return zeros(shape, dtype=dtype, device=device)


def _like(x, dtype):
    core = lend(x)
    return core.shape, core.dtype if dtype is None else dtype


def full_like(x, /, fill_value, *, dtype=None, device=None):
    """One value everywhere, in the shape and type of x."""
    shape, dtype = _like(x, dtype)
    return full(shape, fill_value, dtype=dtype, device=device)


def zeros_like(x, /, *, dtype=None, device=None):
    """0 everywhere, in the shape and type of x."""
    shape, dtype = _like(x, dtype)
    return zeros(shape, dtype=dtype, device=device)


def ones_like(x, /, *, dtype=None, device=None):
    """1 everywhere, in the shape and type of x."""
    shape, dtype = _like(x, dtype)
    return ones(shape, dtype=dtype, device=device)


def empty_like(x, /, *, dtype=None, device=None):
    """The same as zeros_like."""
    return zeros_like(x, dtype=dtype, device=device)


class Rows:
    """Rows with sorted entries, lent as csr to the engine, which needs no SciPy for it."""

    def __init__(self, shape, indptr, indices, data):
        self.shape, self.indptr, self.indices, self.data = shape, indptr, indices, data


def eye(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None):
    """1 on diagonal k, 0 elsewhere: a table that stores the diagonal alone."""
    require_cpu(device)
    n_cols = n_rows if n_cols is None else n_cols
    rows = np.arange(n_rows + 1, dtype=np.int64)
    first = min(max(-k, 0), n_rows)
    count = max(min(n_rows - first, n_cols - max(k, 0)), 0)
    indptr = np.clip(rows - first, 0, count)
    indices = np.arange(count, dtype=np.int64) + max(k, 0)
    return wrap(lend(Rows((n_rows, n_cols), indptr, indices, np.ones(count, _checked(dtype, np.float64)))))


def arange(start, /, stop=None, step=1, *, dtype=None, device=None):
    """Numbers from start up to stop, step apart: a table."""
    require_cpu(device)
    made = np.arange(start, step=step, dtype=dtype) if stop is None else np.arange(start, stop, step, dtype=dtype)
    return asarray(made)


def linspace(start, stop, /, num, *, dtype=None, device=None, endpoint=True):
    """`num` numbers from start to stop, evenly spaced: a table."""
    require_cpu(device)
    return asarray(np.linspace(start, stop, num, dtype=dtype, endpoint=endpoint))


def meshgrid(*arrays, indexing="xy"):
    """Of vectors, arrays in which each has an axis of its own."""
    if indexing not in ("xy", "ij"):
        raise ValueError(f'indexing is "xy" or "ij", not {indexing!r}')
    vectors = [asarray(one) for one in arrays]
    order = list(range(len(vectors)))
    if indexing == "xy" and len(vectors) > 1:
        order[:2] = [1, 0]
    shape = [vectors[one].size for one in order]
    made = []
    for place, one in sorted(zip(order, range(len(vectors)))):
        core = vectors[place]._core
        made.append(wrap(core.reshape([shape[k] if k == one else 1 for k in range(len(shape))]).broadcast_to(shape)))
    return made


def from_dlpack(x, /):
    """The array behind DLPack, without a copy."""
    return asarray(np.from_dlpack(x))
