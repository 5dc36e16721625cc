"""Lazy arrays: a call makes one, and the module is their namespace, the Array API's (docs/array-api.md).

>>> import numpy as np, scipy.sparse as sp, trellis as tr
>>> A = tr.lazy(sp.csr_matrix([[1.0, 0.0], [2.0, 3.0]]))
>>> s = ((A @ A) * A).sum()
>>> s
<trellis lazy array () float64: sum(i,k)(sum(j)(csr(i,j) * csr(j,k)) * csr(i,k))>
>>> float(s)
44.0

Nothing is computed before somebody asks for elements: `x.compute()`, `tr.compute(x, y)`, `float(x)` of one element.
Then all of the expression is planned at once, and results are dense or sparse as its structure says (docs/python.md).
"""

import sys as _sys
import types as _types

from ._lazy_array import LazyArray, asarray
from ._lazy_constants import (bool, can_cast, e, finfo, float32, float64, iinfo, inf, int16, int32, int64, isdtype, nan,
                              newaxis, pi, result_type, uint8, uint32, uint64)
from ._lazy_creation import (arange, empty, empty_like, eye, from_dlpack, full, full_like, linspace, meshgrid, ones,
                             ones_like, zeros, zeros_like)
from ._lazy_elementwise import *  # noqa: F403
from ._lazy_elementwise import __all__ as _elementwise
from ._lazy_products import dot, einsum, matmul, matrix_norm, norm, outer, tensordot, trace, vecdot, vector_norm
from ._lazy_reductions import all, any, argmax, argmin, max, mean, min, prod, std, sum, var
from ._lazy_shapes import (broadcast_arrays, broadcast_to, concat, diagonal, expand_dims, flip, matrix_transpose,
                           permute_dims, reshape, roll, squeeze, stack, tril, triu)

__all__ = sorted([*_elementwise] + """
    LazyArray all any arange argmax argmin asarray bool broadcast_arrays broadcast_to can_cast concat diagonal dot e
    einsum empty empty_like expand_dims eye finfo flip float32 float64 from_dlpack full full_like iinfo inf int16 int32
    int64 isdtype linspace matmul matrix_norm matrix_transpose max mean meshgrid min nan newaxis norm ones ones_like
    outer permute_dims pi prod reshape result_type roll squeeze stack std sum tensordot trace tril triu uint32
    uint64 uint8 var vecdot vector_norm zeros zeros_like""".split())


class _Callable(_types.ModuleType):
    def __call__(self, obj):
        """The object as a lazy array: a number, an ndarray, an array of scipy.sparse or of trellis.asarray. Its
        elements are read when something is computed. Raises Error (E0701, E0703)."""
        return asarray(obj)


_sys.modules[__name__].__class__ = _Callable
