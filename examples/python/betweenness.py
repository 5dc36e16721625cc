"""Betweenness centrality: Brandes' algorithm, a sweep forward and one backward for each source.

Forward, breadth-first search counts the shortest paths to each vertex; backward, in the opposite order, each vertex
collects what share of them goes through it. Both sweeps and the loop over sources are one loop program.
"""

import numpy as np
import scipy.sparse as sp

import trellis as tr

brandes = tr.compile("""
tensor A(n, n): csr bool             # A(u,v): an edge from u to v
tensor sources(m): i64
tensor centrality(n)
tensor depth(n): i64
tensor paths(n)                      # shortest paths from the source
tensor through(n)                    # shares of those that go on from here
tensor queue(n): i64
tensor head: i64
tensor tail: i64
loops {
  for k { let s = sources(k) {
    depth .= -1; paths .= 0; through .= 0
    queue(0) = s; depth(s) = 0; paths(s) = 1
    head = 0; tail = 1
    while head < tail {
      let u = queue(head) {
        for v { if A(u,v) {
          if depth(v) < 0 { depth(v) = depth(u) + 1; queue(tail) = v; tail += 1 }
          if depth(v) == depth(u) + 1 { paths(v) += paths(u) }
        } }
      }
      head += 1
    }
    for q down in 1:tail { let u = queue(q) {
      for v { if A(u,v) && depth(v) == depth(u) + 1 { through(u) += paths(u) / paths(v) * (1 + through(v)) } }
      centrality(u) += through(u)
    } }
  } }
}
""")


def betweenness(adjacency, sources=None):
    """Through how many shortest paths from `sources` (all vertices) each vertex lies, of several to one end a part.

    adjacency[u, v] is true where an edge goes from u to v, so that an undirected graph counts each pair of ends twice.
    """
    edges = sp.csr_matrix(adjacency, dtype=bool)
    sources = np.arange(edges.shape[0]) if sources is None else np.asarray(sources, np.int64)
    return brandes.run(A=edges, sources=sources).centrality


if __name__ == "__main__":
    star = sp.csr_matrix([[0, 1, 1, 1], [1, 0, 0, 0], [1, 0, 0, 1], [1, 0, 1, 0]])
    print("betweenness", *betweenness(star))
