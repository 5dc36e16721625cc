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


def test_components(graph):
    label = example("components").components(graph)
    count, expected = csgraph.connected_components(graph, directed=False)
    smallest = np.full(count, len(label))
    np.minimum.at(smallest, expected, np.arange(len(label)))
    assert np.array_equal(label, smallest[expected])


def lengths(graph):
    """The same graph with edges of length 1 to 20."""
    made = graph.copy()
    made.data = np.random.default_rng(7).integers(1, 21, made.nnz).astype(float)
    return made


@pytest.mark.parametrize("delta", [1e-300, 0.5, 10, 1e9])
def test_delta_stepping(graph, delta):
    source, weighted = busiest(graph), lengths(graph)
    found = example("delta_stepping").delta_stepping(weighted, source, delta)
    assert np.array_equal(found, csgraph.dijkstra(weighted, indices=source))


def test_betweenness(graph):
    n = graph.shape[0]
    if n > 500:
        pytest.skip("the comparison takes a time that grows as n^3")
    distance, paths = counted_paths(graph)
    ends = np.isfinite(distance) & ~np.eye(n, dtype=bool)
    expected = np.zeros(n)
    for v in range(n):
        on = ends & (distance[:, [v]] + distance[[v], :] == distance)
        on[v, :] = on[:, v] = False
        expected[v] = np.sum(np.outer(paths[:, v], paths[v, :])[on] / paths[on])
    assert np.allclose(example("betweenness").betweenness(graph), expected)


def counted_paths(graph):
    """Distances between all vertices, and how many shortest paths each two have."""
    n = graph.shape[0]
    distance = csgraph.shortest_path(graph, unweighted=True)
    paths = np.eye(n)
    for step in range(1, n):
        here = distance == step
        if not here.any():
            break
        paths += np.where(here, np.where(distance == step - 1, paths, 0) @ graph, 0)
    return distance, paths


def test_betweenness_of_some_sources(graph):
    betweenness = example("betweenness").betweenness
    some = np.arange(min(graph.shape[0], 12))
    assert np.allclose(betweenness(graph, some), sum(betweenness(graph, [s]) for s in some))


def test_semirings(graph):
    closure = example("semirings").closure
    source, weighted = busiest(graph), lengths(graph)
    distance = csgraph.dijkstra(weighted, indices=source)
    assert np.array_equal(closure(weighted.astype(bool).T.tocsr(), source, "reached"), np.isfinite(distance))
    assert np.array_equal(closure(weighted.T.tocsr(), source, "nearest"), distance)
    likely = weighted.copy()
    likely.data = np.exp(-weighted.data / 100)
    assert np.allclose(closure(likely.T.tocsr(), source, "likeliest"), np.exp(-distance / 100))


def test_triangles(graph):
    undirected = graph.maximum(graph.T).tocsr()
    square = undirected @ undirected
    assert example("triangles").triangles(undirected) == square.multiply(undirected).sum() / 6


def test_shortest_paths(graph):
    if graph.shape[0] > 500:
        pytest.skip("it takes a dense matrix")
    source, weighted = busiest(graph), lengths(graph)
    dense = np.where(weighted.toarray() == 0, np.inf, weighted.toarray())
    found = example("shortest_paths").shortest_paths(dense.T, source)
    assert np.array_equal(found, csgraph.dijkstra(weighted, indices=source))


def test_pagerank(graph):
    n = graph.shape[0]
    if n > 500:
        pytest.skip("the comparison solves a dense system")
    links = graph.T.tocsr()
    outgoing = np.asarray(links.sum(0)).ravel()
    moves = links.toarray() / np.maximum(outgoing, 1) + (outgoing == 0) / n
    expected = np.linalg.solve(np.eye(n) - 0.85 * moves, np.full(n, 0.15 / n))
    assert np.allclose(example("pagerank").pagerank(links), expected, atol=1e-9)
