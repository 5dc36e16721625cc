#pragma once
// Expressions and positions of control flow: each name is bound where it is used and is what it is used as, operands
// have the types that operators ask for, and positions go through levels in order. One half of `verify`
// (docs/design/flow.md#invariants-of-the-flow), which says what stands in scope; the other half goes through
// statements.

#include <map>
#include <set>
#include <string>

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// What a name stands for where it is bound.
struct BoundName {
  format::ScalarType type = format::ScalarType::i64;
  int level = -1;       ///< of a position, else -1
  bool cursor = false;  ///< that of a loop, rather than of a look-up
};

/// Throws Broken. Whoever derives from it keeps `bound_` and `alive_` as scopes begin and end.
class ExpressionVerifier {
 protected:
  explicit ExpressionVerifier(const Flow& flow) : flow_(flow) {}

  /// `what` begins the complaint about a name that nothing binds.
  const BoundName& bound(const std::string& name, const std::string& what) const;

  void expr(const Expr& e) const;
  void whole(const Expr& e) const;
  void truth(const Expr& e) const;

  /// A position at the tensor's last level.
  void element(const std::string& name, const Position& position) const;
  /// One at which the fibers of a sparse level begin.
  void level(const std::string& name, int number, const Position& parent) const;
  /// The same where several levels are gone through as one: from `first` to `number`.
  void levels(const std::string& name, int first, int number, const Position& parent) const;

  const Flow& flow_;
  std::map<std::string, BoundName> bound_;
  std::set<std::string> alive_;  ///< tensors

 private:
  bool keeps_entries(const std::string& name, int level) const;
  void position_of_level(const At& at, int level) const;
  void below(const std::string& name, const Position& position, int levels) const;
};

}  // namespace trellis::flow
