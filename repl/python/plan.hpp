#pragma once
// From lazy arrays to a program: the one place where the module asks how something is to be computed.
//
//   queries ──rewrite──► ──with_kept──► plan ──lower──► Options of a Program

#include <string>
#include <vector>

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
  lazy::Exactness allowed = lazy::Exactness::rounds;
  Tier tier = Tier::automatic;
};

struct Planned {
  lazy::Plan plan;
  std::vector<std::vector<std::string>> steps;  ///< by query: rewrites, each with its reason
  Options options;
  bool sized = false;  ///< it holds for these sizes alone; else for any that are neither 0 nor 1
};

/// Without the GIL.
Planned planned(const Wanted& wanted);

}  // namespace trellis::python
