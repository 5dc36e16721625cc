"""Graph programs of examples/python beside SciPy's csgraph, on graphs of different kinds.

With TRELLIS_DATA=FOLDER in the environment also on the graphs of that folder's `graph/`, which takes a minute.
"""

import importlib.util
import os
import pathlib

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
import scipy.sparse.csgraph as csgraph

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples/python"


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def edges(begins, ends, n):
    """An edge of weight 1 from each vertex of `begins` to that of `ends`."""
    made = sp.csr_matrix((np.ones(len(begins)), (begins, ends)), shape=(n, n))
    made.data[:] = 1
    return made


def scattered(n, count):
    """Edges between any two vertices, most at the first ones: some vertices have hundreds, some none."""
    rng = np.random.default_rng(n)
    ends = (n * rng.random((2, count)) ** 3).astype(int)
    return edges(*ends, n)


def grid(side):
    """Each vertex with its neighbours in a square."""
    line = sp.diags([1.0, 1.0], [1, -1], shape=(side, side))
    return sp.csr_matrix(sp.kronsum(line, line))


GRAPHS = {
    "scattered": lambda: scattered(300, 900),
    "dense": lambda: scattered(60, 2000),
    "grid": lambda: grid(12),
    "apart": lambda: sp.block_diag([grid(5), scattered(40, 30), grid(3)], format="csr"),
    "alone": lambda: sp.csr_matrix((1, 1)),
}
for path in sorted(pathlib.Path(os.environ.get("TRELLIS_DATA", "/nowhere")).glob("graph/*.mtx*")):
    GRAPHS[path.name] = lambda path=path: sp.csr_matrix(scipy.io.mmread(path), dtype=float)


@pytest.fixture(params=GRAPHS, scope="module")
def graph(request):
    """A directed graph without loops whose edges have weight 1."""
    made = GRAPHS[request.param]().tocoo()
    others = made.row != made.col
    return edges(made.row[others], made.col[others], made.shape[0])


def busiest(graph):
    return int(np.diff(graph.indptr).argmax())


def test_bfs(graph):
    source = busiest(graph)
    depth, parent = example("bfs").bfs(graph, source)
    expected = csgraph.shortest_path(graph, unweighted=True, indices=source)
    assert np.array_equal(np.where(depth < 0, np.inf, depth), expected)
    found = np.flatnonzero(depth > 0)
    assert np.array_equal(depth[parent[found]], depth[found] - 1)
    assert edges(parent[found], found, len(depth)).multiply(graph).nnz == len(found)
    assert parent[source] == source and np.all(parent[depth < 0] == -1)
