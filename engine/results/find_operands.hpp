#pragma once
// `find B scan`: how the entries of an operand are come by where another one leads. Of ways that walk, or bisect, the
// loops say so to the lattices that are made of them; what is to be looked up at once is copied into a table first.
//
//   find x table    tensor x_table(n): {bytemap}; for j { x_table(j) = x(j) }; …        A(i,j)*x_table(j)
//   find x auto     let by_scan = 8*… + 0.6*… { let by_table = … { if by_table <= by_scan { … } else { … } } }
//
// Which way is the best depends on what operands store: `auto` has the kernel choose when it begins, by what each would
// cost (docs/design/layouts.md#costs-of-finds). All that is walked is asked for coordinates that rise, so that each of
// these is valid (docs/design/layouts.md#finds); tables have one entry for each element.

#include <optional>
#include <string>
#include <vector>

#include "engine/flow/flow.hpp"
#include "engine/lang/program.hpp"
#include "engine/loop/stmt.hpp"
#include "engine/results/written.hpp"

namespace trellis::coiterate {
struct Wishes;
}

namespace trellis::results {

/// One of the ways to come by an operand's entries, and what it takes in nanoseconds: an expression over what operands
/// store, an f64.
struct WayToFind {
  lang::Schedule::Find::How how;
  lang::Expr cost;
};
/// `find … auto`: all ways that the kernel chooses between.
struct FindChoice {
  std::string tensor;
  std::vector<WayToFind> ways;
};

struct Finding {
  loop::Stmt loops;              ///< numbered
  std::vector<Written> written;  ///< tables
  std::vector<FindChoice> choices;
};

/// Where an operand cannot be found as the schedule says, the loops stay as they are: check_finds has the error.
Finding find_operands(const loop::Stmt& loops, const lang::Kernel& kernel, const lang::Program& program,
                      const coiterate::Wishes& wishes);

/// E0913 when a wish has nothing to be about.
bool check_finds(const Finding& finding, const flow::Flow& flow, const lang::Kernel& kernel,
                 text::Diagnostics& diagnostics);

/// The same loops with a way to come by a tensor's entries in all that go along it.
loop::Stmt with_find(const loop::Stmt& loops, const lang::Schedule::Find& find);

}  // namespace trellis::results
