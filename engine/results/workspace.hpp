#pragma once
// A workspace: a temporary that takes values in any order, from which a result is then appended in storage order. What
// the passes that insert them share: names, formats, and the statements around them.
//
//   tensor C_w(n): {bytemap}; C_w .= 0        before
//   for j { C(i,j) = C_w(j) }                 behind: a copy, in C's storage order

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/lang/schedule.hpp"
#include "engine/loop/stmt.hpp"

namespace trellis::results {

using WorkspaceKind = lang::Schedule::Workspace::Kind;

/// Levels that take values in any order: dense, bytemap, hashed.
bool takes_any_order(const format::Format& format);

/// Dense levels around one of this kind; a scalar is dense. `order` lists the dimensions, outermost first.
format::Format workspace_format(WorkspaceKind kind, std::vector<int> order);
/// Hashed at every level: as large as what is stored in it.
format::Format hashed_format(std::vector<int> order);
/// The same, but for outer levels that are dense in this format too.
format::Format hashed_like(const format::Format& format);

/// Names that nothing in the loops or the program has.
class FreshNames {
 public:
  FreshNames(const loop::Stmt& loops, const lang::Program& program);
  /// `base`, or with the first number that makes it new.
  std::string take(const std::string& base);
  /// A loop's variable may be used again beside that loop, so only those around count.
  std::string variable(const std::string& wish, std::set<std::string>& around) const;

 private:
  std::set<std::string> taken_;      ///< tensors, parameters, functions
  std::set<std::string> variables_;  ///< of loops and lets
};

loop::Expr access(const lang::TensorInfo& tensor, std::vector<loop::Expr> indices);
/// `t .= fill`, of a scalar `t = fill`.
loop::Stmt start_at_fill(const lang::TensorInfo& tensor, const loop::Stmt& from);
loop::Stmt declare(const lang::TensorInfo& tensor, const loop::Stmt& from);
/// A temporary of the tensor's shape.
lang::TensorInfo temporary_like(const lang::TensorInfo& tensor, std::string name, format::Format format);

/// Does the expression hold the fill of the tensor, as a constant?
bool is_fill(const loop::Expr& value, const lang::TensorInfo& tensor);

/// What the loops call the indices of the tensor where they write it, by dimension; all different.
std::vector<std::string> index_names(const loop::Stmt& loops, const lang::TensorInfo& tensor);

/// `for … { to(…) = from(…) }` over some dimensions of `to`; `fixed` gives the other indices of `to`, and `from` has
/// the walked ones alone, in the order of the dimensions. `wishes`: names for the variables, by dimension.
struct Copy {
  const lang::TensorInfo& to;
  const lang::TensorInfo& from;
  std::vector<std::optional<loop::Expr>> fixed;  ///< by dimension of `to`
  std::vector<std::string> wishes;
  std::set<std::string> around;  ///< variables of the loops around
  std::vector<int> order;        ///< of the walked dimensions, outermost first
  bool back = false;             ///< `from` takes what `to` holds
};
loop::Stmt copy(const Copy& wanted, const FreshNames& names, const loop::Stmt& from);
/// Of all elements, in this order of dimensions; the loops say what the indices are called where they write `tensor`.
loop::Stmt copy_all(const lang::TensorInfo& to, const lang::TensorInfo& from, const std::vector<int>& order,
                    const lang::TensorInfo& tensor, const loop::Stmt& loops, const FreshNames& names);
/// The first statement that assigns to the tensor; all of them where none does.
loop::Stmt first_write(const loop::Stmt& loops, const std::string& tensor);

}  // namespace trellis::results
