#pragma once
// From queries to a plan: rewritten, cut into queries that are worth one, each planned, put together again
// (docs/design/arrays.md#plans). What is asked for is a function of queries, formats and statistics alone.

#include <optional>
#include <string>
#include <vector>

#include "engine/lazy/physical.hpp"
#include "engine/lazy/rewrite.hpp"

namespace trellis::lazy {

struct PlanOptions {
  /// exact: as the queries are written, bit for bit. rounds: products of floating numbers are associated anew and
  /// distributed, as `einsum(optimize=True)` does it.
  Exactness allowed = Exactness::rounds;
  Memory memory = Memory::of_a_child;  ///< where kernels will run
  Seen seen = {};                      ///< what runs have found to be far from what was expected
};

/// A plan, and what is expected of it.
struct Alternative {
  std::vector<PlannedQuery> queries;
  std::vector<std::string> produces;
  double cycles = 0;
  /// What the engine's cost model says of the kernels of the query in which plans differ: of near ties alone.
  std::optional<double> compiled = {};
  std::string outline = {};  ///< of the query in which plans differ: "y(i) = sum(j)(A(i,j) * sum(k)(B(j,k) * v(k)))"
  Plan plan() const;
  double nanoseconds() const;
};

struct Planning {
  Alternative chosen;
  std::optional<Alternative> second;  ///< the cheapest of the others
  std::vector<Applied> rewrites;
  std::size_t plans = 0;    ///< logical ones, of all queries
  std::size_t kernels = 0;  ///< that were costed, each in all orders of its loops
  bool associates = false;  ///< the chosen one associates products of floating numbers anew
  bool greedy = false;      ///< there were more, which were not looked at
};

/// `formats`, `counted`: of the tables that are not produced; one without is dense and full. Operands are of these
/// formats when the plan runs; what they store may change, and the plan stays right.
Planning plan(const std::vector<Query>& queries, const Formats& formats, const CountedTables& counted,
              const PlanOptions& options);

/// All of them, the chosen one first, then the cheapest, each in the formats and orders that are the cheapest for it.
/// Of several queries, plans differ in one.
std::vector<Alternative> all_plans(const std::vector<Query>& queries, const Formats& formats,
                                   const CountedTables& counted, const PlanOptions& options);

/// What is known once a plan has run, `stored` by name of what its queries make: `before`, and what was far off. Empty
/// where nothing was.
std::optional<Seen> corrected(const Alternative& plan, const std::map<std::string, double>& stored, const Seen& before);

}  // namespace trellis::lazy
