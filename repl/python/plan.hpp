#pragma once
// From lazy arrays to a program: the one place where the module asks how something is to be computed.
//
//   queries ──rewrite──► ──with_kept──► plan ──lower──► Options of a Program
//
// Where three tables or more meet, ways differ by orders of growth: then the planner chooses, by what operands store.

#include <string>
#include <vector>

#include "engine/lazy/find_why.hpp"
#include "engine/lazy/rewrite.hpp"
#include "engine/lazy/structure.hpp"
#include "repl/python/options.hpp"

namespace trellis::python {

/// What is to be computed: results by query, tables in the order in which a call brings them.
struct Wanted {
  std::vector<lazy::Query> queries;
  std::vector<std::string> tables;
  lazy::Formats formats;           ///< of the tables
  std::vector<std::string> asked;  ///< by query: the format that somebody asked for, or ""
  lazy::CountedTables counted;     ///< of the sparse ones, where there is something to choose
  lazy::Seen seen;                 ///< what runs have found to be far from what was expected
  lazy::Exactness allowed = lazy::Exactness::rounds;
  Tier tier = Tier::automatic;
};

/// Do three tables or more meet, the same one as often as it stands there?
bool meet(const std::vector<lazy::Expr>& exprs);
/// Is there more than one way that is worth a look?
bool has_choices(const Wanted& wanted);

struct Planned {
  lazy::Plan plan;
  std::optional<lazy::Planning> planning;       ///< where there were choices
  std::vector<std::vector<std::string>> steps;  ///< by query: rewrites, each with its reason
  Options options;
  bool sized = false;  ///< it holds for these sizes alone; else for any that are neither 0 nor 1
};

/// Without the GIL.
Planned planned(const Wanted& wanted);
/// The same in all ways, at most so many: the chosen one first, then the cheapest.
std::vector<Planned> all_planned(const Wanted& wanted, std::size_t most);
/// Why this plan and no other one; it plans again, so without the GIL.
lazy::Why why(const Wanted& wanted, const lazy::Planning& planning);

}  // namespace trellis::python
