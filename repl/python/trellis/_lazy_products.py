"""Functions of trellis.lazy that multiply and add up, over the numbers or over another semiring."""

import string

import numpy as np

from . import _core
from ._lazy_array import LazyArray, apply, astype, lend, wrap
from ._lazy_constants import result_type
from ._lazy_reductions import axes_of
from ._lazy_reductions import max as _max
from ._lazy_reductions import sum as _sum


def contracted(letters, operands, add="sum", multiply="multiply"):
    """The Einstein sum of a semiring, in the type in which the operands meet."""
    cores = [lend(one) for one in operands]
    kind = result_type(*(core.dtype for core in cores))
    if kind.kind == "b" and (add, multiply) == ("sum", "multiply"):
        add, multiply = "any", "logical_and"
    made = wrap(_core.Lazy.einsum(add, multiply, letters, cores))
    return made if add in ("any", "all") or made.dtype == kind else astype(made, kind)


def einsum_letters(subscripts, count):
    """With an arrow: without one the result has the letters that stand once, in alphabetical order."""
    subscripts = subscripts.replace(" ", "")
    if "..." in subscripts:
        raise ValueError("einsum takes a letter for each axis, and no `...`")
    left, arrow, right = subscripts.partition("->")
    if len(left.split(",")) != count:
        raise ValueError(f"einsum names the axes of {len(left.split(','))} operands, and there are {count}")
    if not arrow:
        right = "".join(sorted(one for one in set(left) - {","} if left.count(one) == 1))
    if len(set(right)) != len(right):
        raise ValueError(f"einsum: a letter comes twice in the result, {right}")
    return f"{left}->{right}"


def einsum(subscripts, /, *operands):
    """The Einstein sum: "ik,kj->ij" is the product of two matrices. Letters that the result lacks are summed over; a
    letter that stands twice in an operand is its diagonal."""
    return contracted(einsum_letters(subscripts, len(operands)), operands)


def matmul_letters(a, b):
    """Of the product of arrays with so many axes: batches broadcast from the last axis on."""
    if a < 1 or b < 1:
        raise ValueError("matmul is of arrays with axes; multiply by a number with *")
    batch = string.ascii_uppercase[:max(a, b, 2) - 2]
    left = batch[len(batch) - max(a - 2, 0):] + ("ik" if a > 1 else "k")
    right = batch[len(batch) - max(b - 2, 0):] + ("kj" if b > 1 else "k")
    return left, right, batch + ("i" if a > 1 else "") + ("j" if b > 1 else "")


def batched(x1, x2):
    """The two, with their leading axes broadcast where sizes differ."""
    x1, x2 = (one if type(one) is LazyArray else wrap(lend(one)) for one in (x1, x2))
    if x1.ndim > 2 and x2.ndim > 2 or 1 in x1.shape[:-2] + x2.shape[:-2]:
        shape = np.broadcast_shapes(x1.shape[:-2], x2.shape[:-2])
        x1, x2 = (wrap(one._core.broadcast_to([*shape, *one.shape[-2:]])) if one.ndim > 1 else one for one in (x1, x2))
    return x1, x2


def matmul(x1, x2, /):
    """The product of matrices, of a matrix and a vector, of two vectors; of more axes, of all matrices in the last
    two."""
    x1, x2 = batched(x1, x2)
    left, right, result = matmul_letters(x1.ndim, x2.ndim)
    return contracted(f"{left},{right}->{result}", (x1, x2))


def dot(x1, x2, /):
    """NumPy's: matmul of up to two axes, and the product with a number."""
    ranks = (lend(x1).ndim, lend(x2).ndim)
    if 0 in ranks:
        return apply("multiply", x1, x2)
    if max(ranks) > 2:
        raise ValueError("dot is of vectors and matrices; use tensordot")
    return matmul(x1, x2)


def outer(x1, x2, /):
    """All products of an element of one vector and one of another."""
    return contracted("i,j->ij", (x1, x2))


def vecdot(x1, x2, /, *, axis=-1):
    """The sum of products along an axis; the others broadcast."""
    product = apply("multiply", x1, x2)
    kind = product.dtype
    if kind.kind == "b":
        return wrap(product._core.reduce("any", axes_of(axis, product.ndim), False))
    made = _sum(product, axis=axis)
    return made if made.dtype == kind else astype(made, kind)


def tensordot(x1, x2, /, *, axes=2):
    """The sum of products over the last `axes` axes of x1 and the first of x2, or over two lists of axes."""
    x1, x2 = (one if type(one) is LazyArray else wrap(lend(one)) for one in (x1, x2))
    if isinstance(axes, (int, np.integer)):
        if axes > min(x1.ndim, x2.ndim):
            raise ValueError(f"there are no {axes} axes to sum over")
        axes = (range(x1.ndim - axes, x1.ndim), range(axes))
    pairs = list(zip(axes_of(tuple(np.atleast_1d(axes[0])), x1.ndim), axes_of(tuple(np.atleast_1d(axes[1])), x2.ndim)))
    left = list(string.ascii_lowercase[:x1.ndim])
    right = list(string.ascii_uppercase[:x2.ndim])
    for a, b in pairs:
        right[b] = left[a]
    summed = {left[a] for a, _ in pairs}
    result = [one for one in left + right if one not in summed]
    return contracted(f"{''.join(left)},{''.join(right)}->{''.join(result)}", (x1, x2))


def trace(x, /, *, offset=0, dtype=None):
    """The sum of the diagonal of the last two axes."""
    if offset:
        raise ValueError("the trace is of the main diagonal")
    core = lend(x)
    return _sum(wrap(core.diagonal(core.ndim - 2, core.ndim - 1)), axis=-1, dtype=dtype)


def _power_sum(size, axis, ord, keepdims):
    if ord == np.inf:
        return _max(size, axis=axis, keepdims=keepdims)
    if ord == -np.inf:
        return apply("negative", _max(apply("negative", size), axis=axis, keepdims=keepdims))
    if ord == 0:
        return _sum(astype(apply("not_equal", size, 0), size.dtype), axis=axis, keepdims=keepdims)
    if ord == 1:
        return _sum(size, axis=axis, keepdims=keepdims)
    if ord == 2:
        return apply("sqrt", _sum(apply("multiply", size, size), axis=axis, keepdims=keepdims))
    return apply("power", _sum(apply("power", size, float(ord)), axis=axis, keepdims=keepdims), 1 / ord)


def _magnitude(x):
    x = x if type(x) is LazyArray else wrap(lend(x))
    return apply("abs", x if x.dtype.kind == "f" else astype(x, np.float64))


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """The norm of vectors along axes, of all elements without one: (sum |x|^ord)^(1/ord), the largest for inf."""
    return _power_sum(_magnitude(x), axis, ord, keepdims)


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """The norm of the matrices in the last two axes: "fro", 1, -1, inf, -inf. Those of singular values are absent."""
    size = _magnitude(x)
    if size.ndim < 2:
        raise ValueError("a matrix has two axes")
    if ord == "fro":
        return _power_sum(size, (-2, -1), 2, keepdims)
    if ord not in (1, -1, np.inf, -np.inf):
        raise ValueError(f'matrix norms are "fro", 1, -1, inf and -inf, not {ord!r}')
    sums = _sum(size, axis=-2 if abs(ord) == 1 else -1, keepdims=True)
    made = _power_sum(sums, (-2, -1), np.inf if ord > 0 else -np.inf, keepdims)
    return made


def norm(x, /, ord=None, axis=None, keepdims=False):
    """NumPy's linalg.norm: of vectors, of matrices where two axes are meant, of all elements without `ord`."""
    ndim = lend(x).ndim
    matrices = ord is not None and (ndim == 2 and axis is None or isinstance(axis, tuple) and len(axis) == 2)
    if matrices and axes_of(axis, ndim) != list(range(ndim - 2, ndim)):
        raise ValueError("norms of matrices are of the last two axes")
    if matrices:
        return matrix_norm(x, keepdims=keepdims, ord=ord)
    return vector_norm(x, axis=axis, keepdims=keepdims, ord=2 if ord in (None, "fro") else ord)
