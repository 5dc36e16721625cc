#pragma once
// What the operands of a loop offer it: for each distinct level that the loop's variable indexes, a sequence, which is
// a literal of the loop's algebra. Accesses that go down the same levels by the same indices share it
// (docs/design/coiteration.md#identity).

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/access/sequence.hpp"
#include "engine/lang/program.hpp"
#include "engine/loop/stmt.hpp"
#include "engine/math/affine.hpp"

namespace trellis::coiterate {

/// Finds a tensor of the program or a declared one.
using TensorOf = std::function<const lang::TensorInfo*(const std::string&)>;

using access::level_index, access::level_key;

/// Every access that a statement's expressions read, including those in indices and in the indices of targets;
/// `guarded` when a condition, which may be what keeps its indices in range, decides whether it is read: all of
/// `conditions`, as far as they stand in the expression itself.
struct Read {
  lang::Expr access;
  bool guarded = false;
  std::vector<lang::Expr> conditions = {};
  std::vector<lang::Expr> around =
      {};  ///< conditions of `if` and `while` inside the statement and `low < high` of its loops, outermost first
};
void for_each_read(const loop::Stmt& stmt, const std::function<void(const Read&)>& visit);
void for_each_read(const lang::Expr& expr, const std::function<void(const Read&)>& visit);

/// That a condition does not hold.
lang::Expr negated(const lang::Expr& condition);

/// Tensors that are assigned, reset, declared or appended to inside the statement.
std::set<std::string> written_in(const loop::Stmt& stmt);

/// Has nobody proven that the indices of the levels below are in range?
bool may_fail_below(const lang::Access& access, const lang::TensorInfo& info, int level);

struct Literal {
  access::LevelKey key;
  std::string name;           ///< for people: "A(i,j)" at the last level, "A(i,:)" before
  lang::Expr access;          ///< one of those that share it
  access::Sequence sequence;  ///< what it offers the loop
  bool last = false;
  bool exact = false;  ///< the last level, and no explicit fills: its value says whether it has an entry
  format::Value fill;
  bool temporary = false;  ///< of the kernel, rather than of the program
  bool restarts = false;   ///< the outermost level, in an inner loop: each run of that would walk it from its start
  bool searched = false;   ///< a schedule wants it bisected for, where others lead
  bool grows = false;      ///< the loop stores entries ahead of where it stands
  std::vector<std::vector<lang::Expr>> only_if =
      {};  ///< read where all of one of these hold; empty: in every iteration

  int level() const { return sequence.level; }
  const format::Facts& stored() const { return sequence.stored; }
};

struct Offers {
  /// An access that the loop's variable indexes at a sparse level, and why that level cannot be walked here.
  struct Refusal {
    std::string name;  ///< "A(i,j)"
    std::string why;   ///< "is stored by i first"
  };
  std::vector<Literal> literals;
  std::vector<Refusal> refusals;
  /// The literal of an access, or -1: found among those of its level keys. An access asks for all of its indices
  /// whatever is stored, so where one of a level below may be out of range, that there is no entry does not say that
  /// nothing happens.
  int of(const lang::Access& access, const lang::TensorInfo& info) const;
};

}  // namespace trellis::coiterate
