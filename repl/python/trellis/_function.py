"""trellis.function: a function of Python that becomes a `def` of the language (docs/language.md, "Functions")."""

import inspect
import itertools
import math

from ._errors import error
from ._translation import Translation, number

__all__ = ["Function", "function"]

_TRIED = (-2.5, -1.0, -0.5, 0.0, 0.25, 1.0, 3.0)


def function(f=None, *, commutative=False, associative=False, idempotent=False, identity=None, annihilator=None,
             space=None):
    """Makes a function of numbers usable in programs: `@tr.function`, or `tr.function(f, commutative=True)`.

    f takes numbers by position and returns one. It may hold assignments, `if`, `while`, conditional expressions,
    comparisons, arithmetic, functions of math and NumPy that the language has, numbers from around it, and other such
    functions. Properties are tried by the compiler before it counts on them (E0238), and the translation is tried on
    numbers beside f itself (E0711). space: where it is applied, "x & y", as in the language.

    Programs name it: `tr.compile("y(i) = f(x(i))", functions=[f])`. In Python it is called as before. Raises Error
    (E0710) where f is more than the language can say, with the line.
    """
    options = dict(commutative=commutative, associative=associative, idempotent=idempotent, identity=identity,
                   annihilator=annihilator, space=space)
    return (lambda g: Function(g, **options)) if f is None else Function(f, **options)


class Function:
    """A function of Python with its `def` in the language, `text`."""

    def __init__(self, f, *, space=None, **properties):
        self.__wrapped__ = f
        self.__doc__ = f.__doc__
        self.__name__ = f.__name__
        translation = Translation(f, _made)
        clauses = [name for name in ("commutative", "associative", "idempotent") if properties.get(name)]
        clauses += [f"{name} {number(properties[name])}" for name in ("identity", "annihilator")
                    if properties.get(name) is not None]
        clauses += [f"space {space}"] if space else []
        self.text = translation.definition(clauses)
        self.uses = tuple(translation.uses)
        self._is_tried = False

    def __call__(self, *arguments):
        return self.__wrapped__(*arguments)

    def __repr__(self):
        return f"<trellis.Function {self.text}>"

    def try_out(self):
        """Compares what the language makes of it with what Python does, on numbers that tell much. Raises Error."""
        if self._is_tried:
            return
        self._is_tried = True
        from ._program import compile

        import numpy as np

        count = len(inspect.signature(self.__wrapped__).parameters)
        points, wanted = [], []
        for point in itertools.islice(itertools.product(_TRIED, repeat=count), 400):
            try:
                value = self.__wrapped__(*point)
                wanted.append(float(value))
                points.append(point)
            except (ArithmeticError, ValueError, TypeError):  # outside of what it is meant for
                continue
        if not points:
            return
        names = [f"operand{k}" for k in range(count)]
        reads = ", ".join(f"{name}(i)" for name in names)
        program = compile(f"tensor result(n): f64\nresult(i) = f64({self.__name__}({reads}))", functions=[self],
                          tier="jit")
        found = program.run(**{name: np.array([p[k] for p in points]) for k, name in enumerate(names)})
        for point, here, there in zip(points, found, wanted):
            if not (math.isclose(here, there, rel_tol=1e-12, abs_tol=1e-300) or here != here and there != there):
                self._is_tried = False
                called = f"{self.__name__}({', '.join(map(repr, point))})"
                raise error("E0711", f"{called} is {there!r} in Python and {float(here)!r} in the language",
                            "write the function so that both agree, or as a `def` in the program")


def in_order(functions):
    """Those functions as Functions, each behind what it uses, tried out."""
    found = []

    def add(one):
        one = one if isinstance(one, Function) else Function(one)
        if any(known.text == one.text for known in found):
            return
        for used in one.uses:
            add(used)
        found.append(one)

    for one in functions:
        add(one)
    return found


def _made(called):
    """A function that another one calls, as a Function; None where it is no function of Python."""
    return called if isinstance(called, Function) else Function(called) if inspect.isfunction(called) else None
