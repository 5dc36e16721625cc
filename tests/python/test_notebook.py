"""The notebook of examples/python runs from its first cell to its last, and what cells show can be shown."""

import ast
import json
import linecache
import pathlib

NOTEBOOK = pathlib.Path(__file__).resolve().parents[2] / "examples/python/tour.ipynb"


def show(cell, number, names):
    """Runs a cell as a notebook does; HTML of its last expression, if that has any."""
    source, file = "".join(cell["source"]), f"cell {number}"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, file, "exec"), names)
    value = eval(compile(ast.Expression(last.value), file, "eval"), names) if last else None
    return value._repr_html_() if hasattr(value, "_repr_html_") else repr(value)


def test_the_notebook_runs():
    notebook = json.loads(NOTEBOOK.read_text())
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(code) > 10 and all(not cell["outputs"] for cell in code)
    names = {"__name__": "__main__"}
    shown = [show(cell, number, names) for number, cell in enumerate(code)]
    assert sum("<" in text and ">" in text for text in shown) >= 4
