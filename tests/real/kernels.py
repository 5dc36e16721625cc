#!/usr/bin/env python3
"""Compares kernels over real matrices, graphs and tensors with SciPy and NumPy: kernels.py TRELLIS DATA [PART].

Each program runs in native code; what it saved must have the same elements as what SciPy computes, none of them twice, up to
rounding (sums are formed in other orders). DATA is a folder with `matrix/`, `graph/` and `tensor/`. PART of a kernel's name
chooses kernels; all of them take ten minutes.
"""
import sys

import numpy as np
import scipy.io
import scipy.sparse as sp

from trellis import Folder, find, finish, verdict

TOLERANCE = 1e-12
FORMATS = ("csr", "csc", "dcsr", "coo")
RELATION = "{dense, compressed, pattern} bool"


def read(data, kind, name):
    return sp.csr_matrix(scipy.io.mmread(find(data, kind, name))).astype(np.float64)


def read_tensor(data, name):
    entries = np.loadtxt(find(data, "tensor", name))
    return entries[:, :-1].astype(int) - 1, entries[:, -1]


def difference(got, expected):
    """What is wrong with a result, or nothing."""
    if sp.issparse(expected):
        got = sp.coo_matrix(got)
        if len(set(zip(got.row.tolist(), got.col.tolist()))) != got.nnz:
            return "an element is stored twice"
    if got.shape != expected.shape:
        return f"the shape is {got.shape}, not {expected.shape}"
    gap = abs(got - expected).max()
    return "" if gap <= TOLERANCE * abs(expected).max() else f"off by {gap}"


class Kernels:
    def __init__(self, trellis, data, part):
        self.trellis, self.data, self.part = trellis, data, part
        self.random = np.random.default_rng(7)

    def compare(self, what, program, operands, expected, checked=True):
        """Runs `program` on `operands` (arrays, matrices or paths of files, by name) and compares the results (by name)."""
        if self.part not in what:
            return
        problem, seconds = "", 0
        try:
            with Folder(self.trellis) as folder:
                lines = program.strip().split("\n")
                split = next(i for i, line in enumerate(lines) if not line.strip().startswith(("tensor", "param", "#")))
                text = lines[:split]
                for name, value in operands.items():
                    text.append(f'load {name} "{value if isinstance(value, str) else self.write(folder, name, value)}"')
                text += lines[split:] + ["run"] + (["check"] if checked else [])
                for name, value in expected.items():
                    text.append(f'save {name} "{name}.{"mtx" if sp.issparse(value) else "npy"}"')
                seconds = folder.run("\n".join(text) + "\n")[1]
                for name, value in expected.items():
                    got = scipy.io.mmread(folder.path(name + ".mtx")) if sp.issparse(value) else np.load(folder.path(name + ".npy"))
                    if wrong := difference(got, value):
                        problem += f"{name}: {wrong}"
        except (RuntimeError, OSError) as error:
            problem = str(error)
        verdict(what, problem, seconds)

    @staticmethod
    def write(folder, name, value):
        if sp.issparse(value):
            scipy.io.mmwrite(folder.path(name + ".mtx"), value, precision=17, symmetry="general")
            return name + ".mtx"
        np.save(folder.path(name + ".npy"), value)
        return name + ".npy"

    def products(self, name, A):
        """Matrix times vector and matrix, sampled product: dense results, or results with A's pattern."""
        n, m = A.shape
        x, B, D = self.random.random(m), self.random.random((m, 8)), self.random.random((n, 8))
        for form in FORMATS:
            inner = "j i" if form == "csc" else "i j"
            self.compare(f"SpMV {name} {form}", f"""param n = {n}
                param m = {m}
                tensor A(n, m): {form}
                tensor x(m)
                tensor y(n)
                y(i) = A(i,j) * x(j)
                order {inner}""", {"A": A, "x": x}, {"y": A @ x})
        self.compare(f"SpMM {name}", f"""param n = {n}
            param m = {m}
            tensor A(n, m): csr
            tensor B(m, 8)
            tensor C(n, 8)
            C(i,k) = A(i,j) * B(j,k)
            order i j k""", {"A": A, "B": B}, {"C": A @ B})
        at = A.tocoo()
        sampled = sp.csr_matrix((at.data * np.einsum("ek,ek->e", D[at.row], B[at.col]), (at.row, at.col)), shape=A.shape)
        self.compare(f"SDDMM {name}", f"""param n = {n}
            param m = {m}
            tensor A(n, m): csr
            tensor B(m, 8)
            tensor D(n, 8)
            tensor C(n, m): csr
            C(i,j) = A(i,j) * sum(k)(D(i,k) * B(j,k))
            order i j k""", {"A": A, "B": B, "D": D}, {"C": sampled})

    def sums(self, name, A):
        """Merges of two, three and five operands that overlap in part, and A + A'."""
        n = A.shape[0]
        at = A.tocoo()
        shifted = sp.csr_matrix((at.data, (at.row, (at.col + 1) % n)), shape=A.shape)
        half = A.copy()
        half.data *= self.random.random(A.nnz) < 0.5
        half.eliminate_zeros()
        operands = {"A": A, "B": shifted, "D": half, "E": 2 * shifted - half, "F": A.T.tocsr()}
        declared = "\n".join(f"tensor {each}(n, n): csr" for each in "ABDEFC")
        A, B, D, E, F = operands.values()
        cases = {"A(i,j) + B(i,j)": A + B, "A(i,j) + B(i,j) + D(i,j)": A + B + D, "A(i,j) - D(i,j)": A - D,
                 "A(i,j) + B(i,j) + D(i,j) + E(i,j) + F(i,j)": A + B + D + E + F, "max(A(i,j), B(i,j))": A.maximum(B),
                 "B(i,j) == 0 ? A(i,j) : 0": A - A.multiply(B != 0)}
        for text, expected in cases.items():
            self.compare(f"{text} {name}", f"param n = {n}\n{declared}\nC(i,j) = {text}\norder i j",
                         {each: value for each, value in operands.items() if each + "(" in text}, {"C": sp.csr_matrix(expected)})
        for order in ("i j", "j i"):
            self.compare(f"A + A' {name} {order}", f"param n = {n}\ntensor A(n, n): csr\ntensor C(n, n): csr\nC(i,j) = A(i,j) + A(j,i)\norder {order}",
                         {"A": A}, {"C": sp.csr_matrix(A + A.T)})

    def matrix_products(self, name, A):
        """Sparse times sparse in every format, in the three forms, and where a mask asks for it."""
        n = A.shape[0]
        product = sp.csr_matrix(A @ A)
        forms = [(form, form, form, "j k i" if form == "csc" else "i k j", "") for form in FORMATS]
        forms += [("csr", "csc", "csr", "i j k", ""), ("csr", "csr", "csr", "i k j", "workspace w for C(i,:) bytemap"),
                  ("csc", "csr", "csr", "k i j", "workspace w for C(:,:) hash")]
        for a, b, c, order, workspace in forms:
            self.compare(f"SpGEMM {name} {a} {b} {c} {order}", f"""param n = {n}
                tensor A(n, n): {a}
                tensor B(n, n): {b}
                tensor C(n, n): {c}
                C(i,j) = A(i,k) * B(k,j)
                order {order}
                {workspace}""", {"A": A, "B": A}, {"C": product})
        mask = sp.csr_matrix(A.T != 0)
        self.compare(f"masked product {name}", f"""param n = {n}
            tensor A(n, n): csr
            tensor B(n, n): csc
            tensor M(n, n): {RELATION}
            tensor C(n, n): csr
            C(i,j) = M(i,j) ? sum(k)(A(i,k) * B(k,j)) : 0
            order i j k""", {"A": A, "B": A, "M": mask.astype(float)}, {"C": product.multiply(mask).tocsr()})

    def relations(self, name, G):
        """Boolean matrices, least elements over an infinite fill, counting."""
        n = G.shape[0]
        A, B = sp.csr_matrix(G != 0), sp.csr_matrix(G.T != 0)
        for text, expected in {"A(i,j) != B(i,j)": A != B, "A(i,j) && !B(i,j)": A > B, "A(i,j) || B(i,j)": A.maximum(B)}.items():
            self.compare(f"{text} {name}", f"""param n = {n}
                tensor A(n, n): {RELATION}
                tensor B(n, n): {RELATION}
                tensor C(n, n): csr bool
                C(i,j) = {text}
                order i j""", {"A": A.astype(float), "B": B.astype(float)}, {"C": sp.csr_matrix(expected).astype(float)})
        far = sp.csr_matrix((self.random.random(G.nnz) + 1, G.indices, G.indptr), shape=G.shape)
        near = far.T.tocsr()
        # With 9 taken away from what is stored, the least stored element is also the least over a fill of 0.
        least = (far - 9 * (far != 0)).minimum(near - 9 * (near != 0))
        least.data += 9
        self.compare(f"min with fill inf {name}", f"""param n = {n}
            tensor A(n, n): csr fill inf
            tensor B(n, n): csr fill inf
            tensor C(n, n): csr fill inf
            C(i,j) = min(A(i,j), B(i,j))
            order i j""", {"A": far, "B": near}, {"C": least})
        edges = A.maximum(B).astype(np.int64)
        lower = sp.tril(edges, -1).tocsr()
        self.compare(f"triangles {name}", f"""param n = {n}
            tensor G(n, n): csr bool
            tensor count(1): i64
            count(0) = sum(i,j,k)(i64(G(i,j) && G(i,k) && G(j,k))) : k < j < i
            order i j k""", {"G": edges.astype(float)}, {"count": np.array([(lower @ lower).multiply(lower).sum()])}, checked=False)

    def reshapes(self, name, A):
        """Conversion, the diagonal, and how often each value occurs."""
        n = A.shape[0]
        for a, b, order in (("csc", "csr", "j i"), ("csr", "csc", "i j"), ("coo", "dcsr", "i j")):
            self.compare(f"{a} to {b} {name}", f"param n = {n}\ntensor A(n, n): {a}\ntensor B(n, n): {b}\nB(i,j) = A(i,j)\norder {order}",
                         {"A": A}, {"B": A})
        self.compare(f"diagonal {name}", f"param n = {n}\ntensor A(n, n): csr\ntensor d(n)\nd(i) = A(i,i)", {"A": A}, {"d": A.diagonal()})
        counts = sp.csr_matrix((self.random.integers(1, 9, A.nnz).astype(float), A.indices, A.indptr), shape=A.shape)
        self.compare(f"histogram {name}", f"""param n = {n}
            tensor A(n, n): csr i64
            tensor bins(9): i64
            loops {{
              for i, j {{ if A(i,j) != 0 {{ bins(A(i,j)) += 1 }} }}
            }}""", {"A": counts}, {"bins": np.bincount(counts.data.astype(int), minlength=9)})

    def tensors(self, name):
        """The kernels of tensor factorisations on a csf."""
        at, values = read_tensor(self.data, name)
        n, m, p = at.max(axis=0) + 1
        B, C = self.random.random((m, 8)), self.random.random((p, 8))
        declared = f"param n = {n}\nparam m = {m}\nparam p = {p}\ntensor X(n, m, p): csf"
        source = find(self.data, "tensor", name)
        expected = np.zeros((n, 8))
        np.add.at(expected, at[:, 0], values[:, None] * B[at[:, 1]] * C[at[:, 2]])
        self.compare(f"MTTKRP {name}", f"{declared}\ntensor B(m, 8)\ntensor C(p, 8)\ntensor M(n, 8)\nM(i,r) = X(i,k,l) * B(k,r) * C(l,r)\norder i k l r",
                     {"X": source, "B": B, "C": C}, {"M": expected})
        expected = np.zeros((n, m, 8))
        np.add.at(expected, (at[:, 0], at[:, 1]), values[:, None] * C[at[:, 2]])
        for form in ("{compressed, compressed, dense}", "{dense, dense, dense}"):
            self.compare(f"TTM {name} {form}", f"{declared}\ntensor C(p, 8)\ntensor Y(n, m, 8): {form}\nY(i,j,k) = X(i,j,l) * C(l,k)\norder i j l k",
                         {"X": source, "C": C}, {"Y": expected})


def main(trellis, data, part=""):
    kernels = Kernels(trellis, data, part)
    for name in ("cage10", "sherman3"):
        A = read(data, "matrix", name)
        kernels.products(name, A)
        kernels.sums(name, A)
        kernels.matrix_products(name, A)
    kernels.reshapes("gemat12", read(data, "matrix", "gemat12"))
    kernels.relations("wiki-Vote", read(data, "graph", "wiki-Vote"))
    kernels.tensors("umls")
    return finish()


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__.strip())
    sys.exit(main(*sys.argv[1:]))
