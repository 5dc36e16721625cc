// Searches of a graph as loop programs, beside the same rounds over GraphBLAS's vectors.
#include <limits>

#include "tests/bench/arrays_bench.hpp"

namespace trellis::bench {
namespace {

/// A queue holds what was reached, its end the frontier: it pushes along edges, or is pulled from where it is large.
const std::string breadth_first = R"(
tensor A(n, n): bool {dense, compressed, pattern}
tensor source: i64
tensor depth(n): i32 fill -1
tensor queue(n): i64
tensor head: i64
tensor end: i64
tensor tail: i64
tensor rounds: i32
loops {
  depth .= -1
  queue(0) = source; depth(source) = 0
  head = 0; tail = 1; rounds = 0
  while head < tail {
    end = tail
    rounds += 1
    if (end - head) * 16 < n {
      for q in head:end { let u = queue(q) {
        for v { if A(u,v) && depth(v) < 0 { depth(v) = rounds; queue(tail) = v; tail += 1 } }
      } }
    } else {
      for v { if depth(v) < 0 {
        for u until depth(v) >= 0 { if A(v,u) && depth(u) == rounds - 1 { depth(v) = rounds } }
        if depth(v) >= 0 { queue(tail) = v; tail += 1 }
      } }
    }
    head = end
  }
}
)";

/// Rounds over the vertices whose distance got shorter in the last one: those wait in a ring.
/// Its ends go around by comparing: a remainder would take as long as the rest of a step.
const std::string bellman_ford = R"(
tensor A(n, n): csr fill inf
tensor source: i64
tensor d(n): fill inf
tensor waits(n): bool
tensor ring(n): i64
tensor head: i64
tensor tail: i64
tensor count: i64
loops {
  d .= inf; waits .= false
  d(source) = 0; ring(0) = source
  head = 0; tail = 1 % n; count = 1
  while count > 0 {
    let u = ring(head) {
      head += 1
      if head == n { head = 0 }
      count -= 1
      waits(u) = false
      for v { if d(u) + A(u,v) < d(v) {
        d(v) = d(u) + A(u,v)
        if !waits(v) {
          waits(v) = true; ring(tail) = v; count += 1
          tail += 1
          if tail == n { tail = 0 }
        }
      } }
    }
  }
}
)";

/// What is nearer than the limit waits in a ring, the rest in a pile that is looked through when the limit moves.
const std::string delta_stepping = R"(
tensor A(n, n): csr fill inf
tensor source: i64
tensor delta
tensor d(n): fill inf
tensor near(n): i64
tensor far(n): i64
tensor is_near(n): bool
tensor is_far(n): bool
tensor head: i64
tensor tail: i64
tensor count: i64
tensor kept: i64
tensor settled
tensor limit
loops {
  d .= inf; is_near .= false; is_far .= false
  d(source) = 0; near(0) = source
  head = 0; tail = 1; count = 0; limit = delta
  while head < tail {
    while head < tail {
      let u = near(head % n) {
        head += 1
        is_near(u) = false
        for v { if d(u) + A(u,v) < d(v) {
          d(v) = d(u) + A(u,v)
          if d(v) <= limit {
            if !is_near(v) { is_near(v) = true; near(tail % n) = v; tail += 1 }
          } else if !is_far(v) { is_far(v) = true; far(count) = v; count += 1 }
        } }
      }
    }
    settled = limit
    limit = inf
    for f in 0:count { if d(far(f)) > settled { limit min= d(far(f)) } }
    limit += delta
    kept = 0
    for f in 0:count { let v = far(f) {
      if d(v) <= limit {
        is_far(v) = false
        if d(v) > settled { is_near(v) = true; near(tail % n) = v; tail += 1 }
      } else { far(kept) = v; kept += 1 }
    } }
    count = kept
  }
}
)";

tensor::Tensor scalar(format::ScalarType type, double value) {
  auto made = *tensor::Tensor::create(type, {}, format::Format::dense(0), format::Value::of(type, 0));
  made.set_flat(0, format::Value::of(type, value));
  return made;
}

}  // namespace

void graph_searches(Rows& rows, const GraphProblem& graph, double target) {
  constexpr double delta = 200;  // of lengths from 1 to 255
  const tensor::Tensor lengths = lengths_of(graph.edges, "csr", 0);
  const Compressed a = compressed(lengths);
  run::Bindings data;
  data.sizes = {{"n", graph.n}};
  data.arrays["source"] = scalar(format::ScalarType::i64, static_cast<double>(graph.source));
  data.arrays["delta"] = scalar(format::ScalarType::f64, delta);
  data.arrays["A"] = relation_of(graph.edges);
  beside_graphblas(rows, "breadth-first search, " + graph.name, breadth_first, data,
                   graphblas_breadth_first(a, graph.source), "depth", target);
  data.arrays["A"] = lengths_of(graph.edges, "csr", std::numeric_limits<double>::infinity());
  beside_graphblas(rows, "Bellman and Ford, " + graph.name, bellman_ford, data, graphblas_bellman_ford(a, graph.source),
                   "d", target);
  beside_graphblas(rows, "delta-stepping, " + graph.name, delta_stepping, data,
                   graphblas_delta_stepping(a, graph.source, delta), "d", target);
}

}  // namespace trellis::bench
