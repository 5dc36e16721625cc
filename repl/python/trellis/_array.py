"""trellis.Array: an array in any format of the language."""

import math
import re

from . import _core
from ._errors import error


class Array(_core.Array):
    """An array of any shape, element type, fill and format, whose storage can be looked at.

    Made by `trellis.asarray`, and of results that no class of the operands holds. Its arrays belong to whoever lent
    them; nobody writes to them.
    """

    def __init__(self, tensor):
        super().__init__(tensor)

    @property
    def ndim(self):
        """How many dimensions it has."""
        return len(self.shape)

    @property
    def size(self):
        """How many elements it has, stored or not."""
        return math.prod(self.shape)

    @property
    def nnz(self):
        """How many elements are stored."""
        return self.entries

    @property
    def kind(self):
        """"csr", "csc", "coo", "bsr" or "dense", whatever the width of its indices; else its format."""
        names = tuple(level["level"].split("(")[0] for level in self.levels)
        plain = not self.has_layout
        if self.is_dense and plain:
            return "dense"
        if plain and names == ("dense", "compressed") and not self._options(1) and self.ndim == 2:
            return "csr" if self.order == (0, 1) else "csc"
        if plain and self.order == tuple(range(self.ndim)) and (
                names == ("compressed",) or (names[0] == "compressed" and set(names[1:]) == {"singleton"})):
            return "coo"
        if re.match(r"bcsr(_wide)?\(", self.format):
            return "bsr"
        return self.format

    def _options(self, level):
        """Of a level, but for its width."""
        found = re.search(r"\((.*)\)", self.levels[level]["level"])
        return [o for o in (found.group(1).split(", ") if found else []) if o != "wide"]

    @property
    def block(self):
        """Rows and columns of a block of bsr."""
        rows, columns = re.search(r"\((\d+), (\d+)\)", self.format).groups()
        return int(rows), int(columns)

    def to_scipy(self):
        """The same as an array of scipy.sparse, which shares its memory: csr, csc, coo and bsr as they are, others as
        csr. Refused for other fills than 0 and other than two dimensions."""
        import scipy.sparse

        from ._results import _to_scipy, array_in

        if self.ndim != 2 or self.fill != 0:
            raise error("E0704", f"scipy.sparse has matrices whose fill is 0; this is {self.ndim}-dimensional, "
                                 f"fill {self.fill}", "todense()")
        like = getattr(scipy.sparse, "csr_array", scipy.sparse.csr_matrix)
        made = _to_scipy(self, like)
        return made if made is not None else _to_scipy(array_in(self, "csr"), like)

    def todense(self):
        """An ndarray of all elements, which shares memory with a dense array in C order."""
        return super().todense()

    def __array__(self, dtype=None, copy=None):
        if not self.is_dense:
            raise error("E0704", f"a sparse array of {self.shape} is not made dense unless it is asked for",
                        ".todense()")
        made = self.todense()
        return made if dtype is None else made.astype(dtype)

    def __repr__(self):
        fill = f", fill {self.fill}" if self.fill != 0 else ""
        stored = "" if self.is_dense else f", {self.entries} stored"
        shape = " x ".join(map(str, self.shape)) or "scalar"
        return f"<trellis.Array {shape} {self.dtype} {self.format}{fill}{stored}>"

    def _repr_html_(self):
        from ._html import array

        return array(self)


def asarray(obj, format=None):
    """The object as an Array: an ndarray, an array of scipy.sparse or PyData's sparse, a nested list.

    Nothing is copied where its format is the object's own, or where `format` says nothing else. `format` is what a
    declaration of the language says: "csc", "dcsr", "{dense, compressed} @ (1, 0)", "bcsr(2, 2)".
    """
    return Array(_core.as_tensor(obj, format or ""))
