#pragma once
// What the transformations of loops share: names, replaced variables, and bounds.

#include <set>
#include <string>
#include <vector>

#include "engine/loop/context.hpp"
#include "engine/schedule/certificate.hpp"

namespace trellis::schedule {

/// A nest and where its instances went.
struct Moved {
  loop::Stmt loops;
  Moves moves;
};

/// Why a command does not apply to these loops, whatever they compute.
struct Unfit {
  std::string code, message, note;
};

using Transformed = std::variant<Moved, Unfit>;

/// First one, then the other.
Moves compose(const Moves& first, const Moves& second);

bool has_loop(const loop::Stmt& stmt, const std::string& variable);
/// Does it read, write or reset the tensor?
bool mentions(const loop::Stmt& stmt, const std::string& tensor);
bool mentions(const loop::Expr& expr, const std::string& tensor);
/// Every name that a loop or `let` binds.
std::vector<std::string> bound_names(const loop::Stmt& stmt);

/// `body` with a variable's value in its place, which every statement inside remembers.
loop::Stmt replace(const loop::Stmt& body, const std::string& variable, const math::Affine& value,
                   const std::vector<std::string>& names, Moves& moves);

/// The least or greatest of the values, in these names.
loop::Expr extremum(format::Function function, const std::vector<math::Affine>& values,
                    const std::vector<std::string>& names);

/// The loop's bounds as constraints on its variable; empty if they are not linear in `names`.
std::optional<std::vector<math::Constraint>> bounds_of(const loop::For& loop, const std::vector<std::string>& names);

/// The loop with the bounds that `constraints` put on its variable, as few as `known` allows.
loop::For with_bounds(loop::For loop, std::vector<math::Constraint> constraints, const loop::Context& known,
                      const std::vector<std::string>& names);

/// Loops, outermost first, with the bounds that `constraints` put on their variables: those of the innermost one first,
/// what is left bounds the loops around it.
std::vector<loop::For> with_bounds(std::vector<loop::For> loops, std::vector<math::Constraint> constraints,
                                   const loop::Context& known, const std::vector<std::string>& names);

/// What the constraints say about the other names: the variable taken out by combining lower with upper bounds.
std::vector<math::Constraint> eliminate(const std::string& variable, const std::vector<math::Constraint>& constraints);

/// A rebuilt loop has no number, so that its kind is found anew.
loop::Stmt rebuilt(loop::For loop, const loop::Stmt& from);

/// Numbered loops without some statements, and without what then does nothing.
loop::Stmt without(const loop::Stmt& loops, const std::set<int>& dropped);

/// Loops that a body consists of alone, notes apart; null when it holds anything else.
loop::Stmt only_statement(const loop::Stmt& body);

}  // namespace trellis::schedule
