"""Functions of trellis.lazy that work element by element: the language's operators, with NumPy's types."""

import numpy as np

from . import _core
from ._lazy_array import LazyArray, apply, astype, lend, wrap

# name: (operator of the language, what it computes)
_SIMPLE = {
    "exp": ("exp", "e to the power of x."),
    "expm1": ("expm1", "exp(x) - 1, exact near 0."),
    "log": ("log", "The natural logarithm."),
    "log1p": ("log1p", "log(1 + x), exact near 0."),
    "log2": ("log2", "The logarithm to the base 2."),
    "log10": ("log10", "The logarithm to the base 10."),
    "sqrt": ("sqrt", "The square root."),
    "cbrt": ("cbrt", "The cube root."),
    "exp2": ("exp2", "2 to the power of x."),
    "sin": ("sin", "The sine of radians."),
    "cos": ("cos", "The cosine of radians."),
    "tan": ("tan", "The tangent of radians."),
    "asin": ("asin", "The inverse of the sine, in radians."),
    "acos": ("acos", "The inverse of the cosine, in radians."),
    "atan": ("atan", "The inverse of the tangent, in radians."),
    "sinh": ("sinh", "The hyperbolic sine."),
    "cosh": ("cosh", "The hyperbolic cosine."),
    "tanh": ("tanh", "The hyperbolic tangent."),
    "sign": ("sign", "-1, 0 or 1."),
    "negative": ("negative", "-x."),
    "logical_not": ("logical_not", "Is it 0?"),
}
_PAIRS = {
    "add": ("add", "x + y; of truth values, whether one is true."),
    "subtract": ("subtract", "x - y."),
    "multiply": ("multiply", "x y; of truth values, whether both are true."),
    "atan2": ("atan2", "The angle of the point (y, x), in radians."),
    "hypot": ("hypot", "The square root of x² + y²."),
    "pow": ("power", "x to the power of y; of integers, 0 where y is negative, unless x is 1 or -1."),
    "remainder": ("modulo", "What is left of x / y rounded down: it has the sign of y. Integers y = 0 are a Fault."),
    "bitwise_and": ("bit_and", "The bits that both have."),
    "bitwise_or": ("bit_or", "The bits that either has."),
    "bitwise_xor": ("bit_xor", "The bits that one of them has."),
    "bitwise_left_shift": ("shift_left", "The bits of x moved up by y places."),
    "bitwise_right_shift": ("shift_right", "The bits of x moved down by y places; the sign stays."),
    "equal": ("equal", "x == y."),
    "not_equal": ("not_equal", "x != y."),
    "less": ("less", "x < y."),
    "less_equal": ("less_equal", "x <= y."),
    "greater": ("greater", "x > y."),
    "greater_equal": ("greater_equal", "x >= y."),
    "logical_and": ("logical_and", "Are both not 0?"),
    "logical_or": ("logical_or", "Is one of them not 0?"),
}
_WRITTEN = """abs acosh asinh astype atanh bitwise_invert ceil clip divide floor floor_divide isfinite isinf isnan
    logaddexp logical_xor maximum minimum positive round square trunc where""".split()
__all__ = [*_SIMPLE, *_PAIRS, *_WRITTEN]


def _function(name, op, doc, arguments):
    if arguments == 1:
        def function(x, /):
            return apply(op, x)
    else:
        def function(x1, x2, /):
            return apply(op, x1, x2)
    function.__name__ = function.__qualname__ = name
    function.__doc__, function.__module__ = doc, "trellis.lazy"
    return function


globals().update({name: _function(name, op, doc, 1) for name, (op, doc) in _SIMPLE.items()})
globals().update({name: _function(name, op, doc, 2) for name, (op, doc) in _PAIRS.items()})


def _array(x):
    return x if type(x) is LazyArray else wrap(lend(x))


def _is_floating(*arrays):
    return any(one.dtype.kind == "f" for one in arrays)


def positive(x, /):
    """x itself."""
    return _array(x)


def abs(x, /):
    """The absolute value."""
    x = _array(x)
    return x if x.dtype.kind == "b" else apply("abs", x)


def square(x, /):
    """x²."""
    return apply("multiply", x, x)


def divide(x1, x2, /):
    """x1 / x2, in a floating type: of integers float64."""
    x1, x2 = _array(x1), _array(x2)
    if not _is_floating(x1, x2):
        x1 = astype(x1, np.float64)
    return apply("divide", x1, x2)


def floor_divide(x1, x2, /):
    """x1 / x2 rounded down. Of integers x2 = 0 is a Fault."""
    x1, x2 = _array(x1), _array(x2)
    if not _is_floating(x1, x2):
        return apply("divide", x1, x2)
    rest = apply("modulo", x1, x2)
    return apply("round", apply("divide", apply("subtract", x1, rest), x2))  # a quotient alone may round up


def _to_integer(name, x):
    x = _array(x)
    return apply(name, x) if _is_floating(x) else x


def floor(x, /):
    """The largest integer that is not above x."""
    return _to_integer("floor", x)


def ceil(x, /):
    """The smallest integer that is not below x."""
    return _to_integer("ceil", x)


def trunc(x, /):
    """The integer beside x that is nearer to 0."""
    return _to_integer("trunc", x)


def round(x, /):
    """The nearest integer; of two the even one."""
    x = _array(x)
    if not _is_floating(x):
        return x
    halfway = apply("equal", apply("abs", apply("subtract", x, apply("trunc", x))), 0.5)
    return where(halfway, apply("multiply", apply("round", apply("multiply", x, 0.5)), 2.0), apply("round", x))


def bitwise_invert(x, /):
    """All bits the other way round; of truth values `not`."""
    x = _array(x)
    return apply("logical_not" if x.dtype.kind == "b" else "bit_not", x)


def logical_xor(x1, x2, /):
    """Is just one of them not 0?"""
    return apply("not_equal", astype(x1, bool), astype(x2, bool))


def isnan(x, /):
    """Is it not-a-number?"""
    return apply("not_equal", x, x)


def isinf(x, /):
    """Is it inf or -inf?"""
    x = _array(x)
    return apply("equal", apply("abs", x), np.inf) if _is_floating(x) else apply("not_equal", x, x)


def isfinite(x, /):
    """Is it a number, and neither inf nor -inf?"""
    x = _array(x)
    return apply("less", apply("abs", x), np.inf) if _is_floating(x) else apply("equal", x, x)


def maximum(x1, x2, /):
    """The larger one; not-a-number where one of them is that."""
    return wrap(_core.Lazy.maximum(lend(x1), lend(x2)))


def minimum(x1, x2, /):
    """The smaller one; not-a-number where one of them is that."""
    return wrap(_core.Lazy.minimum(lend(x1), lend(x2)))


def clip(x, /, min=None, max=None):
    """min where x is below it, max where it is above."""
    x = _array(x) if min is None else maximum(x, min)
    return x if max is None else minimum(x, max)


def where(condition, x1, x2, /):
    """x1 where the condition is not 0, else x2."""
    return wrap(_core.Lazy.where(lend(condition), lend(x1), lend(x2)))


def logaddexp(x1, x2, /):
    """log(exp(x1) + exp(x2)), without the large numbers between."""
    apart = apply("abs", apply("subtract", x1, x2))
    return apply("add", maximum(x1, x2), apply("log1p", apply("exp", apply("negative", apart))))


def asinh(x, /):
    """The inverse of the hyperbolic sine."""
    x = _array(x)
    size = apply("abs", x)
    squared = square(x)
    rest = apply("divide", squared, apply("add", 1.0, apply("sqrt", apply("add", squared, 1.0))))
    return apply("multiply", apply("sign", x), apply("log1p", apply("add", size, rest)))


def acosh(x, /):
    """The inverse of the hyperbolic cosine."""
    above = apply("subtract", x, 1.0)
    root = apply("sqrt", apply("multiply", above, apply("add", above, 2.0)))
    return apply("log1p", apply("add", above, root))


def atanh(x, /):
    """The inverse of the hyperbolic tangent."""
    quotient = divide(apply("multiply", x, 2.0), apply("subtract", 1.0, x))
    return apply("multiply", 0.5, apply("log1p", quotient))
