"""Breadth-first search that changes its direction: Beamer's direction-optimising search, as a loop program.

A small frontier pushes along its edges, row by row of A; a large one is pulled from: each vertex that is left looks for
a parent among the rows of the transpose, and stops at the first. Look at `search.c`: both walk what is stored alone.
"""

import scipy.sparse as sp

import trellis as tr

search = tr.compile("""
tensor A(n, n): csr bool             # A(u,v): an edge from u to v
tensor T(n, n): csr bool             # T(v,u): the same edge, from where it ends
tensor source: i64
tensor depth(n): i64 fill -1         # -1: not reached
tensor parent(n): i64 fill -1
tensor queue(n): i64                 # the vertices reached, the frontier from `head` to `end`
tensor head: i64
tensor end: i64
tensor tail: i64
tensor rounds: i64
loops {
  queue(0) = source; depth(source) = 0; parent(source) = source
  head = 0; tail = 1; rounds = 0
  while head < tail {
    end = tail
    rounds += 1
    if (end - head) * 16 < n {
      for q in head:end { let u = queue(q) {
        for v { if A(u,v) && depth(v) < 0 { depth(v) = rounds; parent(v) = u; queue(tail) = v; tail += 1 } }
      } }
    } else {
      for v { if depth(v) < 0 {
        for u until depth(v) >= 0 { if T(v,u) && depth(u) == rounds - 1 { depth(v) = rounds; parent(v) = u } }
        if depth(v) >= 0 { queue(tail) = v; tail += 1 }
      } }
    }
    head = end
  }
}
""")


def bfs(adjacency, source):
    """How many edges each vertex is away from `source`, and its parent in the search tree; -1 where it is not reached.

    adjacency[u, v] is true where an edge goes from u to v.
    """
    edges = sp.csr_matrix(adjacency, dtype=bool)
    found = search.run(A=edges, T=edges.T.tocsr(), source=source)
    return found.depth, found.parent


if __name__ == "__main__":
    path = sp.diags([1, 1], [1, -1], shape=(6, 6), format="csr")
    depth, parent = bfs(path, 2)
    print("depth", *depth, "parent", *parent)
