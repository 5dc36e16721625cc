"""NumPy's ufuncs and functions on lazy arrays: which function of trellis.lazy each of them is. The one table."""

import numpy as np

from ._errors import error

# Of ufuncs whose names differ from the standard's.
_UFUNCS = {
    np.absolute: "abs", np.fabs: "abs", np.arccos: "acos", np.arccosh: "acosh", np.arcsin: "asin",
    np.arcsinh: "asinh", np.arctan: "atan", np.arctan2: "atan2", np.arctanh: "atanh", np.power: "pow",
    np.float_power: "pow", np.true_divide: "divide", np.rint: "round", np.left_shift: "bitwise_left_shift",
    np.right_shift: "bitwise_right_shift", np.invert: "bitwise_invert",
}
_SAME_UFUNCS = """add bitwise_and bitwise_or bitwise_xor cbrt ceil cos cosh equal exp exp2 expm1 floor floor_divide
    greater greater_equal hypot isfinite isinf isnan less less_equal log log10 log1p log2 logaddexp logical_and
    logical_not logical_or logical_xor matmul maximum minimum multiply negative not_equal positive remainder sign sin sinh sqrt
    square subtract tan tanh trunc""".split()
_UFUNCS.update({getattr(np, name): name for name in _SAME_UFUNCS})

# ufunc.reduce
_REDUCTIONS = {np.add: "sum", np.multiply: "prod", np.maximum: "max", np.minimum: "min", np.logical_and: "all",
               np.logical_or: "any"}

# Functions with the standard's names: those that take what the standard's take, and those whose second argument is the
# axis.
_SAME = """broadcast_arrays broadcast_to clip diagonal dot einsum empty_like full_like matmul ones_like outer reshape
    tensordot trace where zeros_like""".split()
_WITH_AXIS = "all any argmax argmin expand_dims flip max mean min prod squeeze stack sum".split()


def _functions():
    from . import lazy

    table = {getattr(np, name): getattr(lazy, name) for name in _SAME}
    table.update({getattr(np, name): _by_position(getattr(lazy, name)) for name in _WITH_AXIS})
    # Others.
    table.update({
        np.amax: table[np.max], np.amin: table[np.min], np.concatenate: _concatenate, np.transpose: _transpose,
        np.linalg.norm: lazy.norm, np.moveaxis: _moveaxis, np.swapaxes: _swapaxes, np.ravel: _ravel,
        np.round: _round, np.around: _round, np.vdot: _vdot, np.var: _var, np.std: _std, np.hstack: _hstack,
        np.vstack: _vstack, np.roll: _roll, np.tril: _tril, np.triu: _triu, np.shape: lambda a: a.shape,
        np.ndim: lambda a: a.ndim, np.size: _size, np.real: lambda a: a, np.result_type: lazy.result_type,
        np.can_cast: lazy.can_cast,
    })
    return table


def _by_position(function):
    """NumPy takes the axis as the second argument."""
    def found(a, axis=None, **options):
        return function(a, axis=axis, **options)

    return found


def _concatenate(arrays, axis=0):
    from . import lazy

    return lazy.concat(arrays, axis=axis)


def _ravel(a):
    from . import lazy

    return lazy.reshape(a, -1)


def _vdot(a, b):
    from . import lazy

    return lazy.vecdot(lazy.reshape(a, -1), lazy.reshape(b, -1))


def _roll(a, shift, axis=None):
    from . import lazy

    return lazy.roll(a, shift, axis=axis)


def _tril(m, k=0):
    from . import lazy

    return lazy.tril(m, k=k)


def _triu(m, k=0):
    from . import lazy

    return lazy.triu(m, k=k)


def _vstack(arrays):
    from . import lazy

    return lazy.concat([lazy.reshape(one, (1, -1)) if np.ndim(one) < 2 else one for one in arrays])


def _transpose(a, axes=None):
    from . import lazy

    return lazy.permute_dims(a, range(a.ndim)[::-1] if axes is None else axes)


def _swapaxes(a, axis1, axis2):
    order = list(range(a.ndim))
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return _transpose(a, order)


def _moveaxis(a, source, destination):
    sources = [one % a.ndim for one in np.atleast_1d(source).tolist()]
    order = [one for one in range(a.ndim) if one not in sources]
    for to, one in sorted(zip((d % a.ndim for d in np.atleast_1d(destination).tolist()), sources)):
        order.insert(to, one)
    return _transpose(a, order)


def _size(a, axis=None):
    return a.size if axis is None else a.shape[axis]


def _round(a, decimals=0):
    from . import lazy

    return lazy.round(a) if decimals == 0 else lazy.divide(lazy.round(lazy.multiply(a, 10.0**decimals)), 10.0**decimals)


def _hstack(arrays):
    from . import lazy

    return lazy.concat(arrays, axis=0 if np.ndim(arrays[0]) == 1 else 1)


def _var(a, axis=None, dtype=None, *, ddof=0, keepdims=False):
    from . import lazy

    return lazy.var(a, axis=axis, correction=ddof, keepdims=keepdims)


def _std(a, axis=None, dtype=None, *, ddof=0, keepdims=False):
    from . import lazy

    return lazy.sqrt(_var(a, axis, ddof=ddof, keepdims=keepdims))


def _refused(name, near=None):
    return error("E0705", f"numpy.{name} has no lazy counterpart", near or "np.asarray(x.compute(format='dense'))")


def ufunc_of(ufunc, method, inputs, options):
    """What a call of a ufunc builds; `reduce` of some is a reduction."""
    from . import lazy

    options = {key: value for key, value in options.items() if value is not None and value is not np._NoValue}
    out = options.pop("out", None)
    if out is not None:
        raise error("E0705", f"numpy.{ufunc.__name__} cannot write into `out` what is not computed yet",
                    "out[...] = x.compute()")
    dtype = options.pop("dtype", None)
    if method == "reduce" and ufunc in _REDUCTIONS and not set(options) - {"axis", "keepdims"}:
        options.setdefault("axis", 0)
        made = getattr(lazy, _REDUCTIONS[ufunc])(*inputs, **options)
    elif method == "__call__" and ufunc in _UFUNCS and not options:
        made = getattr(lazy, _UFUNCS[ufunc])(*inputs)
    elif method == "outer" and ufunc in _UFUNCS and not options and len(inputs) == 2:
        a, b = (lazy.asarray(one) for one in inputs)
        made = getattr(lazy, _UFUNCS[ufunc])(a[(...,) + (None,) * b.ndim], b)
    else:
        what = ufunc.__name__ + ("" if method == "__call__" else f".{method}")
        raise _refused(what + (f" with {', '.join(options)}" if options else ""))
    return made if dtype is None else lazy.astype(made, dtype)


_table = {}
_UNHEEDED = ("order", "subok", "casting", "optimize")  # of memory and of how a contraction is computed


def function_of(function, arguments, options):
    """What a call of a function of NumPy builds."""
    if not _table:
        _table.update(_functions())
    found = _table.get(function)
    if found is None:
        raise _refused(function.__name__)
    options = {key: value for key, value in options.items() if value is not np._NoValue and key not in _UNHEEDED}
    unusual = [key for key in ("out", "where", "initial") if options.pop(key, None) is not None]
    if unusual:
        raise _refused(f"{function.__name__} with {', '.join(unusual)}")
    return found(*arguments, **options)

