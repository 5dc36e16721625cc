"""Types of elements and constants of the namespace trellis.lazy."""

import builtins

import numpy as np

from ._errors import error

bool = np.dtype("bool")
float64, float32 = np.dtype("float64"), np.dtype("float32")
int64, int32, int16 = np.dtype("int64"), np.dtype("int32"), np.dtype("int16")
uint64, uint32, uint8 = np.dtype("uint64"), np.dtype("uint32"), np.dtype("uint8")
e, pi, inf, nan, newaxis = np.e, np.pi, np.inf, np.nan, None

_ALL = (bool, float64, float32, int64, int32, int16, uint64, uint32, uint8)
_KINDS = {"bool": "b", "signed integer": "i", "unsigned integer": "u", "integral": "iu", "real floating": "f",
          "complex floating": "c", "numeric": "iuf"}


def finfo(type, /):
    """Limits of a floating type."""
    return np.finfo(_dtype(type))


def iinfo(type, /):
    """Limits of an integer type."""
    return np.iinfo(_dtype(type))


def _dtype(one):
    return getattr(one, "dtype", None) or np.dtype(one)


def can_cast(from_, to, /):
    """Does promotion lead from one type to the other?"""
    return result_type(from_, to) == _dtype(to)


def isdtype(dtype, kind):
    """Is it of the kind: a type, a word such as "integral", or one of a tuple of these?"""
    if isinstance(kind, tuple):
        return any(isdtype(dtype, one) for one in kind)
    if isinstance(kind, str) and kind in _KINDS:
        return np.dtype(dtype).kind in _KINDS[kind]
    if isinstance(kind, str):
        raise ValueError(f"kinds are {', '.join(_KINDS)}, not {kind!r}")
    return np.dtype(dtype) == np.dtype(kind)


def result_type(*arrays_and_dtypes):
    """The type in which these meet: NumPy's promotion, where Python numbers take the type of the others."""
    firm = [_dtype(one) for one in arrays_and_dtypes
            if not isinstance(one, (builtins.bool, int, float)) or isinstance(one, np.generic)]
    if not firm:
        raise ValueError("at least one of them is an array or a type")
    found = np.result_type(*firm)
    for one in arrays_and_dtypes:
        if isinstance(one, float) and found.kind != "f":
            found = float64
        elif isinstance(one, int) and not isinstance(one, builtins.bool) and found.kind == "b":
            found = int64
    if found not in _ALL:
        raise error("E0703", f"they meet in {found}, which is none of our types")
    return found
