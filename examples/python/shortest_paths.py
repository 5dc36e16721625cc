"""Bellman and Ford's shortest paths as one equation over (min, +), on a sparse matrix whose fill is infinite.

Where there is no edge the matrix is inf, and inf + d leaves a minimum alone: the kernel visits edges only.
"""

import numpy as np

import trellis as tr


def shortest_paths(lengths, start):
    """Distances from `start`; lengths[i, j] is that of the edge from j to i, inf where there is none."""
    edges = tr.asarray(lengths, format="csr fill inf")
    relax = tr.compile("e(i) = min(d(i), min(j)(W(i,j) + d(j)))")
    distances = np.full(len(lengths), np.inf)
    distances[start] = 0
    for _ in range(len(lengths)):
        distances = relax.run(d=distances, W=edges)
    return distances


if __name__ == "__main__":
    inf = np.inf
    roads = np.array([[inf, inf, inf, inf], [4, inf, 1, inf], [2, inf, inf, inf], [inf, 5, 8, inf]])
    print("distances", " ".join(f"{d:g}" for d in shortest_paths(roads, 0)))
