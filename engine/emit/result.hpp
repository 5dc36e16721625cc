#pragma once
// Results in sparse formats: entries come in storage order, one after another, into arrays that have room for them.
//
// Each level with positions counts its entries and the fibers that it has opened; an entry of fiber p first opens all
// fibers up to p, so that it does not matter which loops ran in between. Where one loop goes through all rows of a
// {dense, compressed} result, as most do, its end closes the row: `C_pos[i + 1] = pC`.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/emit/context.hpp"
#include "engine/emit/memory.hpp"

namespace trellis::emit {

/// What is counted of results, and where their fibers begin.
class Results {
 public:
  Results(Context& out, Memory& memory);

  /// The variable that counts a level's entries, and the one that counts its fibers.
  std::string entries(const flow::Tensor& tensor, int level);
  std::string opened(const flow::Tensor& tensor, int level);

  /// Where results grow: more room, if entries up to so many do not have any, and where the arrays are from then on.
  void ask_for_room(const flow::Tensor& tensor, const c::Expr& entries);

  // Rows that a loop closes.

  /// Before all statements.
  void begin();
  /// Does a loop close its rows? Then none of its fibers is opened otherwise.
  bool by_rows(const flow::Tensor& tensor) const { return row_loops_.count(tensor.name) > 0; }
  /// At the start and at the end of each of its iterations.
  void begin_row(const flow::Loop& loop) { close_row(loop, true); }
  void end_row(const flow::Loop& loop) { close_row(loop, false); }

  // Fibers.

  /// Up to this one.
  void open_fibers(const flow::Tensor& tensor, int level, c::Expr last);
  void open_fibers_before(const flow::Tensor& tensor, int level, c::Expr end);
  /// Before a loop whose entries all go to one row of a {dense, compressed} result: opens the rows up to that, and the
  /// entries need not ask. Gives those results, for which that holds until `leave`.
  std::vector<std::string> open_row_of(const flow::Stmt& loop);
  void leave(const std::vector<std::string>& opened);
  bool has_open_row(const flow::Tensor& tensor) const { return open_.count(tensor.name) > 0; }
  /// The fibers behind the last entry are empty.
  void freeze(const flow::Tensor& tensor);
  /// Nothing is stored any more.
  void reset(const flow::Tensor& tensor, const text::Origin& origin);

 private:
  std::string counter(const std::string& wanted);
  void close_row(const flow::Loop& loop, bool begins);
  void open_fibers_while(const flow::Tensor& tensor, int level, c::Expr condition);

  Context& out_;
  Memory& memory_;
  const std::map<std::string, int> row_loops_;  ///< results whose rows a loop closes, and that loop's number
  std::set<std::string> counters_;              ///< those that are declared
  std::set<std::string> open_;                  ///< results whose row is open where the emitter is
};

/// In abi/trellis_tensor.h.
std::string_view c_name(format::Array which);
/// A first level with positions has one fiber, which begins before all statements and ends with them; where it is read
/// meanwhile, it is opened as others are.
bool has_one_fiber(const flow::Tensor& tensor, int level);
/// The last sparse level; -1 if there is none.
int last_sparse(const flow::Tensor& tensor);
/// The last of the singletons that have an entry for each one of the level.
int last_of_group(const flow::Tensor& tensor, int level);
/// The sparse levels that count their entries, outermost first: singletons go with the level above.
std::vector<int> counted_levels(const flow::Tensor& tensor);

}  // namespace trellis::emit
