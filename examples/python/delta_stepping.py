"""Shortest paths by delta-stepping: Meyer and Sanders' algorithm, with one pile near and one far.

Distances are settled in steps of `delta`: vertices nearer than the limit wait in a ring and relax their edges, others
wait in a pile that is looked through when the limit moves. A small delta is Dijkstra's order, a large one Bellman's.
"""

import scipy.sparse as sp

import trellis as tr

settle = tr.compile("""
tensor W(n, n): csr                  # W(u,v): length of the edge from u to v, 0 where there is none
tensor source: i64
tensor delta
tensor D(n): fill inf
tensor near(n): i64                  # a ring, from `head` to `tail`
tensor far(n): i64
tensor is_near(n): bool
tensor is_far(n): bool
tensor head: i64
tensor tail: i64
tensor count: i64
tensor kept: i64
tensor settled                       # nothing up to here waits
tensor limit
loops {
  is_near .= false; is_far .= false
  D(source) = 0; near(0) = source
  head = 0; tail = 1; count = 0; limit = delta
  while head < tail {
    while head < tail {
      let u = near(head % n) {
        head += 1
        is_near(u) = false
        for v {
          if W(u,v) > 0 && D(u) + W(u,v) < D(v) {
            D(v) = D(u) + W(u,v)
            if D(v) <= limit {
              if !is_near(v) { is_near(v) = true; near(tail % n) = v; tail += 1 }
            } else if !is_far(v) { is_far(v) = true; far(count) = v; count += 1 }
          }
        }
      }
    }
    settled = limit
    limit = inf
    for f in 0:count { if D(far(f)) > settled { limit min= D(far(f)) } }
    limit += delta
    kept = 0
    for f in 0:count { let v = far(f) {
      if D(v) <= limit {
        is_far(v) = false
        if D(v) > settled { is_near(v) = true; near(tail % n) = v; tail += 1 }
      } else { far(kept) = v; kept += 1 }
    } }
    count = kept
  }
}
""")


def delta_stepping(lengths, source, delta):
    """Distances from `source`, inf where nothing leads; lengths[u, v] is that of the edge from u to v, 0 without one.

    delta > 0, in the same unit, says how far a step goes: about a length divided by how many edges a vertex has.
    """
    edges = sp.csr_matrix(lengths, dtype=float)
    return settle.run(W=edges, source=source, delta=float(delta)).D


if __name__ == "__main__":
    roads = sp.csr_matrix([[0, 4, 2, 0], [0, 0, 0, 5], [0, 1, 0, 8], [0, 0, 0, 0]])
    print("distances", " ".join(f"{d:g}" for d in delta_stepping(roads, 0, 2)))
