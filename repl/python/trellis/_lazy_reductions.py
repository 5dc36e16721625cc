"""Functions of trellis.lazy that reduce axes. Fills count like any element."""

import builtins

import numpy as np

from ._lazy_array import LazyArray, apply, astype, lend, wrap


def axes_of(axis, ndim):
    """Axes from 0 on, of one, of a tuple, of None for all."""
    if axis is None:
        return list(range(ndim))
    axes = [axis] if isinstance(axis, (int, np.integer)) else list(axis)
    for one in axes:
        if not -ndim <= one < ndim:
            raise ValueError(f"there is no axis {one} of {ndim}")
    axes = [int(one) % ndim for one in axes]
    if len(set(axes)) != len(axes):
        raise ValueError(f"an axis comes twice: {axis}")
    return axes


def _reduced(op, x, axis, keepdims):
    core = lend(x)
    axes = axes_of(axis, core.ndim)
    return wrap(core.reduce(op, axes, builtins.bool(keepdims))) if axes else wrap(core)


def _added(op, x, axis, dtype, keepdims):
    if dtype is not None:
        x = astype(x, dtype)
    made = _reduced(op, x, axis, keepdims)
    kind = lend(x).dtype
    if dtype is None and not axes_of(axis, lend(x).ndim) and kind.kind in "biu":
        return astype(made, np.uint64 if kind.kind == "u" else np.int64)
    return made if dtype is None else astype(made, dtype)


def sum(x, /, *, axis=None, dtype=None, keepdims=False):
    """The sum; of integers and truth values in 64 bits."""
    return _added("sum", x, axis, dtype, keepdims)


def prod(x, /, *, axis=None, dtype=None, keepdims=False):
    """The product; of integers and truth values in 64 bits."""
    return _added("prod", x, axis, dtype, keepdims)


def min(x, /, *, axis=None, keepdims=False):
    """The smallest element; ValueError where there is none. Not-a-number may be passed over."""
    return _reduced("min", x, axis, keepdims)


def max(x, /, *, axis=None, keepdims=False):
    """The largest element; ValueError where there is none. Not-a-number may be passed over."""
    return _reduced("max", x, axis, keepdims)


def any(x, /, *, axis=None, keepdims=False):
    """Is some element not 0?"""
    return _reduced("any", astype(x, np.bool_), axis, keepdims)


def all(x, /, *, axis=None, keepdims=False):
    """Is no element 0?"""
    return _reduced("all", astype(x, np.bool_), axis, keepdims)


def _count(x, axes):
    count = 1
    for axis in axes:
        count *= x.shape[axis]
    return count


def _floating(x):
    x = x if type(x) is LazyArray else wrap(lend(x))
    return x if x.dtype.kind == "f" else astype(x, np.float64)


def mean(x, /, *, axis=None, keepdims=False):
    """The arithmetic mean, in a floating type: of integers float64."""
    x = _floating(x)
    total = _reduced("sum", x, axis, keepdims)
    return apply("divide", total, float(_count(x, axes_of(axis, x.ndim))))


def var(x, /, *, axis=None, correction=0.0, keepdims=False):
    """The mean of squared distances to the mean; `correction` is taken from the number of elements."""
    x = _floating(x)
    apart = apply("subtract", x, mean(x, axis=axis, keepdims=True))
    total = _reduced("sum", apply("multiply", apart, apart), axis, keepdims)
    return apply("divide", total, float(builtins.max(_count(x, axes_of(axis, x.ndim)) - correction, 0)))


def std(x, /, *, axis=None, correction=0.0, keepdims=False):
    """The square root of the variance."""
    return apply("sqrt", var(x, axis=axis, correction=correction, keepdims=keepdims))


def _best(op, x, axis, keepdims):
    core = lend(x)
    ndim = core.ndim
    if axis is None:
        core, axis = core.reshape([int(np.prod(core.shape, dtype=np.int64))]), 0
    made = wrap(core.arg_reduce(op, axes_of(axis, core.ndim)[0]))
    if not keepdims:
        return made
    axes = range(ndim) if core.ndim != ndim or ndim == 0 else axes_of(axis, ndim)
    for one in axes:
        made = wrap(made._core.expand_dims(one))
    return made


def argmin(x, /, *, axis=None, keepdims=False):
    """Where the smallest element is, the first of equal ones."""
    return _best("argmin", x, axis, keepdims)


def argmax(x, /, *, axis=None, keepdims=False):
    """Where the largest element is, the first of equal ones."""
    return _best("argmax", x, axis, keepdims)
