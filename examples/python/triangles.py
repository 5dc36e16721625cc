"""Triangles of a graph, counted in one kernel: no square of the matrix is ever stored.

    s = sum over edges (i,j) of the common neighbours of i and j
"""

import scipy.sparse as sp

import trellis as tr


def triangles(adjacency):
    """How many triangles an undirected graph has."""
    lower = sp.tril(adjacency, -1, format="csr")
    count = tr.compile("s = sum(i,j,k)(L(i,j) * L(i,k) * L(j,k))", L="csr")
    return int(count(lower))


if __name__ == "__main__":
    ring = sp.diags([1.0, 1.0, 1.0, 1.0], [1, -1, 2, -2], shape=(10, 10))  # each node with the next two
    print("triangles", triangles(ring))
