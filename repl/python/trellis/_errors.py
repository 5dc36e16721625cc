"""What can go wrong: mistakes in a program or a call, faults while it runs, and what is worth a word."""

import warnings


class Error(ValueError):
    """A mistake in a program or in a call.

    code: "E0101", a section of docs/errors.md. place: (line, column) in the program, from 1, or None. notes, fixes:
    tuples of text; a fix is what to write. instance: the smallest case in which it goes wrong, or None. diagnostics:
    all that was found, a dict each with these keys and `message`, `label`, `extent`, `text`.
    """

    def __init__(self, message, diagnostics=()):
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)
        first = self.diagnostics[0] if self.diagnostics else {}
        self.code = first.get("code", "")
        self.place = first.get("place")
        self.notes = first.get("notes", ())
        self.fixes = first.get("fixes", ())
        self.instance = first.get("instance")

    def _repr_html_(self):
        from ._html import error

        return error(self)


class Fault(Error):
    """What stopped a kernel: a division by zero, an index out of range, a limit. Nothing was changed."""


class TrellisWarning(UserWarning):
    """What a call did that costs more than it seems: a copy (W0701), a large dense result (W0702)."""


def make(diagnostics, fault):
    """The exception for these diagnostics of the engine."""
    lines = [line for one in diagnostics for line in one["text"].rstrip().split("\n")]
    text = "\n".join(line for line in lines if not line.startswith("next:"))  # what to type at the prompt
    return (Fault if fault else Error)(text, diagnostics)


_said = set()


def warn(code, message):
    """Says it once in a process."""
    if (code, message) in _said:
        return
    _said.add((code, message))
    warnings.warn(f"[{code}] {message}", TrellisWarning, stacklevel=3)


def error(code, message, fix=None, place=None):
    """An error of the package's own."""
    fixes = (fix,) if fix else ()
    text = f"error[{code}]: {message}" + (f"\n  fix: {fix}" if fix else "")
    return Error(text, [dict(severity="error", code=code, message=message, place=place, label="", notes=(), fixes=fixes,
                             instance=None, extent="", text=text)])
