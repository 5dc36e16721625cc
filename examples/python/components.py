"""Connected components in one pass over the edges: union and find, as a loop program.

Each vertex points at a vertex of its component with a smaller number, or at itself; an edge between two trees hangs the
root with the larger number under the other tree. No round over all edges is repeated until nothing changes.
"""

import numpy as np
import scipy.sparse as sp

import trellis as tr

unite = tr.compile("""
tensor A(n, n): csr bool             # an edge says the same in either direction
tensor label(n): i64
tensor a: i64
tensor b: i64
loops {
  for u { label(u) = u }
  for u, v { if A(u,v) {
    a = label(u); b = label(v)
    while a != b {
      let high = max(a, b), low = min(a, b) {
        if label(high) == high { label(high) = low; a = low; b = low } else { a = label(high); b = low }
      }
    }
  } }
  for v { label(v) = label(label(v)) }
}
""")


def components(adjacency):
    """For each vertex the smallest vertex of its component; adjacency[u, v] is true where an edge joins u and v."""
    return unite.run(A=sp.csr_matrix(adjacency, dtype=bool)).label


if __name__ == "__main__":
    pairs = np.array([[0, 3], [3, 5], [1, 2], [4, 4]])
    label = components(sp.csr_matrix((np.ones(4), pairs.T), shape=(6, 6)))
    print("components", *label)
