#pragma once
// How the iterations of a loop leave their results, of which lift_over has to know what is whose.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/coiterate/choice.hpp"
#include "engine/coiterate/lift_over.hpp"

namespace trellis::coiterate {

/// What a body writes and does not declare.
class IterationResults {
 public:
  /// `y`: all iterations update the same elements in the same way. `C(i,j)` with C in runs: an iteration has
  /// coordinates of its own, and so has a run of iterations. `y(i)` with y dense: the same, but each iteration sets all
  /// of its elements anew. What a choice keeps: once it is made where the stretch begins, no later iteration makes it.
  enum class Kind { shared, run, row, chosen };

  /// `moves`: whether an expression differs from iteration to iteration.
  IterationResults(const loop::Stmt& body, const Stretch& stretch, std::function<bool(const lang::Expr&)> moves);

  /// Does each iteration go by nothing that another leaves?
  bool apart() const { return apart_; }
  /// Of a tensor that the body writes and does not declare.
  Kind kind(const std::string& tensor) const { return kinds_.at(tensor); }
  bool declares(const std::string& tensor) const { return declared_.count(tensor) > 0; }
  /// Is it a choice or a passing that the stretch comes by once?
  bool is_once(const loop::Stmt& s) const;
  /// Is it what the same iteration has left there?
  bool is_own(const lang::Access& access, const lang::Expr& index) const;
  bool any_of(Kind kind) const;
  /// Is there more to do than to write the rows?
  bool takes_more_than_rows() const;
  /// `for i in first+1:last+1 { for j { C(i,j) = C(first,j) } }`, for each of the rows.
  loop::Stmt copies() const;

 private:
  struct Write {
    loop::Stmt statement;           ///< an assignment
    bool always = false;            ///< under no condition
    std::vector<loop::Stmt> loops;  ///< those inside the body around it

    const lang::Access& target() const { return *statement.as<loop::Assign>()->target.as<lang::Access>(); }
    bool updates() const { return statement.as<loop::Assign>()->op.has_value(); }
  };
  void collect(const loop::Stmt& s, std::vector<loop::Stmt>& loops, bool always);
  /// What it keeps; nothing where it is no such statement.
  std::vector<lang::Expr> kept_by(const loop::Stmt& s, const std::vector<loop::Stmt>& loops) const;
  bool decides_ties(const Choice& choice) const;
  void note_reads(const loop::Stmt& body);
  std::optional<Kind> kind_of(const std::string& tensor, const std::vector<Write>& writes) const;
  bool is_row(const std::string& tensor, const std::vector<Write>& writes) const;
  bool sets_all(const Write& write) const;
  static bool alike(const std::vector<Write>& writes);
  const Write& set_all(const std::string& row) const;
  loop::Stmt copy(const Write& row) const;
  bool moves_alike(const lang::Access& a, const lang::Access& b) const;
  bool is_in(const lang::Access& read, const lang::Access& written) const;

  const Stretch& stretch_;
  std::function<bool(const lang::Expr&)> moves_;
  std::map<std::string, std::vector<Write>> writes_;
  std::map<std::string, std::vector<lang::Expr>> reads_;
  std::set<std::string> declared_;
  std::map<std::string, Kind> kinds_;
  std::vector<loop::Stmt> once_;  ///< choices and passings
  std::set<std::string> loops_;   ///< variables of all those inside
  bool apart_ = true;
};

}  // namespace trellis::coiterate
