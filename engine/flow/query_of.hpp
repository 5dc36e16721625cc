#pragma once
// What a look-up asks for, as terms that a prover understands (find/query.hpp): by the loops around it, the coordinates
// of the levels above, and the index tensors that are applied.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/find/query.hpp"
#include "engine/flow/flow.hpp"
#include "engine/flow/paths.hpp"
#include "engine/lang/program.hpp"

namespace trellis::flow {

/// Goes down a flow, and knows what is around where it stands.
class Queries {
 public:
  Queries(const Flow& flow, const lang::Program& program);

  /// Before and after the children of a statement.
  void enter(const Stmt& stmt);
  void leave(const Stmt& stmt);

  /// Empty where something in it is no integer term: a value that is computed, an index that is written here.
  std::optional<find::Query> query(const Locate& locate) const;
  /// The coordinates of the levels above, and the one that is asked for.
  Path path(const Locate& locate) const { return paths_.below(locate.parent, locate.coordinate); }
  /// So many loops, outermost first, say which fiber it is.
  std::size_t loops_above(const find::Query& query) const;
  /// Do threads share the iterations of a loop around?
  bool in_parallel() const { return parallel_ > 0; }

 private:
  std::optional<find::Term> term(const Expr& expr) const;
  std::optional<find::Term> value(const Value& value) const;
  std::optional<find::Term> binary(const Binary& binary) const;
  void enter_loop(const std::string& variable, const Expr& low, const Expr& high, find::Loop::Way way);

  const Flow& flow_;
  const lang::Program& program_;
  const std::set<std::string> written_;
  Paths paths_;
  std::vector<find::Loop> loops_;
  std::map<std::string, Expr> bound_;  ///< by `let`
  int whiles_ = 0, parallel_ = 0;
  mutable std::map<std::string, format::Promises> applied_;
};

}  // namespace trellis::flow
