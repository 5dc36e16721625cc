"""Trellis compiles equations over arrays to C, for the formats that their operands are stored in.

>>> import numpy as np, scipy.sparse as sp, trellis as tr
>>> spmv = tr.compile("y(i) = A(i,j) * x(j)", A="csr")
>>> A = sp.csr_matrix([[1.0, 0.0], [2.0, 3.0]])
>>> spmv(A, np.array([1.0, 10.0]))
array([ 1., 32.])

Operands are borrowed: of NumPy's arrays and those of scipy.sparse nothing is copied, but for what `Program.copies`
says. Results are dense, or sparse in the class of the first sparse operand, as follows from the equations and formats
alone (docs/python.md).
"""

from ._errors import Error, Fault, TrellisWarning

__all__ = ["Array", "Error", "Fault", "Function", "Plan", "Program", "Semiring", "TrellisWarning", "Tuned", "asarray",
           "compile", "compute", "einsum", "function", "lazy", "semiring", "tune"]


def __getattr__(name):
    """The engine, which is loaded when something of it is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module 'trellis' has no attribute {name!r}")
    if name in ("Function", "function"):
        from . import _function as module
    else:
        from . import _engine as module
    for one in module.__all__:
        globals()[one] = getattr(module, one)
    if name == "lazy":
        import importlib

        return importlib.import_module(".lazy", __name__)
    return globals()[name]


def __dir__():
    return sorted(set(globals()) | set(__all__))
