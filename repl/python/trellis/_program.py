"""trellis.compile and trellis.Program."""

from . import _core
from ._answers import Orders, Report, Why
from ._errors import Error

_call = _core.call


def compile(text, *, order=None, schedule="", tier="auto", threads=1, functions=(), **formats):
    """Reads a program of the language and returns what can be called.

    text: equations, perhaps with declarations and schedule commands (docs/language.md).
    order: loop names, outermost first, "j i"; chosen when None. schedule: more commands, "parallel i; unroll j 4".
    tier: "auto" begins with libtcc and has the system's compiler take over when that is worth it, "jit" stays with
    libtcc, "native" waits for the system's compiler. threads: of loops that are parallel. functions: of Python, which
    the text may call by name (trellis.function).
    formats: of tensors, by name, as a declaration says them: A="csr", C="f32 csc". An operand without one is taken in
    the format that it comes in; one that comes in another format is laid out anew at each call, which is said.

    What the text alone gets wrong is raised here, the rest when operands are known. Raises Error.
    """
    if tier not in ("auto", "jit", "native"):
        raise ValueError(f'tier is "auto", "jit" or "native", not {tier!r}')
    definitions = ""
    if functions:
        from ._function import in_order

        functions = in_order(functions)
        definitions = "\n".join(one.text for one in functions)
    program = Program(text, order, schedule, tier, threads, formats, definitions)
    for one in functions:
        one.try_out()
    known = all(name in formats or name in program._core.declared for name in program.operands)
    try:
        program._core.compile()
    except Error as error:
        # Of an operand of another type or rank than usual, such as an index tensor, the call knows.
        if known or not error.code.startswith(("E0203", "E022")):
            raise
    return program


class Program:
    """A compiled program. Called with its operands in the order of `operands`, it returns its result, or a named tuple
    of `results` where there are several."""

    def __init__(self, text, order, schedule, tier, threads, formats, functions=""):
        self._made = (text, order, schedule, tier, threads, formats, functions)
        self._core = _core.Program(text, functions, schedule, order or "", formats, tier, threads)
        self._in_order = {}

    def __call__(self, *operands, **named):
        if named:
            return self.run(*operands, **named)
        return _call(self._core, *operands)

    @property
    def text(self):
        """What was compiled."""
        return self._made[0]

    @property
    def operands(self):
        """Names of the operands, in the order in which a call takes them."""
        return tuple(self._core.operands)

    @property
    def results(self):
        """Names of the results."""
        return tuple(self._core.results)

    @property
    def copies(self):
        """What the last call copied, and how much: "A: sorted and summed, 1.5 MiB"."""
        return self._core.copies

    def run(self, *operands, out=None, order=None, isolate=False, timeout=None, memory=None, check=False, **named):
        """Runs the program on operands by position or name; further names are parameters of the program, or results
        that it goes on from.

        out: an ndarray for the result, or a dict of them by name; it is written, and returned. order: another loop
        order. isolate: in a child process, where a fault harms nothing; timeout (seconds) and memory (bytes) limit that
        child, and imply it. check: looks at index arrays again that were looked at before. Raises Error, Fault.
        """
        program = self if order is None else self._ordered(order)
        core = program._core
        known = list(core.operands) + list(core.optional)
        values = dict(zip(core.operands, operands))
        if len(operands) > len(core.operands):
            raise TypeError(f"the program takes {len(core.operands)} operands ({', '.join(core.operands)}), "
                            f"not {len(operands)}")
        parameters = {}
        for name, value in named.items():
            if name in values:
                raise TypeError(f"operand {name} is given twice")
            (values if name in known else parameters)[name] = value
        outs = {} if out is None else dict(out) if isinstance(out, dict) else {self.results[0]: out}
        apart = isolate or timeout is not None or memory is not None
        return core.run([values.get(name) for name in known], outs, apart, 60.0 if timeout is None else float(timeout),
                        0 if memory is None else int(memory), check, parameters)

    def _ordered(self, order):
        made = self._in_order.get(order)
        if made is None:
            text, _, *others = self._made
            made = self._in_order[order] = Program(text, order, *others)
        return made

    def _list(self, operands, named):
        """By parameter; empty where no operand is given."""
        if not operands and not named:
            return []
        values = dict(zip(self._core.operands, operands), **named)
        return [values.get(name) for name in list(self._core.operands) + list(self._core.optional)]

    @property
    def c(self):
        """The C of its kernels, for the operands of the last call, or, before any, for those that keywords say."""
        return self._core.c(False)

    @property
    def source(self):
        """The whole translation units that compilers get."""
        return self._core.c(True)

    def orders(self, *operands, kernel="", **named):
        """All loop orders: which are legal, which not and why, and what they are estimated to cost, the fastest 1. With
        operands the estimate is about what these store."""
        return Orders(self._core.orders(self._list(operands, named), kernel))

    def why(self, order="", kernel=""):
        """Why an order is legal or not: the smallest instance that shows it, and the nearest orders that are legal;
        of the present one what was proven."""
        return Why(self._core.why(order, kernel))

    def report(self, *operands, **named):
        """A page of HTML with every stage of compilation, orders, reasons and pictures."""
        return Report(self._core.report(self._list(operands, named)), self.text)

    def kernels(self):
        """A dict for each kernel, of the last call: its order, its certificate, whether its code is native, its
        tensors."""
        return list(self._core.kernels())

    def __repr__(self):
        first = next((line for line in self.text.splitlines() if line.strip()), "")
        return f"<trellis.Program {first.strip()!r}: {', '.join(self.operands)} -> {', '.join(self.results)}>"

    def _repr_html_(self):
        from ._html import program

        return program(self)
