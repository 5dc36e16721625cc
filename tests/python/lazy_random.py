"""Random expressions, built twice: as lazy arrays and by NumPy on the same elements.

By hand, a round of any length: PYTHONPATH=build/python python3 tests/python/lazy_random.py --random 10000 --seed 7
"""

import argparse
import sys
import traceback
import warnings

import numpy as np
import scipy.sparse as sp

import trellis as tr

TYPES = ["float64"] * 3 + ["float32", "int64", "int32", "int16", "uint64", "uint32", "uint8", "bool"]
FORMATS = {1: ["dense", "compressed"], 2: ["dense", "csr", "csc", "coo", "{compressed, compressed}"],
           3: ["dense", "csf", "coo"]}


class Generator:
    """Pairs of a lazy array and the ndarray that it has to be."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.said = []

    def pick(self, several):
        return several[self.rng.integers(len(several))]

    def chance(self, percent):
        return bool(self.rng.integers(100) < percent)

    def values(self, shape, dtype):
        dtype = np.dtype(dtype)
        if dtype.kind == "b":
            return self.rng.random(shape) < 0.5
        return self.rng.integers(0 if dtype.kind == "u" else -3, 5, shape).astype(dtype)

    def operand(self, shape=None, dtype=None):
        if shape is None:
            shape = tuple(self.rng.integers(0 if self.chance(5) else 1, 5, self.pick([0, 1, 1, 2, 2, 2, 3])))
        dtype = np.dtype(dtype or self.pick(TYPES))
        made = self.values(shape, dtype)
        fill = self.values((), dtype)[()] if self.chance(30) else dtype.type(0)
        if len(shape):
            made = np.where(self.rng.random(shape) < 0.5, made, fill).astype(dtype)
        self.said.append(f"{dtype}{list(shape)}")
        if not len(shape):
            return tr.lazy(made), made
        if len(shape) == 2 and fill == 0 and self.chance(50) and 0 not in shape:
            # SciPy's own classes
            kind = self.pick(["csr", "csc", "coo", "dia", "lil"])
            return tr.lazy(sp.csr_matrix(made).asformat(kind)), made
        format = self.pick(FORMATS.get(len(shape), ["dense", "coo"]))
        text = f" fill {fill.item()}".lower() if fill else ""
        return tr.lazy(tr.asarray(made, format + text)), made

    def like(self, pair):
        """An operand that broadcasts with this one, or a number."""
        lazy, array = pair
        if self.chance(20):
            number = self.pick([0, 1, 2, 0.5])
            return number, number
        shape = array.shape[self.rng.integers(array.ndim + 1):] if self.chance(30) else array.shape
        shape = tuple(1 if self.chance(15) else size for size in shape)
        return self.operand(shape, array.dtype if self.chance(70) else None)

    def make(self, depth):
        if depth == 0:
            return self.operand()
        kind = self.pick("unary binary binary binary compare where reduce reduce reduce mean arg permute spread "
                         "product product slice roll flip concat stack reshape cast item triangle".split())
        made = getattr(self, kind)(self.make(depth - 1))
        self.said.append(kind)
        return made

    def unary(self, pair):
        lazy, array = pair
        if array.dtype.kind == "b":
            return ~lazy, ~array
        names = ["negative", "abs", "sign", "square"] if array.dtype.kind != "u" else ["square"]
        names += ["floor", "round", "trunc"] if array.dtype.kind == "f" else ["invert"]
        name = self.pick(names)
        function = {"abs": np.absolute, "round": np.rint}.get(name) or getattr(np, name)
        return function(lazy), function(array)

    def binary(self, pair):
        lazy, array = pair
        other, theirs = self.like(pair)
        kind = np.result_type(array, theirs).kind
        names = ["add", "multiply", "multiply", "maximum", "minimum"]
        names += ["logical_and", "logical_or", "bitwise_xor"] if kind == "b" else ["subtract"]
        names += ["divide_by"] if kind == "f" else []
        name = self.pick(names)
        if name == "divide_by":
            theirs = weak(theirs, array)
            return lazy / (abs(other) + 1), strong(np.divide, array, strong(np.add, np.asarray(abs(theirs)), 1))
        function = getattr(np, name)
        return self.ordered(function, lazy, other), strong(function, array, theirs)

    def ordered(self, function, lazy, other):
        """By the ufunc or by the namespace."""
        return function(lazy, other) if self.chance(50) else getattr(tr.lazy, function.__name__)(lazy, other)

    def compare(self, pair):
        function = getattr(np, self.pick(["equal", "not_equal", "less", "less_equal", "greater"]))
        other, theirs = self.like(pair)
        return function(pair[0], other), strong(function, pair[1], theirs)

    def where(self, pair):
        lazy, array = pair
        other, theirs = self.operand(array.shape, array.dtype)
        condition, truth = self.operand(array.shape, "bool" if self.chance(70) else array.dtype)
        return np.where(condition, lazy, other), np.where(truth, array, theirs)

    def axis(self, array):
        """One axis, some, or all."""
        if array.ndim == 0 or self.chance(40):
            return None
        axis = int(self.rng.integers(array.ndim))
        return (axis, array.ndim - 1) if axis + 1 < array.ndim and self.chance(30) else axis

    def reduce(self, pair):
        lazy, array = pair
        name = self.pick(["sum", "sum", "prod", "min", "max", "any", "all"])
        axis, keepdims = self.axis(array), self.chance(30)
        if name in ("min", "max") and 0 in array.shape:
            return pair
        function = getattr(np, name)
        return function(lazy, axis=axis, keepdims=keepdims), function(array, axis=axis, keepdims=keepdims)

    def mean(self, pair):
        lazy, array = pair
        axis = self.axis(array)
        if 0 in array.shape:
            return pair
        function = self.pick([np.mean, np.var])
        return function(lazy, axis=axis), function(array if array.dtype.kind == "f" else array.astype(float), axis=axis)

    def arg(self, pair):
        lazy, array = pair
        axis = self.axis(array)
        if 0 in array.shape or array.dtype.kind in "f" or isinstance(axis, tuple):
            return pair  # of floating numbers, which are equal is a matter of rounding
        function = self.pick([np.argmin, np.argmax])
        return function(lazy, axis=axis), np.asarray(function(array, axis=axis))

    def permute(self, pair):
        order = self.rng.permutation(pair[1].ndim).tolist()
        return np.transpose(pair[0], order), np.transpose(pair[1], order)

    def spread(self, pair):
        shape = (*self.rng.integers(1, 4, self.rng.integers(2)).tolist(), *pair[1].shape)
        if len(shape) > 3:
            return pair
        shape = tuple(3 if size == 1 else size for size in shape)
        return np.broadcast_to(pair[0], shape), np.broadcast_to(pair[1], shape)

    def product(self, pair):
        lazy, array = pair
        if not 1 <= array.ndim <= 2:
            return pair
        shape = array.shape[-1:] + (() if self.chance(30) else (int(self.rng.integers(1, 4)),))
        other, theirs = self.operand(shape, array.dtype)
        return lazy @ other, array @ theirs

    def slice(self, pair):
        lazy, array = pair
        index = []
        for size in array.shape:
            one = slice(None, None, self.pick([1, 1, 2, -1]))
            if self.chance(30):
                one = slice(int(self.rng.integers(size + 1)), None)
            index.append(one)
        return lazy[tuple(index)], array[tuple(index)]

    def item(self, pair):
        lazy, array = pair
        index = [self.pick([None, Ellipsis, slice(None)])] if self.chance(30) else []
        if array.ndim and array.shape[0]:
            index.insert(0, int(self.rng.integers(-array.shape[0], array.shape[0])))
        if len(index) > array.ndim:
            return pair
        return lazy[tuple(index)], np.asarray(array[tuple(index)])

    def roll(self, pair):
        axis = int(self.rng.integers(pair[1].ndim)) if pair[1].ndim else None
        shift = int(self.rng.integers(-4, 5))
        return np.roll(pair[0], shift, axis=axis), np.roll(pair[1], shift, axis=axis)

    def flip(self, pair):
        axis = int(self.rng.integers(pair[1].ndim)) if pair[1].ndim else None
        return np.flip(pair[0], axis=axis), np.flip(pair[1], axis=axis)

    def concat(self, pair):
        lazy, array = pair
        if array.ndim == 0:
            return pair
        other, theirs = self.operand(array.shape, array.dtype)
        axis = int(self.rng.integers(array.ndim))
        return np.concatenate([other, lazy], axis=axis), np.concatenate([theirs, array], axis=axis)

    def stack(self, pair):
        lazy, array = pair
        if array.ndim > 2:
            return pair
        other, theirs = self.operand(array.shape, array.dtype)
        axis = int(self.rng.integers(array.ndim + 1))
        return np.stack([lazy, other], axis=axis), np.stack([array, theirs], axis=axis)

    def reshape(self, pair):
        lazy, array = pair
        divisors = [d for d in range(1, array.size + 1) if array.size % d == 0] or [0]
        rows = self.pick(divisors)
        shape = self.pick([(-1,), (rows, array.size // rows if rows else 3)]) if array.size else (0,)
        return np.reshape(lazy, shape), np.reshape(array, shape)

    def cast(self, pair):
        lazy, array = pair
        to = self.pick(["float64", "int64", "bool"] if array.dtype.kind != "f" else ["float64", "bool"])
        return tr.lazy.astype(lazy, to), array.astype(to)

    def triangle(self, pair):
        lazy, array = pair
        if array.ndim < 2:
            return pair
        function, k = self.pick([np.tril, np.triu]), int(self.rng.integers(-1, 2))
        return function(lazy, k), function(array, k)


def weak(number, array):
    """A number of Python in the type that NumPy 2 gives it beside an array."""
    if isinstance(number, (np.ndarray, np.generic)):
        return np.asarray(number)
    kind = array.dtype.kind
    if isinstance(number, float):
        return np.asarray(number, array.dtype if kind == "f" else np.float64)
    return np.asarray(number, np.int64 if kind == "b" else array.dtype)


def strong(function, a, b):
    """By NumPy, where arrays without axes and numbers have types of their own, as in NumPy 2."""
    b = weak(b, a)
    kind = np.promote_types(a.dtype, b.dtype)
    made = function(a.astype(kind), b.astype(kind))
    return np.asarray(made)


def check(seed):
    """Why the expression of this seed is wrong; None where it is right."""
    generator = Generator(seed)
    try:
        with np.errstate(all="ignore"):
            lazy, expected = generator.make(int(generator.rng.integers(1, 5)))
        expected = np.asarray(expected)
        result = lazy.compute(tier="jit", exact=generator.chance(20))
    except Exception as failed:
        where = traceback.format_exc().splitlines()[-8:] if "--trace" in sys.argv else []
        return " ".join([*generator.said, type(failed).__name__, str(failed), *where])
    array = result.toarray() if sp.issparse(result) else result
    array = array.todense() if isinstance(array, tr.Array) else np.asarray(array)
    if array.shape != expected.shape or lazy.shape != expected.shape:
        return f"{generator.said}: {lazy}\nshape {array.shape}, not {expected.shape}"
    if array.dtype != expected.dtype or lazy.dtype != expected.dtype:
        return f"{generator.said}: {lazy}\ntype {array.dtype}, not {expected.dtype}"
    tolerance = 1e-4 if expected.dtype == np.float32 or "float32" in " ".join(generator.said) else 1e-9
    finite = np.isfinite(expected) if expected.dtype.kind == "f" else True
    if not np.allclose(np.where(finite, array, 0), np.where(finite, expected, 0), rtol=tolerance, atol=tolerance):
        return f"{generator.said}: {lazy}\n{array}\nnot\n{expected}\n{lazy.plan().why()}"
    return None


def main():
    read = argparse.ArgumentParser()
    read.add_argument("--random", type=int, default=1000)
    read.add_argument("--seed", type=int, default=1)
    read.add_argument("--trace", action="store_true")
    asked = read.parse_args()
    warnings.simplefilter("ignore")
    wrong = 0
    for seed in range(asked.seed, asked.seed + asked.random):
        if said := check(seed):
            wrong += 1
            print(f"seed {seed}: {said}\n", flush=True)
    print(f"{asked.random} expressions, {wrong} wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
