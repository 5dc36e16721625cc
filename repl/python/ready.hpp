#pragma once
// Lazy arrays, ready to be called: programs by structure, each with the plan that it is of.

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "repl/python/lazy.hpp"
#include "repl/python/plan.hpp"
#include "repl/python/program.hpp"
#include "repl/python/structure_key.hpp"

namespace trellis::python {

/// How it is to be computed.
struct Asked {
  std::vector<std::string> formats;  ///< by result, "" where the structure decides
  bool exact = false;
  Tier tier = Tier::automatic;
};

/// Made and dropped with the GIL.
struct Ready {
  Wanted wanted;
  Planned planned;
  std::shared_ptr<Program> program;
  std::vector<std::size_t> tables;  ///< by parameter, as the key counts them
  bool measured = false;            ///< chosen by the clock, which no estimate gainsays
};

std::vector<const Lazy*> arrays_of(const pybind11::list& list);
Asked asked_of(const std::vector<std::string>& formats, bool exact, const std::string& tier);

/// What is computed in these formats, as it is kept for the structure: planned and compiled if need be.
std::shared_ptr<const Ready> ready_for(const std::vector<const Lazy*>& arrays, StructureKey& key, const Asked& asked);
/// All ways to compute it, the chosen one first, then the cheapest, at most so many. None of them is kept.
std::vector<std::shared_ptr<Ready>> ways_to_compute(const std::vector<const Lazy*>& arrays, const Asked& asked,
                                                    std::size_t most);
/// From now on the structure is computed in this way.
void keep(const std::vector<const Lazy*>& arrays, const Asked& asked, const std::shared_ptr<Ready>& way);
/// The results in the order of the arrays: one alone as it is, several as a named tuple.
pybind11::object call(const Ready& ready, const StructureKey& key, RunOptions& options);
/// Where a call stored far more or far less on the way than was expected, the next one plans anew. `key`: as
/// `ready_for` completed it.
void learn(const Ready& ready, const StructureKey& key, const std::map<std::string, double>& stored);

std::size_t count_ready();
void forget_ready();

/// A, B, …, H, then A1, …: no name that fields, results or temporaries have.
std::string table_name(std::size_t number);
/// What the arrays are called, as they were written.
std::vector<lazy::Query> written_queries(const std::vector<const Lazy*>& arrays, const StructureKey& key);

}  // namespace trellis::python
