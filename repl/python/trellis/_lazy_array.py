"""The class of lazy arrays: Python's operators, indices and conversions."""

import math

import numpy as np

from . import _core
from ._errors import error

_of, _number, _apply = _core.Lazy.of, _core.Lazy.number, _core.Lazy.apply


def wrap(core):
    """The object of Python for one of C++."""
    made = object.__new__(LazyArray)
    made._core = core
    return made


def lend(obj):
    """The C++ object of a lazy array, or of anything that can become one. A Python number takes the type of what it
    meets; one of NumPy is an operand of its own, whose value is no part of the code."""
    if type(obj) is LazyArray:
        return obj._core
    if isinstance(obj, (bool, int, float)) and not isinstance(obj, np.generic):
        return _number(obj)
    if isinstance(obj, np.generic):
        return _of(np.asarray(obj))
    if isinstance(obj, complex):
        raise TypeError("there are no complex numbers; use the real and the imaginary part")
    return _of(obj)


def asarray(obj, /, *, dtype=None, device=None, copy=None):
    """The object as a lazy array, in another type when one is given. Nothing is copied; `copy=True` is refused, as
    lazy arrays own no elements."""
    if copy:
        raise error("E0705", "a lazy array owns no elements that could be copied", "asarray(x.copy())")
    require_cpu(device)
    made = obj if type(obj) is LazyArray else wrap(lend(obj))
    return made if dtype is None else astype(made, dtype)


def require_cpu(device):
    """Refuses other devices."""
    if device not in (None, "cpu"):
        raise ValueError(f'the only device is "cpu", not {device!r}')


def astype(x, dtype, /, *, copy=True):
    """The elements converted to a type, as C does; to bool, whether they are not 0."""
    return wrap(lend(x).astype(np.dtype(dtype).name))


def apply(name, *operands):
    """An operator of the language on operands that broadcast."""
    return wrap(_apply(name, *map(lend, operands)))


class LazyArray:
    """An expression over arrays, which has a shape and a type, and computes nothing until it is asked to.

    Made by `trellis.lazy(obj)` and by what is done with lazy arrays: operators, indices, functions of `trellis.lazy`,
    ufuncs of NumPy.
    """

    __slots__ = ("_core", "__weakref__")

    def __init__(self, obj):
        self._core = lend(obj)

    @property
    def shape(self):
        """How many elements it has along each axis."""
        return self._core.shape

    @property
    def ndim(self):
        """How many axes it has."""
        return self._core.ndim

    @property
    def size(self):
        """How many elements it has, stored or not."""
        return math.prod(self.shape)

    @property
    def dtype(self):
        """The type of its elements, a dtype of NumPy."""
        return self._core.dtype

    @property
    def device(self):
        """"cpu"."""
        return "cpu"

    @property
    def fill(self):
        """The value of elements that need not be stored."""
        return self._core.fill

    @property
    def T(self):
        """The transpose, of two axes."""
        if self.ndim != 2:
            raise ValueError(f"T is of two axes, not of {self.ndim}; use permute_dims")
        return wrap(self._core.permute([1, 0]))

    @property
    def mT(self):
        """The last two axes exchanged."""
        from ._lazy_shapes import matrix_transpose

        return matrix_transpose(self)

    def __array_namespace__(self, /, *, api_version=None):
        """trellis.lazy, which follows version 2022.12 of the standard."""
        if api_version not in (None, "2021.12", "2022.12"):
            raise ValueError(f"trellis.lazy follows 2022.12, not {api_version}")
        from . import lazy

        return lazy

    def to_device(self, device, /, *, stream=None):
        """The array itself: the only device is "cpu"."""
        require_cpu(device)
        return self

    # What computes.

    def compute(self, **options):
        """The elements; `trellis.compute` says what options there are."""
        from ._plan import compute

        return compute(self, **options)

    def plan(self, **options):
        """How it would be computed, as a Plan."""
        from ._plan import plan

        return plan(self, **options)

    def _one(self, kind):
        if self.size != 1:
            raise TypeError(f"an array of shape {self.shape} is no single {kind}")
        made = self.compute(format="dense" if self.ndim else None)
        return made.reshape(-1)[0] if self.ndim else made

    def __float__(self):
        return float(self._one("number"))

    def __int__(self):
        return int(self._one("number"))

    def __index__(self):
        if self.ndim or self.dtype.kind not in "iu":
            raise TypeError("an index is a single integer")
        return int(self._one("number"))

    def __bool__(self):
        return bool(self._one("truth value"))

    def __array__(self, dtype=None, copy=None):
        made = self.compute()
        if not isinstance(made, (np.ndarray, np.generic)):
            raise error("E0704", f"the result is sparse, of shape {self.shape}; it is not made dense unless it is "
                                 "asked for", '.compute(format="dense")')
        return np.asarray(made, dtype=dtype)

    def __repr__(self):
        text = self._core.text
        text = text if len(text) <= 200 else text[:200] + " …"
        return f"<trellis lazy array {self.shape} {self.dtype}: {text}>"

    def _repr_html_(self):
        from html import escape

        return f"<code>{escape(repr(self))}</code>"

    __iter__ = None  # one axis would be computed as often as it is long
    __hash__ = object.__hash__

    # Operators: the language's, with NumPy's types.

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        from ._lazy_numpy import ufunc_of

        return ufunc_of(ufunc, method, inputs, options)

    def __array_function__(self, function, types, arguments, options):
        from ._lazy_numpy import function_of

        return function_of(function, arguments, options)

    def __getitem__(self, index):
        from ._lazy_shapes import item

        return item(self, index)

    def __setitem__(self, index, value):
        raise error("E0705", "a lazy array is not written to", "where(mask, value, x)")

    def __matmul__(self, other):
        return _two("matmul", self, other)

    def __rmatmul__(self, other):
        return _two("matmul", other, self)

    def __neg__(self):
        return apply("negative", self)

    def __pos__(self):
        return self

    def __abs__(self):
        from ._lazy_elementwise import abs

        return abs(self)

    def __invert__(self):
        from ._lazy_elementwise import bitwise_invert

        return bitwise_invert(self)


def _two(name, a, b):
    """A function of two operands by name; NotImplemented where one of them is no array."""
    from . import lazy

    try:
        return getattr(lazy, name)(a, b)
    except TypeError:
        if all(isinstance(one, (LazyArray, np.ndarray, np.generic, bool, int, float)) for one in (a, b)):
            raise
        return NotImplemented


def _give_operators():
    names = dict(add="add", sub="subtract", mul="multiply", truediv="divide", floordiv="floor_divide", mod="remainder",
                 pow="pow", lshift="bitwise_left_shift", rshift="bitwise_right_shift", xor="bitwise_xor")
    names.update({"and": "bitwise_and", "or": "bitwise_or"})
    for short, name in names.items():
        setattr(LazyArray, f"__{short}__", lambda self, other, name=name: _two(name, self, other))
        setattr(LazyArray, f"__r{short}__", lambda self, other, name=name: _two(name, other, self))
    for short, name in dict(eq="equal", ne="not_equal", lt="less", le="less_equal", gt="greater",
                            ge="greater_equal").items():
        setattr(LazyArray, f"__{short}__", lambda self, other, name=name: _two(name, self, other))
    for name in ("sum", "prod", "min", "max", "any", "all", "mean", "var", "std", "argmin", "argmax"):
        def method(self, axis=None, *, keepdims=False, name=name, **options):
            from . import lazy

            return getattr(lazy, name)(self, axis=axis, keepdims=keepdims, **options)

        method.__name__, method.__doc__ = name, f"trellis.lazy.{name} of this array."
        setattr(LazyArray, name, method)
    for name in ("reshape", "astype", "squeeze"):
        def method(self, *arguments, name=name, **options):
            from . import lazy

            return getattr(lazy, name)(self, *arguments, **options)

        method.__name__, method.__doc__ = name, f"trellis.lazy.{name} of this array."
        setattr(LazyArray, name, method)


_give_operators()
