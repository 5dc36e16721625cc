"""Programs over sparse arrays beside SciPy and PyData's `sparse`, by hand:
`PYTHONPATH=build/python python3 tests/python/bench_arrays.py [PART]`, PART of the rows' names.

A row is measured in turns, ours and theirs, and has medians of at least 15 of each; its results are compared. What the
first call takes, which compiles, stands apart; rows "first result" are of that alone, of lazy arrays that nobody has
asked for yet. TRELLIS_DATA=FOLDER adds real graphs, tensors and pictures.
"""

import importlib.util
import os
import pathlib
import sys
import time

import numpy as np
import scipy.io
import scipy.ndimage
import scipy.sparse as sp
import scipy.sparse.csgraph as csgraph

import trellis as tr
from trellis import _core

try:
    import sparse
except ImportError:
    sparse = None

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get("TRELLIS_DATA", "/nowhere"))
rng = np.random.default_rng(1)


def seconds(work):
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def plain(result):
    """Its elements as an ndarray, or, of a large matrix of SciPy's, how many are not 0 and what they add up to."""
    if sp.issparse(result):
        return result.toarray() if np.prod(result.shape) < 1e7 else np.array([result.count_nonzero(), result.sum()])
    return result.todense() if hasattr(result, "todense") else np.asarray(result)


class Rows:
    def __init__(self, part):
        self.part = part

    def row(self, name, ours, other, theirs, target=None):
        """One contest; a target is of the ratio, above 1 where ours is faster."""
        if self.part not in name or theirs is None:
            return
        first, got = seconds(ours)
        expected = theirs()
        same = np.allclose(plain(got), plain(expected), equal_nan=True)
        our, their, end = [], [], time.perf_counter() + 1
        ours()  # the second call may still wait for a compiler
        while len(our) < 15 or time.perf_counter() < end:
            our.append(seconds(ours)[0])
            their.append(seconds(theirs)[0])
        our, their = (1e3 * sorted(times)[len(times) // 2] for times in (our, their))
        print(f"{name:<46} {our:>9.3f} ms  {other} {their:>9.3f} ms  ratio {their / our:>6.2f}"
              f"{f' (aim: {target:g})' if target else ''}  first {1e3 * first:.0f} ms{'' if same else '  DIFFERS'}",
              flush=True)


    def first(self, name, ours, theirs, most):
        """The median of five first results, `most` milliseconds of which are aimed at."""
        if self.part not in name:
            return
        times, same = [], True
        for _ in range(5):
            _core.forget_programs()
            took, got = seconds(ours)
            times.append(1e3 * took)
            same &= np.allclose(plain(got), plain(theirs()))
        print(f"{name:<46} {sorted(times)[2]:>9.3f} ms  (aim: at most {most} ms){'' if same else '  DIFFERS'}", flush=True)


def program(text, **formats):
    return tr.compile(text, tier="native", **formats)


def example(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / f"examples/python/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def tensors(rows):
    """Order 3, beside PyData/Sparse: one operation each, and several fused."""
    if sparse is None:
        return
    A, B, C = (sparse.random((100, 200, 300), density=0.02, random_state=seed) for seed in (1, 2, 3))
    trees = {name: tr.asarray(T, format="csf") for name, T in (("A", A), ("B", B), ("C", C))}
    at = "(i,j,k)"
    single = {
        "sqrt": (f"R{at} = sqrt(A{at})", lambda: np.sqrt(A)),
        "2 A": (f"R{at} = 2 * A{at}", lambda: 2 * A),
        "A * B": (f"R{at} = A{at} * B{at}", lambda: A * B),
        "A + B": (f"R{at} = A{at} + B{at}", lambda: A + B),
        "max(A, B)": (f"R{at} = max(A{at}, B{at})", lambda: np.maximum(A, B)),
    }
    fused = {
        "sqrt(abs(A * B + C))": (f"R{at} = sqrt(abs(A{at} * B{at} + C{at}))", lambda: np.sqrt(np.abs(A * B + C))),
        "A * B + B * C + A * C": (f"R{at} = A{at} * B{at} + B{at} * C{at} + A{at} * C{at}",
                                  lambda: A * B + B * C + A * C),
        "max(A + B, C) * 2": (f"R{at} = max(A{at} + B{at}, C{at}) * 2", lambda: np.maximum(A + B, C) * 2),
        "sum(A * B * C)": (f"s = sum(i,j,k)(A{at} * B{at} * C{at})", lambda: (A * B * C).sum()),
    }
    for what, group, target in (("ufunc", single, 7.5), ("fused", fused, 12.7)):
        for name, (text, theirs) in group.items():
            run = program(text, **({} if text.startswith("s") else {"R": "coo"}))
            mine = {n: trees[n] for n in run.operands}
            rows.row(f"{what}, order 3: {name}", lambda: run.run(**mine), "PyData", theirs, target)
    borrowed = program("R(i,j,k) = A(i,j,k) + B(i,j,k)", R="coo")
    rows.row("ufunc, order 3: A + B, of PyData's arrays", lambda: borrowed(A, B), "PyData", lambda: A + B)


def minimax(rows):
    """The value of a game of so many moves: the best reply to the best reply …"""
    if sparse is None:
        return
    for order, size in ((3, 60), (5, 14), (7, 8)):
        T = sparse.random((size,) * order, density=0.05, random_state=1)
        T = T - sparse.random((size,) * order, density=0.05, random_state=2)
        names = [f"i{d}" for d in range(order)]
        text, theirs = f"T({','.join(names)})", lambda T=T: T
        for d in range(order - 1, 0, -1):
            text = f"{'max' if d % 2 else 'min'}({names[d]})({text})"
        run = program(f"y(i0) = {text}", T="csf")
        X = tr.asarray(T, format="csf")

        def reduced(T=T, order=order):
            for d in range(order - 1, 0, -1):
                T = T.max(axis=d) if d % 2 else T.min(axis=d)
            return T

        rows.row(f"minimax, order {order}", lambda: run.run(T=X), "PyData", reduced, 6.4)


def matrices(rows):
    """Chains, slices and strides beside SciPy."""
    A, B, C = (sp.random(20000, 20000, density=0.0005, format="csr", random_state=seed) for seed in (1, 2, 3))
    chain = program("R(i,j) = A(i,j) * B(i,j) + 2 * C(i,j) - A(i,j)")
    rows.row("chain: A * B + 2 C - A", lambda: chain(A, B, C), "SciPy", lambda: A.multiply(B) + 2 * C - A, 3)
    more = program("R(i,j) = abs(A(i,j) + B(i,j) - C(i,j)) * A(i,j)")
    rows.row("chain: abs(A + B - C) * A", lambda: more.run(A=A, B=B, C=C), "SciPy",
             lambda: abs(A + B - C).multiply(A).tocsr(), 3)
    total = program("s = sum(i,j)((A(i,j) - B(i,j))^2)")
    rows.row("chain: sum((A - B)^2)", lambda: total(A, B), "SciPy", lambda: (A - B).power(2).sum(), 3)
    a, b, c = map(tr.lazy, (A, B, C))
    rows.row("chain, lazily: A * B + 2 C - A", lambda: (a * b + 2 * c - a).compute(), "SciPy",
             lambda: A.multiply(B) + 2 * C - A, 3)
    rows.row("chain, lazily: abs(A + B - C) * A", lambda: (abs(a + b - c) * a).compute(), "SciPy",
             lambda: abs(A + B - C).multiply(A).tocsr(), 3)
    rows.row("chain, lazily: sum((A - B)^2)", lambda: ((a - b) ** 2).sum().compute(), "SciPy",
             lambda: (A - B).power(2).sum(), 3)
    head = "tensor A(20000, 20000): csr\n"
    for name, cut, theirs, target in (
            ("slice A[5000:15000]", "R(s,j) = slice(A(i,j), i->s, 5000:15000:1)", lambda: A[5000:15000], 2.25),
            ("slice A[5000:15000, 5000:15000]",
             "R(s,t) = slice(slice(A(i,j), i->s, 5000:15000:1), j->t, 5000:15000:1)",
             lambda: A[5000:15000, 5000:15000], 2.25),
            ("slice A[:, 5000:15000]", "R(i,t) = slice(A(i,j), j->t, 5000:15000:1)", lambda: A[:, 5000:15000], 2.25),
            ("strides A[::2]", "R(s,j) = slice(A(i,j), i->s, 0:20000:2)", lambda: A[::2], 1.5),
            ("strides A[::2, ::3]", "R(s,t) = slice(slice(A(i,j), i->s, 0:20000:2), j->t, 0:20000:3)",
             lambda: A[::2, ::3], 1.5)):
        run = program(head + cut, R="csr")
        rows.row(name, lambda: run(A), "SciPy", theirs, target)


def first_results(rows):
    """From an expression without a plan to its elements: planned, compiled by libtcc, run."""
    A, B = (sp.random(2000, 2000, density=0.005, format="csr", random_state=seed) for seed in (1, 2))
    v = np.ones(2000)
    a, b = tr.lazy(A), tr.lazy(B)
    for name, expression, theirs in (
            ("A v", lambda: a @ v, lambda: A @ v),
            ("A * B + 2 A", lambda: a * b + 2 * a, lambda: A.multiply(B) + 2 * A),
            ("A B v", lambda: a @ (b @ v), lambda: A @ (B @ v)),
            ("sum((A B) * A)", lambda: ((a @ b) * a).sum(), lambda: (A @ B).multiply(A).sum()),
            ("A B, row sums", lambda: (a @ b).sum(axis=1), lambda: (A @ B).sum(axis=1).A1)):
        rows.first(f"first result: {name}", lambda: expression().compute(), theirs, 30)


def sampled(rows):
    A = sp.random(3000, 3000, density=0.01, format="csr", random_state=1)
    U, V = rng.random((3000, 64)), rng.random((3000, 64))
    sddmm = program("R(i,j) = A(i,j) * sum(k)(U(i,k) * V(j,k))", A="csr")
    rows.row("SDDMM, rank 64", lambda: sddmm.run(A=A, U=U, V=V), "SciPy", lambda: A.multiply(U @ V.T).tocsr(), 3)


def picture(name, shape):
    """A grey one in eight bits; noise where there is no data."""
    file = DATA / f"image/{name}.pgm"
    if not file.exists():
        return rng.integers(256, size=shape).astype(np.uint8)
    return np.frombuffer(file.read_bytes()[-shape[0] * shape[1]:], np.uint8).reshape(shape)


def pictures(rows):
    """Sobel on one picture, and what two thresholds of sparse ones tell apart under a mask."""
    camera = picture("skimage_camera", (512, 512))
    sobel = program(example("edges").sobel.text)

    def by_ndimage():
        image = camera.astype(float)
        across, down = (scipy.ndimage.sobel(image, axis, mode="constant") for axis in (1, 0))
        return across**2 + down**2 > 100.0**2

    rows.row("edge detection: Sobel, 512 x 512", lambda: sobel.run(image=camera), "SciPy", by_ndimage, 9.4)
    if sparse is None:
        return
    apart = program("R(y,x) = M(y,x) && (A(y,x) xor B(y,x))")
    slices = {"itk_BrainProtonDensitySlice": (217, 181), "itk_BrainT1Slice": (217, 181),
              "itk_BrainMidSagittalSlice": (180, 217)}
    for name, image, levels in (("camera", camera, (200, 220)),
                                *((name, picture(name, shape), (120, 160)) for name, shape in slices.items())):
        low, high = (sparse.COO.from_numpy(image > level) for level in levels)
        mask = sparse.random(image.shape, density=0.05, random_state=1).astype(bool)
        rows.row(f"edge detection: thresholds under a mask, {name}", lambda: apart.run(A=low, B=high, M=mask),
                 "PyData", lambda: mask & (low ^ high), 9.4)


def scale_free(scale, per_vertex):
    """R-MAT, both ways, without loops."""
    ends = np.zeros((2, per_vertex << scale), int)
    for _ in range(scale):
        draw = rng.random(ends.shape[1])
        ends = 2 * ends + [draw >= 0.76, ((draw >= 0.57) & (draw < 0.76)) | (draw >= 0.95)]
    return undirected(*ends, 1 << scale)


def road(side):
    line = sp.diags([1.0, 1.0], [1, -1], shape=(side, side))
    edges = sp.triu(sp.kronsum(line, line)).tocoo()
    kept = rng.random(edges.nnz) < 0.8
    return undirected(edges.row[kept], edges.col[kept], side * side)


def undirected(begins, ends, n):
    others = begins != ends
    made = sp.csr_matrix((np.ones(others.sum()), (begins[others], ends[others])), shape=(n, n))
    made = sp.csr_matrix(made + made.T)
    made.data[:] = 1
    return made


def graphs(rows):
    found = {"scale-free": scale_free(15, 8), "road": road(300)}
    for path in sorted(DATA.glob("graph/*.mtx*")):
        if path.name.startswith(("email-Enron", "luxembourg", "facebook")):
            real = scipy.io.mmread(path)
            found[path.name.split(".")[0]] = undirected(real.row, real.col, real.shape[0])
    for name, graph in found.items():
        graph_rows(rows, name, graph)


def graph_rows(rows, name, graph):
    degrees = np.diff(graph.indptr)
    source, order = int(degrees.argmax()), np.argsort(degrees, kind="stable")
    lower = sp.tril(graph[order][:, order], -1, format="csr")
    # A row is marked, and what the rows of its neighbours have in it is counted.
    count = program("""
tensor L(n, n): csr
tensor marked(n): bool
tensor count: i64
loops {
  marked .= false; count = 0
  for i {
    for k { if L(i,k) != 0 { marked(k) = true } }
    for j { if L(i,j) != 0 { for k { if L(j,k) != 0 { count += i64(marked(k)) } } } }
    for k { if L(i,k) != 0 { marked(k) = false } }
  }
}""")
    rows.row(f"triangles, {name}", lambda: count.run(L=lower).count, "SciPy",
             lambda: (lower @ lower).multiply(lower).sum(), 3)
    lazily = tr.lazy(lower)
    rows.row(f"triangles, lazily, {name}", lambda: ((lazily @ lazily) * lazily).sum().compute(), "SciPy",
             lambda: (lower @ lower).multiply(lower).sum(), 3)
    relation = graph.astype(bool)
    breadth = program(example("bfs").search.text)
    rows.row(f"breadth-first search, {name}",
             lambda: (breadth.run(A=relation, T=relation, source=source).parent >= 0).sum(), "SciPy",
             lambda: len(csgraph.breadth_first_order(graph, source, return_predecessors=False)), 1)
    settle = program(example("delta_stepping").settle.text)
    weighted = sp.triu(graph, format="csr")
    weighted.data = rng.integers(1, 256, weighted.nnz).astype(float)
    weighted = sp.csr_matrix(weighted + weighted.T)
    rows.row(f"delta-stepping, {name}", lambda: settle.run(W=weighted, source=source, delta=200.0).D, "Dijkstra",
             lambda: csgraph.dijkstra(weighted, indices=source), 1)
    unite = program(example("components").unite.text)
    rows.row(f"components, {name}", lambda: np.unique(unite.run(A=relation).label).size, "SciPy",
             lambda: csgraph.connected_components(graph, directed=False, return_labels=False), 1)


def main():
    rows = Rows(sys.argv[1] if len(sys.argv) > 1 else "")
    print("in turns, medians; ratios above 1: Trellis is faster" + ("" if sparse else "; PyData's sparse is missing"))
    for part in (first_results, tensors, minimax, matrices, sampled, pictures, graphs):
        part(rows)


if __name__ == "__main__":
    main()
