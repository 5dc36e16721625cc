"""What computes lazy arrays, and what is said of how."""

from . import _core
from ._lazy_array import lend

_TIERS = ("auto", "jit", "native")


def _formats(arrays, cores, format):
    """By result, as a declaration says them; "" where the structure decides."""
    formats = format if isinstance(format, (tuple, list)) else (format,) * len(arrays)
    if len(formats) != len(arrays):
        raise ValueError(f"{len(formats)} formats for {len(arrays)} arrays")
    return ["" if one is None or core.ndim == 0 else one for one, core in zip(formats, cores)]


def _tier(tier):
    if tier not in _TIERS:
        raise ValueError(f'tier is "auto", "jit" or "native", not {tier!r}')
    return tier


def compute(*arrays, format=None, exact=False, tier="auto", isolate=False, timeout=None, memory=None):
    """The elements of lazy arrays: of one as it is, of several as a tuple. They are planned together, so that what they
    have in common is computed once.

    format: of the results, as a declaration says it: "dense", "csr", "csc", "coo"; a tuple for each; None: as the
    structure says. exact: no rewrite that changes how floating numbers are rounded. tier: "auto", "jit", "native", as
    for `trellis.compile`. isolate, timeout (seconds), memory (bytes): in a child process, with these limits.
    Raises Error (E0702: a dense result far larger than its operands), Fault.
    """
    if not arrays:
        return ()
    cores = [lend(one) for one in arrays]
    apart = isolate or timeout is not None or memory is not None
    made = _core.compute(cores, _formats(arrays, cores, format), exact, _tier(tier), apart,
                         60.0 if timeout is None else float(timeout), 0 if memory is None else int(memory))
    return made if len(arrays) == 1 else tuple(made)


def plan(*arrays, format=None, exact=False, tier="auto"):
    """How `compute` would go about it, as a Plan."""
    cores = [lend(one) for one in arrays]
    return Plan(_core.plan(cores, _formats(arrays, cores, format), exact, _tier(tier)))


class Plan:
    """The queries that compute lazy arrays, and why these.

    queries: a dict each, in order, with `name`, `query`, `dtype`, `fill`, `sparse`, `format`, `temporary`, `stored`.
    tables: (name, storage, object) of what is read. written: the expressions as they were written. steps: by
    expression, the rewrites with how exact each is and what it rests on. sized: whether it holds for these sizes alone.
    text: the same as a program of the language. choice: where three operands or more meet, the plan beside the one that
    came second, with their estimated times, and how many entries of which operand would make another one win; else "".
    """

    def __init__(self, answer):
        self.queries, self.tables = tuple(answer["queries"]), tuple(answer["tables"])
        self.written, self.steps = tuple(answer["written"]), tuple(tuple(one) for one in answer["steps"])
        self.sized, self.text, self._program = answer["sized"], answer["text"], answer["program"]
        self.choice = answer.get("choice", "")

    def why(self):
        """The plan in words: what was written, each rewrite and why it holds, each query and how it is stored."""
        lines = []
        for written, steps in zip(self.written, self.steps):
            lines.append(written)
            lines += [f"  {step}" for step in steps]
            if not steps and not self.choice:
                lines.append("  as it is written: no rewrite leaves less to do")
        lines.append("computed by")
        for one in self.queries:
            lines += [f"  {one['query']}", f"    {self._stored(one)}"]
        if self.choice:
            lines += ["chosen by what operands store"] + [f"  {line}".rstrip() for line in self.choice.splitlines()]
        lines.append("for these sizes alone" if self.sized else "for all sizes of the operands but 0 and 1")
        return "\n".join(lines)

    @staticmethod
    def _stored(one):
        kept = "kept for other queries, " if one["temporary"] else ""
        if one["format"]:
            return f"{kept}{one['dtype']} {one['format']}"
        if not one["sparse"]:
            return f"{kept}{one['dtype']} dense"
        fill = f", fill {one['fill']}" if one["fill"] else ""
        return f"{kept}{one['dtype']} sparse{fill}: stored at {one['stored']}"

    @property
    def c(self):
        """The C of its kernels; of a plan that has not been computed in the formats of its operands."""
        if not self._program.kernels():
            self._program.prepare([one for _, _, one in self._operands()])
        return self._program.c(False)

    def _operands(self):
        names = list(self._program.operands)
        return sorted((one for one in self.tables if one[0] in names), key=lambda one: names.index(one[0]))

    def __repr__(self):
        return "\n".join(one["query"] for one in self.queries)

    def _repr_html_(self):
        from ._html import plan

        return plan(self)
