"""Programs of examples/python, README.md and docs/python.md run as printed."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(program):
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:  # functions are read from their source
        file.write(program)
        file.flush()
        done = subprocess.run([sys.executable, file.name], capture_output=True, text=True, env=dict(os.environ),
                              timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name, printed", [
    ("pagerank", "ranks 0.3725 0.1958 0.3941 0.0375\n"),
    ("triangles", "triangles 8\n"),
    ("shortest_paths", "distances 0 3 2 8\n"),
    ("bfs", "depth 2 1 0 1 2 3 parent 1 2 2 2 3 4\n"),
    ("components", "components 0 1 1 0 4 0\n"),
    ("delta_stepping", "distances 0 3 2 8\n"),
    ("betweenness", "betweenness 4.0 0.0 0.0 0.0\n"),
    ("semirings", "reached True True True False\nnearest 0.0 0.5 0.8 inf\nlikeliest 1.0 0.72 0.8 0.0\n"),
    ("conjugate_gradients", "x 2.500 4.000 4.500 4.000 2.500\n"),
    ("ratings", "ratings 1 2 3 4 without 0.3 0.6 0.8 1.1\n"),
    ("factorise", "error below 1e-12: True\n"),
    ("kmeans", "clusters 0 0 0 0 1 1 1 1 centres 1.5 1.5 8.5 8.5\n"),
    ("alignment", "1\nGATTACA\nGCATGCA\n"),
    ("edges", "..........\n..#######.\n..#######.\n..##...##.\n..##...##.\n..#######.\n..#######.\n..........\n"),
])
def test_examples(name, printed):
    assert run((ROOT / "examples/python" / f"{name}.py").read_text()) == printed


@pytest.mark.parametrize("page", ["README.md", "docs/python.md", "docs/from-scipy.md"])
def test_pages(page):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.S)
    assert blocks
    for block in blocks:
        expected = re.findall(r"print\(.*\)\s+# (.*)", block)
        assert run(block).split("\n")[:-1] == expected


def test_nothing_is_imported_before_it_is_needed():
    asked = "print([m for m in ('scipy', 'sparse', 'numpy', 'trellis._core') if m in sys.modules])"
    assert run("import sys, trellis; " + asked) == "[]\n"
    assert run("import sys, trellis; trellis.compile('y(i) = x(i)'); " + asked) == "['numpy', 'trellis._core']\n"


def test_the_stubs_name_what_there_is():
    import ast

    import trellis as tr

    stubs = ast.parse((ROOT / "repl/python/trellis/__init__.pyi").read_text())
    named = {node.name: node for node in stubs.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assert set(tr.__all__) <= set(named) | {"lazy"}
    from trellis import _answers

    for name, node in named.items():
        real = getattr(tr, name, None) or getattr(tr.lazy, name, None) or getattr(_answers, name)
        if not isinstance(node, ast.ClassDef):
            continue
        for member in node.body:
            if isinstance(member, ast.FunctionDef):
                assert hasattr(real, member.name), f"{name}.{member.name}"
        public = {m for m in vars(real) if not m.startswith("_")}
        in_stub = {m.name for m in node.body if isinstance(m, ast.FunctionDef)}
        assert public <= in_stub, name


def test_the_stubs_name_the_namespace():
    import ast
    import inspect

    from trellis import lazy

    stubs = ast.parse((ROOT / "repl/python/trellis/_namespace.pyi").read_text())
    namespace = next(node for node in stubs.body if isinstance(node, ast.ClassDef))
    named = {node.name: node.args for node in namespace.body if isinstance(node, ast.FunctionDef)}
    constants = {node.target.id for node in namespace.body if isinstance(node, ast.AnnAssign)}
    assert set(lazy.__all__) - {"LazyArray"} == set(named) - {"__call__"} | constants
    for name, arguments in named.items():
        if name == "__call__":
            continue
        real = list(inspect.signature(getattr(lazy, name)).parameters)
        said = [one.arg for one in arguments.posonlyargs + arguments.args][1:]
        said += [arguments.vararg.arg] if arguments.vararg else []
        assert said + [one.arg for one in arguments.kwonlyargs] == real, name
        assert getattr(lazy, name).__doc__, name


def test_everything_public_has_a_docstring():
    import trellis as tr

    for name in tr.__all__:
        one = getattr(tr, name)
        assert one.__doc__, name
        for member, value in vars(one).items() if isinstance(one, type) else ():
            if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                assert value.__doc__, f"{name}.{member}"
