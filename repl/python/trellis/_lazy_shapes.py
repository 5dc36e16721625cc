"""Functions of trellis.lazy that move elements: axes, slices, joined arrays, triangles."""

import numpy as np

from . import _core
from ._errors import error
from ._lazy_array import LazyArray, apply, lend, wrap
from ._lazy_reductions import axes_of


def _array(x):
    return x if type(x) is LazyArray else wrap(lend(x))


def _without(core, axes):
    """Without these axes of one element."""
    return core.reduce("any" if core.dtype.kind == "b" else "max", axes, False) if axes else core


def item(x, index):
    """x[index] for integers, slices with steps, None and Ellipsis."""
    index = index if isinstance(index, tuple) else (index,)
    named = sum(one is not None and one is not Ellipsis for one in index)
    dots = sum(one is Ellipsis for one in index)
    if dots > 1 or named > x.ndim:
        raise IndexError(f"{named} indices and {dots} Ellipsis, and {x.ndim} axes")
    if not dots:
        index += (Ellipsis,)
    core, axis, dropped = x._core, 0, []
    for one in index:
        if one is None:
            core, axis = core.expand_dims(axis), axis + 1
        elif one is Ellipsis:
            axis += x.ndim - named
        elif isinstance(one, slice):
            core, axis = _sliced(core, axis, one), axis + 1
        elif isinstance(one, (int, np.integer)) and not isinstance(one, (bool, np.bool_)):
            size = core.shape[axis]
            if not -size <= one < size:
                raise IndexError(f"index {one} is out of range for an axis of {size}")
            core = core.slice(axis, int(one) % size, 1, 1)
            dropped.append(axis)
            axis += 1
        else:
            raise error("E0705", f"an index is an integer, a slice, None or Ellipsis, not {type(one).__name__}",
                        "where(mask, x, 0)")
    return wrap(_without(core, dropped))


def _sliced(core, axis, one):
    size = core.shape[axis]
    first, stop, step = one.indices(size)
    count = len(range(first, stop, step))
    return core if (first, count, step) == (0, size, 1) else core.slice(axis, first, count, step)


def permute_dims(x, /, axes):
    """The axes in another order: axis k of the result is axis axes[k] of x."""
    return wrap(lend(x).permute(list(axes)))


def matrix_transpose(x, /):
    """The last two axes exchanged."""
    core = lend(x)
    if core.ndim < 2:
        raise ValueError("a matrix has two axes")
    return wrap(core.permute([*range(core.ndim - 2), core.ndim - 1, core.ndim - 2]))


def expand_dims(x, /, *, axis=0):
    """An axis of one element more, at this place."""
    core = lend(x)
    if not -core.ndim - 1 <= axis <= core.ndim:
        raise IndexError(f"there is no place {axis} among {core.ndim} axes")
    return wrap(core.expand_dims(axis))


def squeeze(x, /, axis=None):
    """Without these axes, which have one element; without all such axes where none is named."""
    core = lend(x)
    axes = [k for k, size in enumerate(core.shape) if size == 1] if axis is None else axes_of(axis, core.ndim)
    if any(core.shape[one] != 1 for one in axes):
        raise ValueError(f"an axis of {core.shape} has more than one element")
    return wrap(_without(core, axes))


def reshape(x, /, *shape, copy=None):
    """The same elements, in C order, in another shape; -1 stands for the size that is left over."""
    core = lend(x)
    shape = list(shape[0] if len(shape) == 1 and not isinstance(shape[0], (int, np.integer)) else shape)
    if shape.count(-1) == 1:
        known = -int(np.prod(shape, dtype=np.int64))
        count = int(np.prod(core.shape, dtype=np.int64))
        if known == 0 or count % known:
            raise ValueError(f"{count} elements do not fit {shape}")
        shape[shape.index(-1)] = count // known
    return wrap(core.reshape(shape))


def roll(x, /, shift, *, axis=None):
    """Elements moved along an axis by so many places, around the end; along the flat array without an axis."""
    core = lend(x)
    if axis is None:
        return reshape(roll(reshape(x, -1), shift, axis=0), core.shape)
    axes = axes_of(axis, core.ndim)
    for one, by in zip(axes, np.broadcast_to(shift, len(axes)).tolist()):
        core = core.roll(one, by)
    return wrap(core)


def flip(x, /, *, axis=None):
    """The elements in the opposite order along axes, along all without one."""
    core = lend(x)
    for one in axes_of(axis, core.ndim):
        size = core.shape[one]
        core = core.slice(one, size - 1, size, -1) if size else core
    return wrap(core)


def broadcast_to(x, /, shape):
    """The elements repeated along axes that are new, or that had one element."""
    return wrap(lend(x).broadcast_to([shape] if isinstance(shape, (int, np.integer)) else list(shape)))


def broadcast_arrays(*arrays):
    """All of them in the shape to which they broadcast."""
    shape = np.broadcast_shapes(*(lend(one).shape for one in arrays))
    return [broadcast_to(one, shape) for one in arrays]


def concat(arrays, /, *, axis=0):
    """One after the other along an axis; of the flat arrays where it is None."""
    if axis is None:
        return concat([reshape(one, -1) for one in arrays], axis=0)
    return wrap(_core.Lazy.concat([lend(one) for one in arrays], axis))


def stack(arrays, /, *, axis=0):
    """One beside the other along a new axis."""
    return wrap(_core.Lazy.stack([lend(one) for one in arrays], axis))


def diagonal(x, /, *, axis1=0, axis2=1):
    """The elements at which two axes are equal, along a last axis."""
    return wrap(lend(x).diagonal(axis1, axis2))


def _triangle(x, k, kept):
    """x where `kept` of row and column holds, else 0: what is stored of it is stored of x, where x has fill 0."""
    x = _array(x)
    if x.ndim < 2:
        raise ValueError("a matrix has two axes")
    rows, columns = x.shape[-2:]
    row, column = np.arange(rows)[:, None], np.arange(columns)[None, :]
    inside = apply(kept, apply("subtract", np.ascontiguousarray(column), np.ascontiguousarray(row)), int(k))
    if x.dtype.kind == "b":
        return apply("logical_and", x, inside)
    zero = np.zeros((), x.dtype)[()]
    return wrap(_core.Lazy.where(apply("logical_and", apply("not_equal", x, 0), inside)._core, x._core,
                                 _core.Lazy.number(zero.item())))


def tril(x, /, *, k=0):
    """The matrices with 0 above diagonal k."""
    return _triangle(x, k, "less_equal")


def triu(x, /, *, k=0):
    """The matrices with 0 below diagonal k."""
    return _triangle(x, k, "greater_equal")
