"""Functions of Python as text of the language, by their syntax trees."""

import ast
import inspect
import math
import numbers
import textwrap
import types

from ._errors import error

_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Mod: "%", ast.Pow: "^", ast.LShift: "<<", ast.RShift: ">>",
              ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "xor"}
_COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
# What a module's function is in the language. Those of builtins come without a module.
_SAME = ("sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan atan2 sinh cosh tanh erf floor ceil "
         "hypot trunc").split()
_CALLS = {**{name: name for name in _SAME}, "abs": "abs", "fabs": "abs", "min": "min", "max": "max", "minimum": "min",
          "maximum": "max", "absolute": "abs", "arcsin": "asin", "arccos": "acos", "arctan": "atan",
          "arctan2": "atan2", "sign": "sign"}
_FLOATING = set(_SAME)


def number(value):
    """As the language writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value)) if value >= 0 else f"({int(value)})"
    value = float(value)
    text = "inf" if value == math.inf else "-inf" if value == -math.inf else repr(value)
    return f"({text})" if text.startswith("-") else text


class Translation:
    """Of one function; places in messages are lines of its file."""

    def __init__(self, f, made):
        """made: gives a Function for a function of Python that f calls, or None."""
        self.uses = []
        self._made = made
        self._locals = set()
        try:
            lines, self._first = inspect.getsourcelines(f)
        except (OSError, TypeError):
            raise error("E0710", f"the source of {getattr(f, '__name__', f)!r} cannot be read",
                        "write it into a file, or as a `def` in the program") from None
        self._around = inspect.getclosurevars(f)
        tree = ast.parse(textwrap.dedent("".join(lines)))
        node = next((n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.Lambda))), None)
        if node is None:
            raise error("E0710", f"{f.__name__} is no function of Python", "write it with `def`")
        self._node = node
        self._parameters = [a.arg for a in node.args.args]
        if node.args.vararg or node.args.kwonlyargs or node.args.kwarg or node.args.defaults or not self._parameters:
            self._refuse(node, "operands by position alone", "name each operand, without defaults")
        self._locals.update(self._parameters)
        self._name = f.__name__

    def definition(self, clauses):
        if isinstance(self._node, ast.Lambda):
            if not self._name.isidentifier():
                self._refuse(self._node, "a name", "give it one, as in `def f(x): …`")
            body = self._expr(self._node.body)
        else:
            statements = [s for s in self._node.body if not self._is_docstring(s)]
            body = self._block(statements, last=True)
        operands = ", ".join(self._parameters)
        if not clauses and "{" not in body and ";" not in body:
            return f"def {self._name}({operands}) = {body}"
        return f"def {self._name}({operands}) {{ {'; '.join([f'{operands} => {{ {body} }}', *clauses])} }}"

    def _refuse(self, node, what, instead):
        line = self._first + getattr(node, "lineno", 1) - 1
        raise error("E0710", f"line {line}: a function for programs has {what}", instead)

    @staticmethod
    def _is_docstring(s):
        return isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant) and isinstance(s.value.value, str)

    # Statements: "a; b; value"

    def _block(self, statements, last):
        """As statements of the language; of the last block of a function the value comes last."""
        parts = []
        for k, s in enumerate(statements):
            if isinstance(s, ast.Return):
                if not last or k + 1 < len(statements) or s.value is None:
                    self._refuse(s, "its `return` at the end", "assign to a variable, and return that at the end")
                return "; ".join(parts + [self._expr(s.value)])
            if isinstance(s, ast.If) and last and self._returns(s.body):
                rest = s.orelse or statements[k + 1:]
                then, otherwise = self._block(s.body, True), self._block(rest, True)
                if ";" in then + otherwise:
                    self._refuse(s, "returns of single expressions under an `if`",
                                 "assign to a variable in both arms, and return that at the end")
                return "; ".join(parts + [f"({self._truth(s.test)} ? {then} : {otherwise})"])
            parts.append(self._statement(s))
        if last:
            self._refuse(statements[-1] if statements else self._node, "a `return` at the end",
                         "return the value there")
        return "; ".join(part for part in parts if part)

    @staticmethod
    def _returns(statements):
        return bool(statements) and isinstance(statements[-1], ast.Return)

    def _statement(self, s):
        if isinstance(s, ast.Assign) and len(s.targets) == 1 and isinstance(s.targets[0], ast.Name):
            value = self._expr(s.value)
            self._locals.add(s.targets[0].id)
            return f"{s.targets[0].id} = {value}"
        if isinstance(s, ast.AugAssign) and isinstance(s.target, ast.Name):
            whole = ast.copy_location(ast.BinOp(ast.Name(s.target.id, ast.Load()), s.op, s.value), s)
            return f"{s.target.id} = {self._expr(ast.fix_missing_locations(whole))}"
        if isinstance(s, ast.While) and not s.orelse:
            return f"while {self._truth(s.test)} {{ {self._block(s.body, False)} }}"
        if isinstance(s, ast.If):
            text = f"if {self._truth(s.test)} {{ {self._block(s.body, False)} }}"
            return text + (f" else {{ {self._block(s.orelse, False)} }}" if s.orelse else "")
        if isinstance(s, ast.Pass):
            return ""
        return self._refuse(s, "assignments, `if`, `while` and `return`", "write loops with `while`")

    # Expressions, in parentheses where they are more than a name

    def _expr(self, e):
        if isinstance(e, ast.Constant) and isinstance(e.value, (bool, int, float)):
            return number(e.value)
        if isinstance(e, (ast.Name, ast.Attribute)):
            return self._named(e)
        if isinstance(e, ast.UnaryOp):
            if isinstance(e.op, ast.Not):
                return f"(!{self._truth(e.operand)})"
            sign = {ast.USub: "-", ast.UAdd: "", ast.Invert: "~"}[type(e.op)]
            return f"({sign}{self._expr(e.operand)})"
        if isinstance(e, ast.BinOp):
            return self._binary(e)
        if isinstance(e, ast.BoolOp):
            joined = (" && " if isinstance(e.op, ast.And) else " || ").join(self._truth(v) for v in e.values)
            return f"({joined})"
        if isinstance(e, ast.Compare):
            return self._comparison(e)
        if isinstance(e, ast.IfExp):
            return f"({self._truth(e.test)} ? {self._expr(e.body)} : {self._expr(e.orelse)})"
        if isinstance(e, ast.Call):
            return self._call(e)
        return self._refuse(e, "numbers, operators, comparisons, conditions and calls", "write it with those")

    def _named(self, e):
        if isinstance(e, ast.Name) and e.id in self._locals:
            return e.id
        value = self._value(e)
        if not isinstance(value, numbers.Real):
            self._refuse(e, "variables of its own, and numbers from around it", "hand it over as an operand")
        return number(value)

    def _value(self, e):
        """What a name or attribute stands for outside of the function, or None."""
        if isinstance(e, ast.Name):
            around = self._around
            return next((v[e.id] for v in (around.nonlocals, around.globals, around.builtins) if e.id in v), None)
        whole = self._value(e.value)
        return getattr(whole, e.attr, None) if isinstance(whole, types.ModuleType) else None

    def _binary(self, e):
        left, right = self._expr(e.left), self._expr(e.right)
        if type(e.op) in _OPERATORS:
            return f"({left} {_OPERATORS[type(e.op)]} {right})"
        floats = self._is_floating(e.left) or self._is_floating(e.right)
        if isinstance(e.op, ast.Div):  # of integers Python divides as of floating numbers
            return f"({left} / {right})" if floats else f"(f64({left}) / f64({right}))"
        if isinstance(e.op, ast.FloorDiv):
            return f"floor({left} / {right})" if floats else f"(({left} - {left} % {right}) / {right})"
        return self._refuse(e, "operators of numbers", "write sums of products")

    def _is_floating(self, e):
        if isinstance(e, ast.Constant):
            return isinstance(e.value, float)
        if isinstance(e, ast.Call):
            return getattr(e.func, "id", getattr(e.func, "attr", "")) in _FLOATING
        if isinstance(e, ast.BinOp):
            return isinstance(e.op, ast.Div) or self._is_floating(e.left) or self._is_floating(e.right)
        return isinstance(e, ast.UnaryOp) and self._is_floating(e.operand)

    def _comparison(self, e):
        sides = [e.left] + e.comparators
        parts = []
        for left, op, right in zip(sides, e.ops, sides[1:]):
            if type(op) not in _COMPARISONS:
                self._refuse(e, "comparisons of numbers", "compare with < <= > >= == !=")
            parts.append(f"({self._expr(left)} {_COMPARISONS[type(op)]} {self._expr(right)})")
        return parts[0] if len(parts) == 1 else f"({' && '.join(parts)})"

    def _truth(self, e):
        told = isinstance(e, (ast.Compare, ast.BoolOp)) or isinstance(e, ast.UnaryOp) and isinstance(e.op, ast.Not)
        told = told or isinstance(e, ast.Constant) and isinstance(e.value, bool)
        return self._expr(e) if told else f"({self._expr(e)} != 0)"

    def _call(self, e):
        arguments = ", ".join(self._expr(a) for a in e.args)
        if e.keywords:
            self._refuse(e, "calls by position", "leave out the keyword")
        called = self._value(e.func)
        if (used := self._made(called)) is not None:
            self.uses.append(used)
            return f"{used.__name__}({arguments})"
        name = getattr(e.func, "id", getattr(e.func, "attr", ""))
        if name in ("float", "bool") and called in (float, bool):
            return f"{'f64' if name == 'float' else 'bool'}({arguments})"
        if name not in _CALLS or called is None:
            self._refuse(e, f"calls of what the language has; `{name}` is not among that",
                         f"use one of {', '.join(sorted(set(_CALLS.values())))}")
        return f"{_CALLS[name]}({arguments})"
