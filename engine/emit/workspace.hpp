#pragma once
// Temporaries with a bytemap level (a flag per element and a list of those that are set) or with hashed levels (a table
// that grows; its entries are sorted when they are to be walked; or they are listed as they come, and sorted and added
// up then). docs/design/coiteration.md#workspaces.

#include <set>
#include <string>

#include "engine/emit/context.hpp"
#include "engine/emit/memory.hpp"

namespace trellis::emit {

class Workspaces {
 public:
  Workspaces(Context& out, Memory& memory) : out_(out), memory_(memory) {}

  /// Its arrays, where it has none yet.
  void declare(const flow::Tensor& tensor);
  /// Other arrays of the same names, of a thread; without values where only coordinates matter, until `share_again`.
  void declare_private(const flow::Tensor& tensor, bool with_values);
  void share_again() { valueless_.clear(); }

  /// Declares where the coordinate is: the entry that is there, or a new one at the fill.
  void insert(const flow::Insert& insert, const text::Origin& origin);
  /// From now on, and until more is inserted, entries can be walked in order.
  void order(const flow::Tensor& tensor, const text::Origin& origin);
  /// Nothing is stored any more.
  void reset(const flow::Tensor& tensor, const text::Origin& origin);

 private:
  void declare_bytemap(const flow::Tensor& tensor, int level);
  void insert_flag(const flow::Insert& insert, const flow::Tensor& tensor, const c::Expr& coordinate,
                   const c::Expr& parent, const text::Origin& origin);
  void insert_hashed(const flow::Insert& insert, const flow::Tensor& tensor, const c::Expr& coordinate,
                     const c::Expr& parent, const text::Origin& origin);
  void grow_values(const flow::Tensor& tensor, const std::string& entries, const std::string& at);
  /// Of a listed one: what is listed is put in order, and values at one coordinate become one.
  void add_up(const flow::Tensor& tensor, const text::Origin& origin);
  /// Where the values of a listed one are put in order.
  std::string values_in_order(const flow::Tensor& tensor);
  /// The value at a position becomes the fill.
  c::Stmt at_fill(const flow::Tensor& tensor, const c::Expr& at);
  /// Of a live one: the ordered set takes the coordinate, or forgets it.
  void ask_set(const std::string& helper, const flow::Tensor& tensor, const c::Expr& coordinate);
  void reset_hashed(const flow::Tensor& tensor, const text::Origin& origin);
  /// The variable that says how many values of a hashed one there is room for.
  std::string room_of_values(const flow::Tensor& tensor);
  bool has_values(const flow::Tensor& tensor) const { return valueless_.count(tensor.name) == 0; }

  Context& out_;
  Memory& memory_;
  std::set<std::string> declared_;
  std::set<std::string> valueless_;  ///< those of which only the coordinates matter
};

/// `w_set`, `w_list`, `w_count` of a bytemap level, `w_bits` of a live one; of a hashed one the struct `w_entries` and
/// its members.
std::string workspace_part(Context& out, const flow::Tensor& tensor, int level, const std::string& suffix);

}  // namespace trellis::emit
