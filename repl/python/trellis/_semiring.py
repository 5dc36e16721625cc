"""Semirings: what adds up and what multiplies, in place of + and *."""

import numpy as np

from . import _core
from ._errors import error
from ._lazy_array import LazyArray, lend, wrap
from ._lazy_products import batched, contracted, einsum_letters, matmul_letters
from ._lazy_reductions import axes_of

_ADD = {"+": "sum", "sum": "sum", "*": "prod", "prod": "prod", "min": "min", "max": "max", "any": "any", "or": "any",
        "||": "any", "all": "all", "and": "all", "&&": "all"}
_MULTIPLY = {"*": "multiply", "+": "add", "-": "subtract", "/": "divide", "min": "min", "max": "max", "^": "power",
             "&&": "logical_and", "and": "logical_and", "||": "logical_or", "or": "logical_or"}


def semiring(add, multiply):
    """The pair: add is "+", "*", "min", "max", "any" or "all"; multiply is "*", "+", "-", "/", "min", "max", "&&" or
    "||". semiring("min", "+").matmul(A, A) has the lengths of shortest paths of two steps."""
    if add not in _ADD or multiply not in _MULTIPLY:
        raise ValueError(f"semirings are of {', '.join(_ADD)} and {', '.join(_MULTIPLY)}, not of {add} and {multiply}")
    return Semiring(add, multiply)


class Semiring:
    """An addition and a multiplication for sums of products: min and + for shortest paths, any and && for reachability.

    What an operand does not store is its fill. Results are sparse, and products skip what is not stored, where the
    fill is `zero`, which adds nothing and which products keep: inf for min and +. `trellis.asarray(A, "csr fill inf")`
    has that; SciPy's arrays have fill 0.
    """

    def __init__(self, add, multiply):
        self.add, self.multiply = add, multiply

    def zero(self, dtype):
        """What adds nothing, in a type: 0, 1, inf or the type's limit, False or True."""
        dtype = np.dtype(dtype)
        op = _ADD[self.add]
        if op in ("sum", "prod", "any", "all"):
            return dtype.type(op in ("prod", "all"))
        if dtype.kind == "b":
            return op == "min"
        low, high = (-np.inf, np.inf) if dtype.kind == "f" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
        return dtype.type(high if op == "min" else low)

    def skips(self, x):
        """Do products of this array skip what it does not store?"""
        core = lend(x)
        return core.fill == self.zero(core.dtype)

    def matmul(self, x1, x2, /):
        """The product of matrices and vectors."""
        x1, x2 = batched(x1, x2)
        left, right, result = matmul_letters(x1.ndim, x2.ndim)
        return self._contracted(f"{left},{right}->{result}", (x1, x2))

    def vecdot(self, x1, x2, /):
        """The sum of products of two vectors."""
        return self._contracted("i,i->", (x1, x2))

    def einsum(self, subscripts, /, *operands):
        """The Einstein sum, as trellis.einsum has it."""
        return self._contracted(einsum_letters(subscripts, len(operands)), operands)

    def sum(self, x, /, *, axis=None, keepdims=False):
        """The sum over axes, over all without one."""
        core = lend(x)
        axes = axes_of(axis, core.ndim)
        return wrap(core.reduce(_ADD[self.add], axes, bool(keepdims))) if axes else wrap(core)

    def plus(self, x1, x2, /):
        """The sum of two arrays, element by element."""
        op = {"sum": "add", "prod": "multiply", "any": "logical_or", "all": "logical_and"}.get(_ADD[self.add])
        return wrap(_core.Lazy.apply(op or _ADD[self.add], lend(x1), lend(x2)))

    def sparse(self, x, /):
        """The array with everything that it does not store taken for `zero`: what is stored stays. Of an array of
        scipy.sparse, whose fill is 0, or of one of ours."""
        from ._array import Array

        made = x if isinstance(x, Array) else Array(_core.as_tensor(x, ""))
        return Array(_core.with_background(made, self.zero(made.dtype).item()))

    def _contracted(self, letters, operands):
        return contracted(letters, operands, _ADD[self.add], _MULTIPLY[self.multiply])

    def __eq__(self, other):
        return isinstance(other, Semiring) and (self.add, self.multiply) == (other.add, other.multiply)

    def __hash__(self):
        return hash((self.add, self.multiply))

    def __repr__(self):
        return f"trellis.semiring({self.add!r}, {self.multiply!r})"
