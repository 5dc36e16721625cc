#pragma once
// What all parts of the emitter write with, and where: the flow, the C names, helpers and expressions so far, and the
// scopes that are open. Scopes follow C's: a variable lives to the end of its block.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/emit/c.hpp"
#include "engine/emit/expression.hpp"
#include "engine/emit/growth.hpp"
#include "engine/flow/flow.hpp"

namespace trellis::emit {

class Context {
 public:
  Context(const flow::Flow& of, Names& named, Prelude& before, Expressions& in, Growth results = Growth::none)
      : flow(of), names(named), prelude(before), expressions(in), growth(results) {}

  const flow::Flow& flow;
  Names& names;
  Prelude& prelude;
  Expressions& expressions;
  const Growth growth;

  /// Within a part of a loop that is dealt out: of a row's entries those from one number to another are its own.
  struct Share {
    std::string tensor;
    int level = 0;
    c::Expr from, to;
    std::string whole;  ///< variable: all of the row is
    std::string row;    ///< the loop's variable: a coordinate of what no other row updates
  };
  std::optional<Share> share = {};

  /// Behind what the innermost scope has so far.
  void add(const c::Stmt& stmt) { scopes_.back().statements.push_back(with_origin(stmt)); }
  /// All that the innermost scope has so far.
  std::vector<c::Stmt>& statements() { return scopes_.back().statements; }
  /// A variable of the innermost scope: its name in C.
  std::string bind(const std::string& name);

  /// What is written from now on belongs to a flow statement, or to a lattice point in it. Gives back what it belonged
  /// to.
  text::Origin enter(text::Origin from) { return std::exchange(from_, std::move(from)); }
  const text::Origin& from() const { return from_; }
  /// What does not say where it comes from comes from there.
  c::Stmt with_origin(const c::Stmt& stmt) const {
    return stmt.origin().empty() ? c::Stmt(*stmt, from_, stmt.id()) : stmt;
  }

  void open() { scopes_.emplace_back(); }
  /// The innermost scope as a block.
  c::Stmt close();
  /// The same, added to the scope around, without braces where it is one statement that needs none.
  void close_plain();
  /// In a scope of their own, unless the one around ends with them.
  void scoped(bool last, const std::function<void()>& statements);

 private:
  struct Scope {
    std::vector<c::Stmt> statements;
    std::vector<std::string> variables;  ///< bound until the end
  };
  /// The kernel's own stays open: no parameter is named like its variables.
  std::vector<Scope> scopes_ = std::vector<Scope>(1);
  text::Origin from_;
};

/// What is written from now on belongs to the point of the loop, until its statement ends or another point is entered.
inline text::Origin enter(Context& out, const flow::Coiterate::Point& point, const text::Origin& loop) {
  text::Origin both = text::merge(loop, point.origin);
  out.enter(both);
  return both;
}

/// Emits a statement of the flow where the context stands. `last`: the scope ends with it, so that it needs none of its
/// own.
using Body = std::function<void(const flow::Stmt& stmt, bool last)>;

}  // namespace trellis::emit
