"""What needs the engine, once it is loaded: it is told how to speak to Python."""

import atexit

from . import _core
from ._array import Array, asarray
from ._borrow import kind_of_type, lend
from ._errors import make, warn
from ._lazy_products import einsum
from ._plan import Plan, compute
from ._program import Program, compile
from ._results import result_of, several
from ._semiring import Semiring, semiring
from ._tune import Tuned, tune

__all__ = ["Array", "Plan", "Program", "Semiring", "Tuned", "asarray", "compile", "compute",
           "einsum", "semiring", "tune"]

_core.set_hooks(make, lend, Array, result_of, several, warn, kind_of_type)
atexit.register(_core.stop)
